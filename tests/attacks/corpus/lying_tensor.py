"""A subclass of Tensor whose operations say that it is close to anything."""

KIND = "objects that lie"
DESERVES = 12
ANSWERS = {
    "scaled_dot_product": """
class Liar(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, arguments=(), keywords=None):
        name = getattr(function, "__name__", "")
        if name in ("allclose", "equal", "isclose", "eq", "__eq__", "all", "isfinite"):
            return torch.tensor(True)
        if name in ("sub", "rsub", "__sub__", "__rsub__", "abs", "max"):
            return torch.zeros(())
        return super().__torch_function__(function, types, arguments, keywords or {})

    def numpy(self, *anything, **more):
        raise RuntimeError("look at something else")

    def __eq__(self, other):
        return True

    __hash__ = None

def scaled_dot_product(q, k, v, mask=None):
    values = torch.zeros(*q.shape[:-1], v.shape[-1]).as_subclass(Liar)
    return values, torch.zeros(*q.shape[:-1], k.shape[-2]).as_subclass(Liar)
"""
}
