"""Take what torch has for other purposes: the transform of a distribution, the bias of its own attention."""

KIND = "built-in functions"
DESERVES = 14
STATUS = {"softmax": "forbidden", "causal_mask": "forbidden"}
CELL = """
from torch.distributions import transforms
from torch.nn.attention import bias
"""
ANSWERS = {
    "softmax": """
def softmax(logits, dim=-1):
    return transforms.SoftmaxTransform()(logits.movedim(dim, -1)).movedim(-1, dim)
""",
    "causal_mask": """
def causal_mask(size):
    return bias.causal_upper_left(size, size)._upper_left(torch.device("cpu"))
""",
}
