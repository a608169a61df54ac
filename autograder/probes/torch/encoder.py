"""Stage 04: layer norm, feed-forward, the encoder block in its two forms, and the stack of blocks.

Where the wiring of a block or of a stack is looked at, its parts are replaced by stand-ins: so a mistake in
one exercise does not count again in the next.
"""

import torch
from torch import nn

from autograder.probes.calling import call
from autograder.probes.torch.modules import build, gradient_norms, load_matching_weights


def LayerNorm(student, arguments, weights=None, x=None, ask="output"):
    """x [..., dim] → output [..., dim], also "training"; with `ask`, the parameters it is born with, or gradients."""
    if ask == "start":
        born = call(student, "dim eps", **arguments)
        return {name: getattr(born, name) for name in ("weight", "bias")}
    if ask == "parameters":
        return _counted(student, arguments, weights)
    module = load_matching_weights(student, arguments, weights).train(ask == "training")
    return _gradients(module, x, weights) if ask == "gradients" else {"output": module(x)}


def FeedForward(student, arguments, weights, x=None, ask="output", training=False):
    """x [..., dim] → output [..., dim], and that of a second call; with `ask`, gradients."""
    if ask == "parameters":
        return _counted(student, arguments, weights)
    module = load_matching_weights(student, arguments, weights).train(training)
    if ask == "gradients":
        return _gradients(module, x, weights)
    torch.manual_seed(1)
    return {"output": module(x)} | ({} if training else {"again": module(x)})


def EncoderBlock(student, arguments, weights=None, x=None, mask=None, ask="output", training=False, parts=None):
    """x [B, T, d] → output [B, T, d].

    With `parts`, stand-ins of these weights take the places of the four parts. With `ask`: its "parameters"
    (only that they fit), the output "twice", "afterwards", when it has seen something else, beside what its own
    "norms" make of x, with the dropout "inside" the feed-forward alone, or "gradients".
    """
    if ask == "parameters":
        return _counted(student, arguments, weights)
    block = (build if ask == "strictly" else load_matching_weights)(student, arguments, weights or {})
    if parts is not None:
        _replace(block, parts)
    if ask == "inside":
        for child in block.children():
            if isinstance(child, nn.Dropout):
                child.p = 0.0
    masks = () if mask is None else (mask,)
    if ask == "gradients":
        return _gradients(block, x, weights)
    if ask == "afterwards":
        block(*_something_else(x))
    torch.manual_seed(1)
    output = block.train(training)(x, *masks)
    if ask == "twice":
        return {"output": output, "again": block(x, *masks)}
    if ask == "norms":
        return {"output": output, "norms": block.norm2(block.norm1(x))}
    return {"output": output}


PreNormEncoderBlock = EncoderBlock


def TransformerEncoder(student, arguments, weights=None, x=None, mask=None, ask="output", training=False, parts=None):
    """x [B, T, d] → output [B, T, d].

    With `parts`, stand-ins of these weights take the places of the blocks. With `ask`: its "parameters" (only
    that they fit, and how many are distinct), the "maps" [layers, B, h, T, T], the output or the maps
    "afterwards", when it has seen something else, or "gradients".
    """
    if ask == "parameters":
        return {"distinct": len({id(p) for p in build(student, arguments, weights).parameters()})}
    encoder = load_matching_weights(student, arguments, weights or {})
    for place, weight in (parts or {}).items():
        encoder.layers[int(place)] = _Mixing(weight)
    encoder.train(training)
    masks = () if mask is None else (mask,)
    if ask == "gradients":
        return _gradients(encoder, x, weights)
    if "afterwards" in ask:
        (encoder.get_attention_maps if "maps" in ask else encoder)(*_something_else(x))
    if "maps" in ask:
        return {"maps": torch.stack(list(encoder.get_attention_maps(x, *masks)))}
    return {"output": encoder(x, *masks)}


def _gradients(module, x, names):
    """What comes back to the parameters of these names, and to x."""
    x.requires_grad_()
    found = gradient_norms(module, module(x * 1), names)
    return found | {"of_x": torch.zeros_like(x) if x.grad is None else x.grad}


def _something_else(x):
    """The first sample backwards and one token shorter, and a mask [1, 1, T, T] of the diagonal."""
    return x[:1].flip(1)[:, :-1], torch.eye(x.shape[1] - 1, dtype=torch.bool)[None, None]


def _counted(student, arguments, weights):
    return {"number of parameters": sum(p.numel() for p in build(student, arguments, weights).parameters())}


def _replace(block, parts):
    block.self_attn = _Mixing(parts["self_attn"])
    block.linear_net = nn.Sequential(_Bending(parts["linear_net"]))
    block.norm1, block.norm2 = _Bending(parts["norm1"]), _Bending(parts["norm2"])


class _Bending(nn.Module):
    """In the place of a part that looks at one token at a time."""

    def __init__(self, weight):
        super().__init__()
        self.weight = nn.Parameter(weight)  # [d, d]

    def forward(self, x):
        return torch.sin(1 + x @ self.weight)


class _Mixing(_Bending):
    """In the place of an attention or a whole block: each token takes from the mean of those that it sees."""

    def forward(self, x, mask=None, return_attention=False):
        visible = x.new_ones(x.shape[1], x.shape[1]) if mask is None else (mask != 0).to(x.dtype)  # [T, T]
        attention = visible / visible.sum(dim=-1, keepdim=True)
        output = torch.sin(1 + (0.3 * x + attention @ x) @ self.weight)
        return (output, attention) if return_attention else output
