"""Stage 04: layer norm, feed-forward, the encoder block in its two forms, and the stack of blocks.

Where the wiring of a block or of a stack is looked at, its parts are replaced by stand-ins: so a mistake in
one exercise does not count again in the next.
"""

from operator import attrgetter

import torch
from torch import nn

from autograder.probes.calling import call
from autograder.probes.side_effects import side_effects
from autograder.probes.torch.modules import (
    build,
    counterparts,
    gradient_norms,
    left_by_dropout,
    load_matching_weights,
    replace_part,
)


def LayerNorm(student, arguments, weights=None, x=None, ask="output", training=False):
    """x [..., dim] → output [..., dim], or the answer to another question."""
    return _answer(student, arguments, weights, {"x": x}, ask, training)


def FeedForward(student, arguments, weights, x=None, ask="output", training=False):
    """x [..., dim] → output [..., dim], or the answer to another question."""
    return _answer(student, arguments, weights, {"x": x}, ask, training)


def EncoderBlock(student, arguments, weights=None, x=None, mask=None, ask="output", training=False, parts=None):
    """x [B, T, d] → output [B, T, d], or the answer to another question; with `parts`, stand-ins of these weights."""
    return _answer(student, arguments, weights, _given(x, mask), ask, training, _replace_parts, parts)


PreNormEncoderBlock = EncoderBlock


def TransformerEncoder(student, arguments, weights=None, x=None, mask=None, ask="output", training=False, parts=None):
    """x [B, T, d] → output [B, T, d], or the answer to another question; with `parts`, its blocks are stand-ins."""
    return _answer(student, arguments, weights, _given(x, mask), ask, training, _replace_blocks, parts)


def _answer(student, arguments, weights, inputs, ask, training, replace=None, parts=None):
    if ask in OF_A_CLASS:
        return OF_A_CLASS[ask](student, arguments, weights)
    module = load_matching_weights(student, arguments, weights or {})
    if parts:
        replace(module, parts)
    return OF_A_MODULE[ask](module.train(training), inputs, weights)


def _given(x, mask):
    return {"x": x} | ({} if mask is None else {"mask": mask})


# Questions to a class: what it makes of its arguments.


def _start(student, arguments, weights):
    """The parameters of a fresh layer norm."""
    layer = call(student, "dim eps", **arguments)
    names = counterparts(layer, dict.fromkeys(("weight", "bias"), torch.empty(arguments["dim"])))
    return {name: attrgetter(names.get(name, name))(layer) for name in ("weight", "bias")}


def _number_of_parameters(student, arguments, weights):
    """They have the names and sizes of the weights, or a `ParameterMismatch` is raised."""
    return {"number of parameters": sum(p.numel() for p in build(student, arguments, weights).parameters())}


def _distinct_parameters(student, arguments, weights):
    """The same, and how many tensors they are: layers may share theirs."""
    return {"distinct": len({id(p) for p in build(student, arguments, weights).parameters()})}


# Questions to a module that holds the weights.


def _output(module, inputs, weights):
    torch.default_generator.manual_seed(1)
    return {"output": call(module, "x mask", **inputs)}


def _twice(module, inputs, weights):
    again = {name: value.clone() for name, value in inputs.items()}
    return _output(module, inputs, weights) | {"second": call(module, "x mask", **again)}


def _output_and_norms(block, inputs, weights):
    """Also what its two norms alone make of x."""
    return _output(block, inputs, weights) | {"norms": block.norm2(block.norm1(inputs["x"]))}


def _output_afterwards(module, inputs, weights):
    call(module, "x mask", **_something_else(**inputs))
    return _output(module, inputs, weights)


def _output_dropping_inside(block, inputs, weights):
    """With the dropout of the feed-forward alone: the block's own is turned off."""
    for child in block.children():
        if isinstance(child, nn.Dropout):
            child.p = 0.0
    return _output(block, inputs, weights)


def _left_by_dropout(block, inputs, weights):
    """What dropout leaves of it, without its norms."""
    return left_by_dropout(block, ("norm1", "norm2"), lambda block: call(block, x=inputs["x"].clone()))


def _maps(encoder, inputs, weights):
    """[layers, B, h, T, T]"""
    with side_effects(encoder, {}):
        maps = call(encoder.get_attention_maps, "x mask", **inputs)
    return {"maps": torch.stack(list(maps))}


def _maps_afterwards(encoder, inputs, weights):
    call(encoder.get_attention_maps, "x mask", **_something_else(**inputs))
    return _maps(encoder, inputs, weights)


def _gradients(module, inputs, weights):
    """What comes back to the parameters of the contract, and to x."""
    x = inputs["x"].requires_grad_()
    found = gradient_norms(module, call(module, x=x * 1), weights)  # x * 1: a leaf would forbid what is done in place
    return found | {"of_x": torch.zeros_like(x) if x.grad is None else x.grad}


def _something_else(x):
    """The first sample backwards and one token shorter, and a mask [1, 1, T, T] of the diagonal."""
    return {"x": x[:1].flip(1)[:, :-1], "mask": torch.eye(x.shape[1] - 1, dtype=torch.bool)[None, None]}


OF_A_CLASS = {
    "start": _start,
    "parameters": _number_of_parameters,
    "distinct parameters": _distinct_parameters,
}
OF_A_MODULE = {
    "output": _output,
    "twice": _twice,
    "norms": _output_and_norms,
    "afterwards": _output_afterwards,
    "inside": _output_dropping_inside,
    "left by dropout": _left_by_dropout,
    "maps": _maps,
    "maps afterwards": _maps_afterwards,
    "gradients": _gradients,
}


def _replace_parts(block, parts):
    replace_part(block, "self_attn", _MixingStandIn(parts["self_attn"]))
    replace_part(block, "linear_net", nn.Sequential(_TokenwiseStandIn(parts["linear_net"])))  # a loop is allowed
    for name in ("norm1", "norm2"):
        replace_part(block, name, _TokenwiseStandIn(parts[name]))


def _replace_blocks(encoder, parts):
    for place, weight in parts.items():
        encoder.layers[int(place)] = _MixingStandIn(weight)


class _TokenwiseStandIn(nn.Module):
    """Instead of a part that looks at one token at a time."""

    def __init__(self, weight):
        super().__init__()
        self.weight = nn.Parameter(weight)  # [d, d]

    def forward(self, x):
        return torch.sin(1 + x @ self.weight)


class _MixingStandIn(_TokenwiseStandIn):
    """Instead of an attention or a whole block: each token takes from the mean of those that it sees."""

    def forward(self, x, mask=None, return_attention=False):
        visible = x.new_ones(x.shape[1], x.shape[1]) if mask is None else (mask != 0).to(x.dtype)
        visible = visible[:, 0] if visible.ndim > 3 else visible  # [T, T], or [1 or B, T, T]
        attention = visible / visible.sum(dim=-1, keepdim=True)
        output = torch.sin(1 + (0.3 * x + attention @ x) @ self.weight)
        return (output, attention) if return_attention else output
