"""Return a tensor of a few bytes that is 9 terabytes when it is written out."""

KIND = "bombs"
DESERVES = 12
STOCK = "A bomb."
ANSWERS = {
    "scaled_dot_product": """
def scaled_dot_product(q, k, v, mask=None):
    return torch.zeros(1).expand(3 * 10**12), torch.zeros(1).expand(10**6, 10**6)
"""
}
