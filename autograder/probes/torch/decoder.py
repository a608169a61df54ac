"""Stage 05: the decoder, the whole model, and what turns logits into a loss or a text."""

import torch

from autograder.probes.calling import call
from autograder.probes.run import NotATensor
from autograder.probes.torch.decoder_questions import (
    gradients_back,
    influences,
    left_of_embeddings,
    noting_lookups,
    unlearned,
    unreached,
)
from autograder.probes.torch.decoder_stand_ins import ScriptedModel, StandInBlock
from autograder.probes.torch.decoder_weights import with_weights
from autograder.probes.torch.modules import differ, dropouts, left_by_dropout

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
    fewer=None,
    ones=False,
):
    """x [B, T, d], memory [B, S, d] → output [B, T, d]; with dropout, also that of a second call, and how much.

    What is dropped at random, in training, is not compared: only whether the two calls differ.

    When `strict`, the parameters must be those of the contract; otherwise other ones get numbers of their own.

    With `influence`, how far output i moves with input j, [T, T]: along some direction, and along the one in
    which all features grow alike. With `gradients`, how many parameters get none, and those of x and of the memory.
    With `fewer`, also what the same block gives when it is called again, with as many tokens. With `ones`, what
    dropout leaves of it, without its norms.
    """
    block = with_weights(call(student, **arguments), arguments, weights, strict).train(training)
    torch.default_generator.manual_seed(1)
    if ones:
        norms = ("norm1", "norm2", "norm3")
        return left_by_dropout(block, norms, lambda block: call(block, BLOCK, x=x.clone(), memory=memory.clone()))
    x.requires_grad_(gradients), memory.requires_grad_(gradients)
    given = _given(mask=mask, memory_mask=memory_mask)
    output = call(block, BLOCK, x=x.clone(), memory=memory.clone(), **given)  # no leaves, as in a stack
    found = {"output": output}
    if fewer is not None:
        found["fewer"] = call(block, BLOCK, x=x[:, :fewer], memory=memory)
    if influence:
        found |= influences(lambda moved: call(block, BLOCK, x=moved, memory=memory.clone(), **given), output, x)
    if gradients:
        found |= gradients_back(block, output, x, memory)
    if arguments.get("dropout"):
        found |= {"again": call(block, BLOCK, x=x, memory=memory, **given), "dropouts": dropouts(block)}
    return _whether_calls_differ(found, "output") if training and 0 < arguments.get("dropout", 0) < 1 else found


def TransformerDecoder(
    student,
    arguments,
    x,
    memory,
    weights=None,
    mixing=None,
    mask=None,
    memory_mask=None,
    training=False,
    gradients=False,
):
    """x [B, T, d], memory [B, S, d] → output [B, T, d].

    With `mixing` the blocks are replaced by stand-ins with these weights, so that only what the decoder does
    with its blocks is seen; with `gradients`, also those of x and of the memory. With `weights` they are the
    student's own: also how many numbers there are to learn, whether the blocks are kept as `layers`, and, where there
    is dropout, a second output and how much.
    """
    if mixing is not None:
        masks = _given(mask=mask, memory_mask=memory_mask)
        return _with_stand_ins(student, arguments, mixing, x, memory, masks, gradients)
    decoder = call(student, **arguments)
    named = hasattr(decoder, "layers")
    decoder = with_weights(decoder, arguments, weights, strict=False).train(training)
    torch.default_generator.manual_seed(1)
    found = {"output": call(decoder, BLOCK, x=x, memory=memory)}
    found |= {"learned": sum(parameter.numel() for parameter in decoder.parameters())}
    found |= {"named": named}
    if arguments.get("dropout"):
        found |= {"again": call(decoder, BLOCK, x=x, memory=memory), "dropouts": dropouts(decoder)}
    return _whether_calls_differ(found, "output") if training and 0 < arguments["dropout"] < 1 else found


def _with_stand_ins(student, arguments, mixing, x, memory, masks, gradients):
    """The output of a decoder whose blocks are replaced by stand-ins with these weights, or the gradients."""
    decoder = call(student, **arguments)
    lists = (part for part in decoder.children() if isinstance(part, torch.nn.ModuleList))
    layers = decoder.layers if hasattr(decoder, "layers") else next(lists, decoder)  # a name costs its one criterion
    for i, (x_weight, memory_weight) in enumerate(zip(mixing["x"], mixing["memory"], strict=True)):
        layers[i] = StandInBlock(x_weight, memory_weight, layers[i])
    x.requires_grad_(gradients), memory.requires_grad_(gradients)
    output = call(decoder.eval(), BLOCK, x=x.clone(), memory=memory.clone(), **masks)
    return gradients_back(layers, output, x, memory) if gradients else {"output": output}


def Seq2SeqTransformer(
    student,
    arguments,
    weights,
    src,
    tgt,
    src_mask=None,
    training=False,
    strict=False,
    gradients=False,
    only=None,
    bare=False,
):
    """src [B, T_src], tgt [B, T_tgt] → logits [B, T_tgt, V]; where there is dropout, also those of a second
    call, and how much.

    A model whose parts have other names than the weights gets other numbers, and `own_names` says so. If `strict`, a
    model whose parts have these names must have these parameters too. Where numbers are dropped at random, also what is
    left of the embeddings. With `gradients`, how many parameters get none, and how many tokens that were read are never
    learned. With `only`, there is no dropout inside the stacks, so only the rest shows. A model that fails without a
    mask is given one that hides nothing, unless `bare`.
    """

    def logits():
        try:
            return call(model, "src tgt src_mask", src=src, tgt=tgt, **given)
        except Exception:
            if bare or given:
                raise
            return call(model, "src tgt src_mask", src=src, tgt=tgt, src_mask=torch.ones_like(src, dtype=torch.bool))

    model = call(student, **arguments)
    own_names = not _parts(weights) <= _parts(dict(model.named_parameters(remove_duplicate=False)))
    model = with_weights(model, arguments, weights, strict and not own_names).train(training)
    given = _given(src_mask=src_mask)
    for name, part in model.named_modules():
        if only and isinstance(part, torch.nn.Dropout) and "." in name:
            part.p = 0.0
    lookups = noting_lookups(model) if gradients else []
    torch.default_generator.manual_seed(1)
    found = {"logits": logits()}
    found["learned"] = sum(parameter.numel() for parameter in model.parameters())
    if arguments.get("dropout"):
        found |= {"again": logits(), "dropouts": dropouts(model)}
    if gradients:
        found["unreached"] = unreached(model, found["logits"])
        found |= {"unlearned_source": unlearned(lookups, src), "unlearned_target": unlearned(lookups, tgt)}
    if training and 0 < arguments.get("dropout", 0) < 1:
        return _whether_calls_differ(found, "logits") | {"left": left_of_embeddings(model, logits)}
    return found | ({"own_names": own_names} if strict else {})


def shift_right(student, targets, bos):
    """targets [B, T] → shifted [B, T], and its first column and the others apart."""
    shifted = _tensor(call(student, targets=targets, bos=bos), "shifted", 2)
    return {"shifted": shifted, "first": shifted[:, :1], "others": shifted[:, 1:]}


def sequence_loss(student, logits, targets, pad, gradient=False):
    """logits [B, T, V], targets [B, T] → loss; with `gradient`, that of the logits."""
    logits.requires_grad_(gradient)
    loss = call(student, logits=logits.clone(), targets=targets, pad=pad)  # no leaf, as when a model made them
    if not gradient:
        return {"loss": loss}
    follows = isinstance(loss, torch.Tensor) and loss.requires_grad
    grad = torch.autograd.grad(loss.sum(), logits, allow_unused=True)[0] if follows else None
    return {"loss": loss, "gradient": torch.zeros_like(logits) if grad is None else grad}


def greedy_decode(student, src, bos, eos, max_len, weights, src_mask=None, plain=False, mode=None):
    """src [B, S] → tokens [B, max_len] (filled up with eos), and all but the last column of these; how many
    columns came back, and which rows hold an eos.

    When `plain` the model is a function. With a `mode`, `was_training` or `had_gradients`, it comes in training mode,
    and all that is told is whether it was so when it was called.
    """
    module = ScriptedModel(**weights, eos=eos).train(mode is not None)

    def function(src, tokens, src_mask=None):
        return module(src, tokens, src_mask)

    model, given = function if plain else module, _given(src_mask=src_mask)
    tokens = call(student, model=model, src=src, bos=bos, eos=eos, max_len=max_len, **given)  # [B, n]
    if mode:
        return module.noted(mode)
    if len(_tensor(tokens, "tokens", 2)) != len(src):
        raise ValueError(
            f"tokens has shape {list(tokens.shape)}, but there are {len(src)} sources; expected one row per source"
        )
    columns = tokens.shape[1]
    filled = torch.full((len(src), max(max_len, columns)), eos, dtype=tokens.dtype)
    filled[:, :columns] = tokens
    ended = (tokens == eos).any(dim=1)
    return {"tokens": filled, "beginning": filled[:, : max_len - 1], "columns": columns, "ended": ended}


def _given(**masks):
    """Those that are not None, so that a default is left to the student's own."""
    return {name: mask for name, mask in masks.items() if mask is not None}


def _tensor(value, name, axes):
    """A tensor with that many axes, or an error that describes the value."""
    if not isinstance(value, torch.Tensor):
        raise NotATensor(f"{name} is {'None' if value is None else f'a {type(value).__name__}'}, not a tensor")
    if value.ndim != axes:
        raise ValueError(f"{name} has shape {list(value.shape)}, expected {axes} axes")
    return value


def _whether_calls_differ(found, name):
    """Where numbers are dropped at random: whether the two calls differ, and what else there is."""
    return {"random": differ(found.pop(name), found.pop("again"))} | found


def _parts(names):
    return {name.split(".")[0] for name in names}
