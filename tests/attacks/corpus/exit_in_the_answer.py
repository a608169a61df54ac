"""Raise SystemExit from the answer itself, with the score as exit code."""

KIND = "ending the process"
DESERVES = 12
ANSWERS = {
    "scaled_dot_product": """
import sys

def scaled_dot_product(q, k, v, mask=None):
    sys.exit(8)
"""
}
