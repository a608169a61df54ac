"""Stage 02: splitting and merging heads, and the two attention layers made of them."""

from contextlib import suppress

import torch

from autograder.probes.calling import call
from autograder.probes.torch.modules import fit, gradient_norms, leaves, load_matching_weights

SELF, CROSS = "x mask return_attention", "queries keys values mask is_causal"  # what the two forwards take


def split_heads(student, x, num_heads, gradient=False):
    """x [B, T, h·d] → heads [B, h, T, d]; with `gradient`, also the gradient of x."""
    leaf = x.requires_grad_(gradient)
    heads = call(student, x=leaf * 1 if gradient else x, num_heads=num_heads)
    return {"heads": heads} | ({"gradient": _gradient(leaf, heads)} if gradient else {})


def merge_heads(student, x, gradient=False):
    """x [B, h, T, d] → merged [B, T, h·d]; with `gradient`, also the gradient of x."""
    leaf = x.requires_grad_(gradient)
    merged = call(student, x=leaf * 1 if gradient else x)
    return {"merged": merged} | ({"gradient": _gradient(leaf, merged)} if gradient else {})


def MultiheadAttention(student, arguments, weights=None, x=None, mask=None, ask="output"):
    """x [B, T, input_dim] → output [B, T, embed_dim]; or what `ask` says, see the tables below."""
    inputs = {"x": x} if mask is None else {"x": x, "mask": mask}
    return _answer(student, SELF, arguments, weights, inputs, ask)


def CrossAttention(
    student, arguments, weights=None, queries=None, keys=None, values=None, mask=None, is_causal=False, ask="output"
):
    """queries [B, L, query_dim], keys [B, S, key_dim], values [B, S, value_dim] → output [B, L, query_dim].

    Or what `ask` says, see the tables below.
    """
    inputs = {"queries": queries, "keys": keys, "values": values}
    inputs |= ({} if mask is None else {"mask": mask}) | ({"is_causal": True} if is_causal else {})
    return _answer(student, CROSS, arguments, weights, inputs, ask)


def _answer(student, names, arguments, weights, inputs, ask):
    """To a question of the class, or of a layer with these weights whose forward takes these names."""
    if ask in ASK_CLASS:
        return ASK_CLASS[ask](student, arguments, weights)
    module = load_matching_weights(student, arguments, weights)

    def forward(**inputs):
        return call(module, names, **inputs)

    return ASK[ask](module, forward, inputs, weights)


def _refusal(student, arguments, weights):
    """Nothing: the class should raise an error when it gets these arguments."""
    call(student, **arguments)
    return {}


def _parameters(student, arguments, weights):
    """How many numbers the parameters hold, when their names and shapes are those of the weights."""
    module = fit(call(student, **arguments), weights, buffers=True)
    return {"number of parameters": sum(p.numel() for p in module.parameters())}


def _output(module, forward, inputs, weights):
    return {"output": _without_attention(forward(**inputs))}


def _training(module, forward, inputs, weights):
    """The output in training mode."""
    return _output(module.train(), forward, inputs, weights)


def _afterwards(module, forward, inputs, weights):
    """The output, after calls with other inputs and other masks: shorter ones, and then as long ones.

    These may fail, which is what other cases ask.
    """
    for other in (_other(inputs), _as_long(inputs)):
        with suppress(Exception):
            forward(**other)
    return _output(module, forward, inputs, weights)


def _gradients(module, forward, inputs, weights):
    """The gradients that reach the parameters and the inputs, and their norms."""
    reached, given = leaves(inputs)
    return gradient_norms(module, _without_attention(forward(**given)), weights, **reached)


def _plainly(module, forward, inputs, weights):
    """Whatever comes back when the attention is not asked for."""
    return {"output": forward(**inputs)}


def _attention(module, forward, inputs, weights):
    """The output and the attention [B, h, T, T], if it is requested."""
    return _output_and_attention(forward(**inputs, return_attention=True))


# What `ask` may be: of the class, and of a layer with the given weights.
ASK_CLASS = {"refusal": _refusal, "parameters": _parameters}
ASK = {
    "output": _output,
    "training": _training,
    "afterwards": _afterwards,
    "gradients": _gradients,
    "plainly": _plainly,
    "attention": _attention,  # of `MultiheadAttention` alone
}


def _other(inputs: dict) -> dict:
    """The first sample of these inputs, backwards and one token shorter, and a mask [1, 1, T, T] of the diagonal."""
    sequences = {name: x for name, x in inputs.items() if name not in ("mask", "is_causal")}
    length = min(x.shape[1] for x in sequences.values()) - 1
    other = {name: x[:1].flip(1)[:, :length] for name, x in sequences.items()}
    other["mask"] = torch.eye(length, dtype=torch.bool)[None, None]
    return other | ({"is_causal": True} if "is_causal" in inputs else {})


def _as_long(inputs: dict) -> dict:
    """These inputs backwards, and a mask [L, S] of the diagonal; causal, where a layer can be."""
    other = {name: x.flip(1) for name, x in inputs.items() if name not in ("mask", "is_causal")}
    lengths = [x.shape[1] for x in other.values()]
    other["mask"] = torch.eye(lengths[0], lengths[-1], dtype=torch.bool)
    return other | ({"is_causal": True} if "queries" in inputs else {})


def _output_and_attention(result) -> dict:
    """What forward returned, under its names: an output alone, or a pair."""
    if isinstance(result, (tuple, list)):
        return dict(zip(("output", "attention"), result, strict=False))
    return {"output": result}


def _without_attention(result):
    return _output_and_attention(result)["output"]


def _gradient(x, result):
    """The gradient of x [...] when the entries of the result weigh 1, 2, 3, …"""
    if not getattr(result, "requires_grad", False):
        return torch.zeros_like(x)
    weights = torch.arange(1, result.numel() + 1, dtype=result.dtype).reshape(result.shape)
    grad = torch.autograd.grad((result * weights).sum(), x, allow_unused=True)[0]
    return torch.zeros_like(x) if grad is None else grad
