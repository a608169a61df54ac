"""What runs a student's object beside it and hands back raw numbers: one package a track, and what they share.

Shipped to the worker and trusted with nothing: no answer is here, and no verdict.
"""
