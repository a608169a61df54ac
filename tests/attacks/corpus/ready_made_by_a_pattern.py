"""Take the softmax that torch has written in Python out of its module by a pattern, which names no attribute."""

KIND = "built-in functions"
DESERVES = 16
FLAGGED = True
STATUS = {"softmax": "forbidden"}
NOTE = "No torch function of that name runs; the pattern is read, and the private module flagged."
ANSWERS = {
    "softmax": """
import torch._refs as parts

match parts:
    case object(softmax=ready):
        pass

def softmax(logits, dim=-1):
    return ready(logits, dim)
"""
}
