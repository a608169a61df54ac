"""Rebind `check` wherever a test cell could look it up: the page, `builtins`, the package."""

KIND = "patching"
DESERVES = 12
ANSWERS = {
    "scaled_dot_product": """
import builtins
import autograder

def check(*anything):
    return 8

autograder.check = builtins.check = check
get_ipython().user_global_ns["check"] = check

def scaled_dot_product(q, k, v, mask=None):
    return q, k
"""
}
