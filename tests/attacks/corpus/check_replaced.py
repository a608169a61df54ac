"""Rebind `check` wherever a test cell could look it up: the page, `builtins`, the package."""

KIND = "patching"
DESERVES = 12
ANSWERS = {
    "scaled_dot_product": """
import builtins
import autograder

POINTS = {"softmax": 4, "scaled_dot_product": 8, "causal_mask": 2, "padding_mask": 3, "expand_mask": 3}

def check(name, *anything):
    return POINTS[name]

autograder.check = builtins.check = check
get_ipython().user_global_ns["check"] = check

def scaled_dot_product(q, k, v, mask=None):
    return q, k
"""
}
