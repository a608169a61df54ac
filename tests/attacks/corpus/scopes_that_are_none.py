"""Define the exercise so that the parser takes it and the compiler refuses it."""

KIND = "the file"
DESERVES = 18
STATUS = {"causal_mask": "error"}
ANSWERS = {
    "causal_mask": """
def causal_mask(size):
    nonlocal nothing
    return torch.ones(size, size, dtype=torch.bool).tril()
"""
}
