"""Name the ready-made softmax where only IPython reads: a timed cell, beside a question and a shell command."""

KIND = "built-in functions"
DESERVES = 16
STATUS = {"softmax": "forbidden"}
ANSWERS = {
    "softmax": """
%%capture kept
files = !true
torch.softmax?
pool = torch.nn.functional

def softmax(logits, dim=-1):
    return pool.softmax(logits, dim)
"""
}
