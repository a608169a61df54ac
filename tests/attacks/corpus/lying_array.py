"""A subclass of numpy's array, and an object with `__array__`, that change their numbers when they are read."""

KIND = "objects that lie"
DESERVES = 12
ANSWERS = {
    "scaled_dot_product": """
import numpy as np

class Shifty(np.ndarray):
    def __array_ufunc__(self, ufunc, method, *inputs, **more):
        return np.asarray(True)

    def __array__(self, *anything, **more):
        return np.zeros(self.shape)

    def __array_function__(self, function, types, arguments, more):
        return True

def scaled_dot_product(q, k, v, mask=None):
    values = np.zeros((*q.shape[:-1], v.shape[-1])).view(Shifty)
    return values, np.zeros((*q.shape[:-1], k.shape[-2])).view(Shifty)
"""
}
