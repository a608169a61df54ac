"""Write code that Python's parser takes and whoever reads its tree does not: sums and nests without end."""

import sys

KIND = "the file"
DESERVES = 18 if sys.version_info < (3, 12) else 20  # a newer compiler runs it all the same, and the answer is right
LONG = "text = " + " + ".join(["'soft'"] * 991) + "\n"
DEEP = "def deep():\n    return " + "-" * 97 + "1\n"
ANSWERS = {
    "causal_mask": LONG
    + DEEP
    + """
def causal_mask(size):
    used = (text, deep, getattr(torch, text, None))
    return torch.ones(size, size, dtype=torch.bool).tril()
""",
}
CELL = """
def causal_mask(x):
    nonlocal nothing
    return await x
"""
