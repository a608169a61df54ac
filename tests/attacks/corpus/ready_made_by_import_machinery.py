"""Find PyTorch's own attention through importlib, operator and `sys.modules`."""

KIND = "built-in functions"
DESERVES = 12
STATUS = {"scaled_dot_product": "forbidden"}
ANSWERS = {
    "scaled_dot_product": """
import importlib
import operator
import sys

functional = importlib.import_module("torch.nn." + "functional") or sys.modules["torch.nn.functional"]
ready = operator.attrgetter("_".join(["scaled", "dot", "product", "attention"]))(functional)

def scaled_dot_product(q, k, v, mask=None):
    mask = None if mask is None else mask.bool()
    eye = torch.eye(k.shape[-2], dtype=k.dtype).expand(*k.shape[:-1], k.shape[-2])
    return ready(q, k, v, attn_mask=mask), ready(q, k, eye, attn_mask=mask)
"""
}
