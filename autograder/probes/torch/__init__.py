"""The probes of the torch track, one module a topic."""
