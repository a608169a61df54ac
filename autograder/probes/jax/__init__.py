"""The probes of the JAX track, one module a topic.

No array is made while these modules are imported: the first one starts threads, and a worker forks afterwards.
"""
