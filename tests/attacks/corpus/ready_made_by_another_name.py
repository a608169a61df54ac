"""Call ready-made functions by names of the same family: the safe softmax, the attention that math computes."""

KIND = "built-in functions"
DESERVES = 8
STATUS = {"softmax": "forbidden", "scaled_dot_product": "forbidden"}
ANSWERS = {
    "softmax": """
def softmax(logits, dim=-1):
    return torch._safe_softmax(logits, dim)
""",
    "scaled_dot_product": """
def scaled_dot_product(q, k, v, mask=None):
    mask = None if mask is None else mask.bool()
    return torch._scaled_dot_product_attention_math(q, k, v, attn_mask=mask)
""",
}
