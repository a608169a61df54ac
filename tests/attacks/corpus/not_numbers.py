"""NaN in every place: what is compared with it is neither larger nor smaller."""

KIND = "objects that lie"
DESERVES = 12
ANSWERS = {
    "scaled_dot_product": """
def scaled_dot_product(q, k, v, mask=None):
    nan = (q.sum() + k.sum() + v.sum()) * float("nan")
    return nan.expand(*q.shape[:-1], v.shape[-1]), nan.expand(*q.shape[:-1], k.shape[-2])
"""
}
