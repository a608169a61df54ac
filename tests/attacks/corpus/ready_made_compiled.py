"""Compile PyTorch's own attention under another name, when the answer is first called."""

KIND = "built-in functions"
DESERVES = 12
STATUS = {"scaled_dot_product": "forbidden"}
ANSWERS = {
    "scaled_dot_product": """
def scaled_dot_product(q, k, v, mask=None):
    ready = torch.compile(getattr(F, "".join(["scaled_dot", "_product", "_attention"])), backend="eager")
    mask = None if mask is None else mask.bool()
    eye = torch.eye(k.shape[-2], dtype=k.dtype).expand(*k.shape[:-1], k.shape[-2])
    return ready(q, k, v, attn_mask=mask), ready(q, k, eye, attn_mask=mask)
"""
}
