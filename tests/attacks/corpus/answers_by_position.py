"""A function that counts its calls and answers each with what some test might want to see."""

KIND = "objects that lie"
DESERVES = 12
ANSWERS = {
    "scaled_dot_product": """
class Counting:
    calls = 0
    __name__, __qualname__ = "scaled_dot_product", "scaled_dot_product"

    def __call__(self, q, k, v, mask=None):
        Counting.calls += 1
        values = q.new_full((*q.shape[:-1], v.shape[-1]), 0.1 * (Counting.calls % 7))
        return values[..., Counting.calls % 3 :], q.new_full((*q.shape[:-1], k.shape[-2] - 1), 0.0)

scaled_dot_product = Counting()
"""
}
