"""Stage 10: batches of pairs, a smoothed loss, the model that translates, beam search and BLEU."""

import torch
from torch import nn

from autograder.probes.calling import call, several
from autograder.probes.run import NotATensor
from autograder.probes.torch.modes import NotesModes
from autograder.probes.torch.modules import (
    ParameterMismatch,
    counterparts,
    differ,
    dropouts,
    gradient_norms,
    hold,
    shapes,
)

FORWARD, ENCODE, DECODE = "src tgt src_mask", "src src_mask", "memory tgt src_mask"
TABLES = "src_embedding.table", "tgt_embedding.table"
NOTHING = -1  # where a sentence of a beam has ended


def translation_batch(student, pairs, bos, eos, pad):
    """pairs of lists → src, tgt_in, tgt_out, src_mask, and how many of their columns are spare: padding in every row.

    Spare columns are cut off. Where nothing is predicted tgt_in may hold anything, and it is made padding.
    """
    lengths = [max(len(pair[side]) for pair in pairs) + 1 for side in (0, 1)]
    returned = call(student, pairs=pairs, bos=bos, eos=eos, pad=pad)
    found, spare = several(returned, "src", "tgt_in", "tgt_out", "src_mask"), 0
    for name, value in found.items():
        if isinstance(value, torch.Tensor) and value.ndim == 2 and len(value) == len(pairs):
            longest = lengths[name.startswith("tgt")]
            if name == "tgt_in":
                value = value.clone()
                for row, (_, target) in zip(value, pairs, strict=True):
                    row[len(target) + 1 : longest] = pad
            if (value[:, longest:] == (0 if name == "src_mask" else pad)).all():
                spare += max(value.shape[1] - longest, 0)
                found[name] = value[:, :longest]
    return found | {"spare": spare}


def smoothed_loss(student, logits, targets, pad, smoothing, gradient=False):
    """logits [B, T, V], targets [B, T] → loss; with `gradient`, whether it can be backpropagated, and what comes."""
    logits.requires_grad_(gradient)
    loss = call(student, logits=logits.clone(), targets=targets, pad=pad, smoothing=smoothing)  # no leaf, as in use
    if not gradient:
        return {"loss": loss}
    follows = isinstance(loss, torch.Tensor) and loss.requires_grad
    grad = torch.autograd.grad(loss.sum(), logits, allow_unused=True)[0] if follows else None
    return {"loss": loss, "follows": follows, "gradient": torch.zeros_like(logits) if grad is None else grad}


def TranslationModel(student, arguments, weights, src, tgt, src_mask=None, ask="answer"):
    """src [B, S], tgt [B, T] → logits [B, T, V]; or what `ask` says, see below."""
    module = call(student, **arguments)
    if ask == "parameters":
        return _parameters(module, weights)
    module = _holding(module, weights)
    torch.default_generator.manual_seed(1)
    masks = {} if src_mask is None else {"src_mask": src_mask}
    return ASK[ask](module, weights, src, tgt, masks)


def _parameters(module, weights):
    """How many tables of the target there are, how many numbers to learn besides second ones, and rows of padding.

    Names and shapes of all others are those of the contract, or it is a `ParameterMismatch`.
    """
    learned, known = _learned(module), counterparts(module, weights).values()
    held, table = {id(learned[name]) for name in known}, weights["tgt_embedding.table"].shape
    own = {name: value for name, value in learned.items() if name in known or id(value) not in held}
    second = [name for name, value in own.items() if name not in known and value.shape == table]
    found = {name: size for name, size in shapes(own).items() if name not in second}
    if found != shapes(weights):
        raise ParameterMismatch(shapes(weights), found)
    numbers = sum(parameter.numel() for parameter in module.parameters()) - len(second) * table.numel()
    rows = torch.stack([learned[name][0] for name in TABLES])
    return {"tables": 1 + len(second), "number of parameters": numbers, "of_padding": rows.detach()}


def _learned(module):
    """Every parameter under each of its names, in the order in which a state dict has them."""
    names = {name for name, _ in module.named_parameters(remove_duplicate=False)}
    return {name: value for name, value in module.state_dict(keep_vars=True).items() if name in names}


def _holding(module, weights):
    """The module with these weights; an output layer with a table of its own gets the numbers of the target's.

    What it costs is the second table.
    """
    table, known = weights["tgt_embedding.table"], counterparts(module, weights).values()
    second = {name: table for name, own in _learned(module).items() if name not in known and own.shape == table.shape}
    return hold(module, weights | second)


def _answer(module, weights, src, tgt, masks):
    return {"logits": call(module, FORWARD, src=src, tgt=tgt, **masks)}


def _halves(module, weights, src, tgt, masks):
    """The memory that `encode` gives, and what `decode` makes of it after other sources were encoded.

    With a mask also what it makes of it without (`unmasked`).
    """
    memory = call(module.encode, ENCODE, src=src, **masks)
    call(module.encode, ENCODE, src=src.flip(0), **{name: mask.flip(0) for name, mask in masks.items()})
    found = {"memory": memory, "logits": call(module.decode, DECODE, memory=memory, tgt=tgt, **masks)}
    return found | ({"unmasked": call(module.decode, DECODE, memory=memory, tgt=tgt)} if masks else {})


def _other_table(module, weights, src, tgt, masks):
    """The logits after the row of the last token, which no target holds, has become another one."""
    with torch.no_grad():
        module.tgt_embedding.table[-1] *= -2
    return _answer(module, weights, src, tgt, masks)


def _gradients(module, weights, src, tgt, masks):
    return gradient_norms(module, _answer(module, weights, src, tgt, masks)["logits"], weights)


def _evaluated(module, weights, src, tgt, masks):
    """Twice in eval mode, and how much the parts drop."""
    once, again = (_answer(module, weights, src, tgt, masks)["logits"] for _ in range(2))
    return {"logits": once, "again": again, "dropouts": dropouts(module)}


def _training(module, weights, src, tgt, masks):
    """Once in training mode: where everything or nothing is dropped, nothing is random."""
    return _answer(module.train(), weights, src, tgt, masks)


def _outside(module, weights, src, tgt, masks):
    """In training mode, where what is inside the stacks drops nothing."""
    for name, part in module.named_modules():
        if isinstance(part, nn.Dropout) and "." in name:
            part.p = 0.0
    return _training(module, weights, src, tgt, masks)


def _random(module, weights, src, tgt, masks):
    """Whether two calls in training mode differ."""
    once, again = (_training(module, weights, src, tgt, masks)["logits"] for _ in range(2))
    return {"random": differ(once, again)}


# What `ask` may be, besides "parameters".
ASK = {
    "answer": _answer,
    "halves": _halves,
    "other table": _other_table,
    "gradients": _gradients,
    "evaluated": _evaluated,
    "training": _training,
    "outside": _outside,
    "random": _random,
}


class ScriptedWalker(NotesModes):
    """A model whose logits follow from a walk: from state to state, along the tokens. It notes how it is called.

    The sum of the visible source says where the walk begins.
    """

    def __init__(self, logits, following):
        super().__init__()
        self.logits = nn.Parameter(logits)  # [N, V]
        self.register_buffer("following", following)  # [N, V]: the state after a token
        self.part, self.frozen = nn.Identity(), nn.Identity()  # what drops is usually a part of a part

    def forward(self, src, tgt, src_mask=None):
        self.note_modes()
        state = (src if src_mask is None else src * src_mask).sum(dim=1) % len(self.logits)  # [R]
        made = []
        for token in tgt.unbind(dim=1):
            state = self.following[state, token]
            made.append(self.logits[state])
        return torch.stack(made, dim=1)  # [R, T, V]


def beam_search(student, src, bos, eos, beam_size, max_len, weights, alpha=None, src_mask=None, plain=False, mode=None):
    """src [1, S] → of what comes back: tokens [beam_size, max_len] without bos and eos, filled up with −1, the best of
    them, scores [beam_size] filled up with 0, how many there are, whether all are pairs of a list of int and a float,
    and whether they came without bos and eos.

    When `plain` the model is a function. With a `mode`, `was_training` or `had_gradients`, it comes in training mode,
    but for one part, and all that is told is whether it was so when it was called.
    """
    module = ScriptedWalker(**weights).train(mode is not None)
    module.frozen.eval()

    def function(src, tgt, src_mask=None):
        return module(src, tgt, src_mask)

    given = {name: value for name, value in (("alpha", alpha), ("src_mask", src_mask)) if value is not None}
    given |= {"model": function if plain else module, "src": src, "bos": bos, "eos": eos}
    contract = "model src bos eos beam_size max_len alpha src_mask"
    arguments = given | {"beam_size": beam_size, "max_len": max_len}
    returned = call(student, contract, **{name: arguments[name] for name in contract.split() if name in arguments})
    if mode:
        return module.noted(mode)
    if not isinstance(returned, (list, tuple)):
        raise NotATensor(f"expected a list of pairs (tokens, score), got a {type(returned).__name__}")
    pairs = [([int(token) for token in tokens], float(score)) for tokens, score in returned]
    bare = [[*tokens[tokens[:1] == [bos] :]] for tokens, _ in pairs]
    bare = [tokens[: len(tokens) - (tokens[-1:] == [eos])] for tokens in bare]
    filled = torch.full((beam_size, max([max_len, *map(len, bare)])), NOTHING)
    scores = torch.zeros(beam_size, dtype=torch.float64)
    for row, (tokens, (_, score)) in enumerate([*zip(bare, pairs, strict=True)][:beam_size]):
        filled[row, : len(tokens)], scores[row] = torch.tensor(tokens, dtype=torch.long), score
    plainly = [
        isinstance(pair[0], list) and isinstance(pair[1], float) and all(type(token) is int for token in pair[0])
        for pair in returned
    ]
    return {
        "tokens": filled,
        "best": filled[scores[: max(len(pairs), 1)].argmax()],
        "scores": scores,
        "count": len(pairs),
        "plainly": all(plainly),
        "bare": bare == [tokens for tokens, _ in pairs],
    }


def bleu(student, hypotheses, references, max_n=None):
    """Lists of lists of tokens → score; a whole number, such as `return 0`, is a number."""
    given = {} if max_n is None else {"max_n": max_n}
    score = call(student, hypotheses=hypotheses, references=references, **given)
    return {"score": float(score) if isinstance(score, int) else score}
