"""Stage 05: the decoder, the whole model, and what turns logits into a loss or a text."""

import torch
from torch import nn

from autograder.probes.calling import call
from autograder.probes.modules import ParameterMismatch, build, dropouts, furnish, shapes

BLOCK = "x memory mask memory_mask"


def DecoderBlock(
    student,
    arguments,
    weights,
    x,
    memory,
    mask=None,
    memory_mask=None,
    training=False,
    strict=False,
    influence=False,
    gradients=False,
):
    """x [B, T, d], memory [B, S, d] → output [B, T, d]; with dropout, also that of a second call, and how much.

    When `strict`, the parameters must be those of the contract; otherwise other ones get numbers of their own.

    With `influence`, how far output i follows input j, [T, T]: in any direction, and along the direction in
    which all features grow alike. With `gradients`, how many parameters get none.
    """
    block = fitted(student, arguments, weights, strict).train(training)
    if influence:
        x.requires_grad_()
    masks = {"mask": mask, "memory_mask": memory_mask}
    given = {name: value for name, value in masks.items() if value is not None}
    output = call(block, BLOCK, x=x, memory=memory, **given)
    found = {"output": output}
    if influence:
        found |= _influence(output, x)
    if gradients:
        found["unreached"] = _unreached(block, output)
    if arguments.get("dropout"):
        found |= {"again": call(block, BLOCK, x=x, memory=memory, **given), "dropouts": dropouts(block)}
    return found


def TransformerDecoder(
    student, arguments, x, memory, weights=None, mixing=None, mask=None, memory_mask=None, training=False
):
    """x [B, T, d], memory [B, S, d] → output [B, T, d].

    With `mixing` the blocks are replaced by stand-ins with these weights, so that only what the decoder does
    with its blocks is seen. With `weights` they are the student's own: also how many parameters there
    are that are not one and the same, and, where there is dropout, a second output.
    """
    masks = {"mask": mask, "memory_mask": memory_mask}
    given = {name: value for name, value in masks.items() if value is not None}
    if mixing is not None:
        decoder = call(student, **arguments)
        for place, (of_x, of_memory) in enumerate(zip(mixing["x"], mixing["memory"], strict=True)):
            decoder.layers[place] = _StandIn(of_x, of_memory)
        return {"output": call(decoder.eval(), BLOCK, x=x, memory=memory, **given)}
    decoder = fitted(student, arguments, weights, strict=True).train(training)
    found = {"output": decoder(x, memory), "distinct": len({id(parameter) for parameter in decoder.parameters()})}
    return found | ({"again": decoder(x, memory)} if arguments.get("dropout") else {})


def Seq2SeqTransformer(
    student, arguments, weights, src, tgt, src_mask=None, training=False, strict=False, gradients=False
):
    """src [B, T_src], tgt [B, T_tgt] → logits [B, T_tgt, V]; where there is dropout, also those of a second
    call, and how much.

    A model whose parts have other names than the weights gets numbers of its own, and `own_names` says so. When
    `strict`, one whose parts have these names must have these parameters too.
    """
    own_names = _parts(call(student, **arguments).state_dict()) != _parts(weights)
    model = fitted(student, arguments, weights, strict and not own_names).train(training)
    given = {} if src_mask is None else {"src_mask": src_mask}
    found = {"logits": call(model, src=src, tgt=tgt, **given)}
    if arguments.get("dropout"):
        found |= {"again": call(model, src=src, tgt=tgt, **given), "dropouts": dropouts(model)}
    if gradients:
        found["unreached"] = _unreached(model, found["logits"])
    return found | ({"own_names": own_names} if strict else {})


def shift_right(student, targets, bos):
    """targets [B, T] → shifted [B, T], whether these are whole numbers, and the targets after the call."""
    shifted = student(targets, bos)
    return {"shifted": shifted, "whole": not shifted.is_floating_point(), "targets": targets}


def sequence_loss(student, logits, targets, pad, gradient=False):
    """logits [B, T, V], targets [B, T] → loss; with `gradient`, also that of the logits."""
    logits.requires_grad_(gradient)
    loss = student(logits * 1, targets, pad)  # not a leaf, so that in-place operations are allowed
    if not gradient:
        return {"loss": loss}
    follows = isinstance(loss, torch.Tensor) and loss.requires_grad
    grad = torch.autograd.grad(loss.sum(), logits, allow_unused=True)[0] if follows else None
    return {"loss": loss, "gradient": torch.zeros_like(logits) if grad is None else grad}


def greedy_decode(student, src, bos, eos, max_len, weights, src_mask=None):
    """src [B, S] → tokens [B, max_len] (filled up with eos), and all but the last column of these; how many
    columns came back, and which rows hold an eos.
    """
    model = _Speaker(**weights, eos=eos)
    given = {} if src_mask is None else {"src_mask": src_mask}
    tokens = call(student, model=model, src=src, bos=bos, eos=eos, max_len=max_len, **given)  # [B, n]
    columns = tokens.shape[1]
    filled = torch.full((len(src), max(max_len, columns)), eos)
    filled[:, :columns] = tokens
    ended = (tokens == eos).any(dim=1)
    return {"tokens": filled, "beginning": filled[:, : max_len - 1], "columns": columns, "ended": ended}


def fitted(student, arguments, weights, strict):
    """`build`, for a self-attention with one fused projection or with three separate ones; else `furnish`."""
    try:
        return build(student, arguments, weights)
    except ParameterMismatch as mismatch:
        separate = _separate(weights, arguments["num_heads"])
        if shapes(separate) == mismatch.found:
            return build(student, arguments, separate)
        if strict:
            raise
    return furnish(student, arguments, weights)


def _separate(weights, num_heads):
    """The same weights, with those of `self_attn` under the names of a cross-attention."""
    found = {}
    for name, value in weights.items():
        if "self_attn.qkv_proj" in name:
            parts = value.unflatten(0, (num_heads, 3, -1)).unbind(1)
            for letter, part in zip("qkv", parts, strict=True):
                found[name.replace("qkv_proj", f"{letter}_proj")] = part.flatten(0, 1)
        else:
            found[name.replace("self_attn.o_proj", "self_attn.out_proj")] = value
    return found


def _parts(names):
    return {name.split(".")[0] for name in names}


def _influence(output, x):
    """How far row i of output [B, T, d] follows row j of x [B, T, d]."""
    ramp = torch.linspace(-1, 2, output.shape[-1], dtype=output.dtype)
    rows = []
    for place in range(output.shape[1]):
        follows = (output[:, place] * ramp).sum()
        grad = torch.autograd.grad(follows, x, retain_graph=True, allow_unused=True)[0]
        rows.append(torch.zeros_like(x) if grad is None else grad)
    grads = torch.stack(rows)  # [T, B, T, d]
    return {
        "influence": grads.abs().sum(dim=-1).amax(dim=1),
        "uniform_influence": grads.sum(dim=-1).abs().amax(dim=1),
    }


def _unreached(module, output):
    ramp = torch.linspace(-1, 2, output.numel(), dtype=output.dtype).reshape(output.shape)
    (output * ramp).sum().backward()
    return sum(parameter.grad is None for parameter in module.parameters())


def _four_axes(mask):
    return mask[(None,) * (4 - mask.ndim)] if mask.ndim != 3 else mask[:, None]


class _StandIn(nn.Module):
    """In the place of a decoder block: each token takes from the visible tokens before it and the visible memory."""

    def __init__(self, of_x, of_memory):
        super().__init__()
        self.of_x, self.of_memory = nn.Parameter(of_x), nn.Parameter(of_memory)

    def forward(self, x, memory, mask=None, memory_mask=None):
        visible = x.new_ones(x.shape[1], x.shape[1]).tril()  # [T, T]
        if mask is not None:
            visible = (_four_axes(mask) != 0).to(x.dtype).mean(dim=1) * visible  # [B, T, T]
        seen = memory.sum(dim=1, keepdim=True)  # [B, 1, d]
        if memory_mask is not None:
            seen = (_four_axes(memory_mask) != 0).to(x.dtype).mean(dim=1) @ memory  # [B, T or 1, d]
        return torch.tanh(x + visible @ x @ self.of_x + seen @ self.of_memory)


class _Speaker(nn.Module):
    """Says in row b a token that depends on all before it, on the visible source, and on the place.

    Any other token before, and any other visible source token, makes it say something else. It says eos when
    as many tokens as the first source token counts have been said, and at no other time.
    """

    def __init__(self, words, noise, eos):
        super().__init__()
        self.register_buffer("words", words)  # [P]: what is said in each of P states
        self.noise, self.eos = nn.Parameter(noise), eos  # [P, V]

    def forward(self, src, tokens, src_mask=None):
        heard = (src if src_mask is None else src * src_mask).sum(dim=1, keepdim=True)  # [B, 1]
        places = torch.arange(tokens.shape[1])  # [T]
        said = (tokens * (1 + places % 7)).cumsum(dim=1)  # [B, T]
        state = (heard + said + places) % len(self.words)
        logits = self.noise[state] + 2 * nn.functional.one_hot(self.words[state], self.noise.shape[1])  # [B, T, V]
        ends = torch.where(places == src[:, :1], 100.0, -100.0).to(logits.dtype)  # [B, T]
        return logits.index_copy(2, torch.tensor([self.eos]), ends[..., None])
