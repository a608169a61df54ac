"""Return an object whose unpickling would start a program, and the bytes of its pickle."""

KIND = "objects that lie"
DESERVES = 12
ANSWERS = {
    "scaled_dot_product": """
import io
import os
import pickle

class Loaded:
    def __reduce__(self):
        return os.system, ("touch @COURSE@/unpickled @HOME@/unpickled",)

def scaled_dot_product(q, k, v, mask=None):
    saved = io.BytesIO()
    torch.save({"values": Loaded()}, saved)
    return pickle.dumps(Loaded()), saved.getvalue()
"""
}
