"""Put ready-made functions into a list and a dict, by calls and by a decorator, and take them out in the answers."""

KIND = "built-in functions"
DESERVES = 14
STATUS = {"softmax": "forbidden", "causal_mask": "forbidden", "scaled_dot_product": "right"}
CELL = """
import torch

TOOLS, NAMED = [], {}

def register(function):
    NAMED[function.__name__] = function
    return function

@register
def ready(logits, dim: int):
    return torch.softmax(logits, dim)

TOOLS.append(torch.jit.script(ready))
TOOLS.append(torch.nn.Transformer.generate_square_subsequent_mask)
"""
ANSWERS = {
    "softmax": """
def softmax(logits, dim=-1):
    return TOOLS[0](logits, dim)
""",
    "causal_mask": """
def causal_mask(size):
    return TOOLS[1](size) == 0
""",
}
