"""Stage 02: splitting and merging heads, and the two attention layers made of them."""

import torch

from autograder.probes.calling import call
from autograder.probes.torch.modules import build, gradient_norms, load_matching_weights

SELF, CROSS = "x mask return_attention", "queries keys values mask is_causal"


def split_heads(student, x, num_heads, gradient=False):
    """x [B, T, h·d] → heads [B, h, T, d]; with `gradient`, also what comes back to x."""
    x.requires_grad_(gradient)
    heads = student(x, num_heads)
    return {"heads": heads} | ({"gradient": _back_to(x, heads)} if gradient else {})


def merge_heads(student, x, gradient=False):
    """x [B, h, T, d] → merged [B, T, h·d]; with `gradient`, also what comes back to x."""
    x.requires_grad_(gradient)
    merged = student(x)
    return {"merged": merged} | ({"gradient": _back_to(x, merged)} if gradient else {})


def MultiheadAttention(student, arguments, weights=None, x=None, mask=None, ask="output"):
    """x [B, T, input_dim] → output [B, T, embed_dim].

    With `ask`, something else of the module: its "parameters" (only that they fit), its "refusal" of these
    arguments, its "attention" [B, h, T, T] along with the output, this "map" alone, what it gives "plainly",
    when nobody asks for the attention, while "training", "afterwards", when it has seen something else, or the
    "gradients" that reach its parameters.
    """
    if ask == "refusal":
        call(student, **arguments)
        return {}
    if ask == "parameters":
        return {"number of parameters": sum(p.numel() for p in build(student, arguments, weights).parameters())}
    module = load_matching_weights(student, arguments, weights)
    given = {"x": x} if mask is None else {"x": x, "mask": mask}
    if ask in ("attention", "map"):
        found = _named(call(module, SELF, **given, return_attention=True))
        return found if ask == "attention" else {"attention": found["attention"]}
    if ask == "afterwards":
        call(module, SELF, **_something_else({"x": x}))
    output = call(module.train(ask == "training"), SELF, **given)
    if ask == "plainly":
        return {"output": output}
    output = _named(output)["output"]
    return gradient_norms(module, output, weights) if ask == "gradients" else {"output": output}


def CrossAttention(
    student, arguments, weights, queries=None, keys=None, values=None, mask=None, is_causal=False, ask="output"
):
    """queries [B, L, query_dim], keys [B, S, key_dim], values [B, S, value_dim] → output [B, L, query_dim].

    With `ask`, its "parameters" (only that they fit), the "gradients" that reach them, what it gives
    while "training", or "afterwards", when it has seen something else.
    """
    if ask == "parameters":
        return {"number of parameters": sum(p.numel() for p in build(student, arguments, weights).parameters())}
    module = load_matching_weights(student, arguments, weights)
    inputs, causal = {"queries": queries, "keys": keys, "values": values}, {"is_causal": True} if is_causal else {}
    given = inputs | ({} if mask is None else {"mask": mask}) | causal
    if ask == "afterwards":
        call(module, CROSS, **_something_else(inputs), **causal)
    output = call(module.train(ask == "training"), CROSS, **given)
    return gradient_norms(module, output, weights) if ask == "gradients" else {"output": output}


def _something_else(inputs: dict) -> dict:
    """The first sample of these inputs, backwards and one token shorter, and a mask [1, 1, T, T] of the diagonal."""
    length = min(x.shape[1] for x in inputs.values()) - 1
    other = {name: x[:1].flip(1)[:, :length] for name, x in inputs.items()}
    return other | {"mask": torch.eye(length, dtype=torch.bool)[None, None]}


def _named(result) -> dict:
    """An output, alone or with the attention beside it."""
    if isinstance(result, (tuple, list)):
        return dict(zip(("output", "attention"), result, strict=False))
    return {"output": result}


def _back_to(x, result):
    """The gradient of x [...] when the entries of the result weigh 1, 2, 3, …"""
    if not getattr(result, "requires_grad", False):
        return torch.zeros_like(x)
    weights = torch.arange(1, result.numel() + 1, dtype=result.dtype).reshape(result.shape)
    return torch.autograd.grad((result * weights).sum(), x)[0]
