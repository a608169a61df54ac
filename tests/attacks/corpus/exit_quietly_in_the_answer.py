"""End the process with success from inside the answer, so that nothing can be compared."""

KIND = "ending the process"
DESERVES = 12
STATUS = {"scaled_dot_product": "crashed"}
ANSWERS = {
    "scaled_dot_product": """
import os

def scaled_dot_product(q, k, v, mask=None):
    os._exit(0)
"""
}
