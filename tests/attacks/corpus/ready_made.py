"""Call PyTorch's own attention."""

KIND = "built-in functions"
DESERVES = 12
STATUS = {"scaled_dot_product": "forbidden"}
ANSWERS = {
    "scaled_dot_product": """
def scaled_dot_product(q, k, v, mask=None):
    mask = None if mask is None else mask.bool()
    eye = torch.eye(k.shape[-2], dtype=k.dtype).expand(*k.shape[:-1], k.shape[-2])
    attention = F.scaled_dot_product_attention(q, k, eye, attn_mask=mask)
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask), attention
"""
}
