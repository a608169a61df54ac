"""Take the softmax that a tensor has as a method, by a name that is put together at run time."""

KIND = "built-in functions"
DESERVES = 16
STATUS = {"softmax": "forbidden"}
ANSWERS = {
    "softmax": """
def softmax(logits, dim=-1):
    return getattr(logits, "soft" + "max")(dim)
"""
}
