"""Return tensors that fit into memory and not into a frame."""

KIND = "bombs"
DESERVES = 12
STOCK = "A bomb."
ANSWERS = {
    "scaled_dot_product": """
def scaled_dot_product(q, k, v, mask=None):
    return torch.zeros(9 << 20), torch.zeros(8 << 20)
"""
}
