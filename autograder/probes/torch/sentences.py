"""Stage 11: classify sentences, hide words and guess them, and ask what was learned of people."""

from collections.abc import Mapping

import numpy as np
import torch
from torch import nn

from autograder.probes.calling import call, several
from autograder.probes.torch.modes import FAILS, NotesModes, after_an_error
from autograder.probes.torch.modules import fit, gradient_norms, hold
from autograder.probes.torch.stand_in import loss_on

CLASSIFY = "tokens mask add_positions"
MASKING = "tokens mask mask_id vocab_size num_special rate generator"
OTHER_SEED = 1009


def masked_mean(student, x, mask, gradient=False, axes=False):
    """x [B, T, D], mask [B, T] → mean [B, D]; with `gradient`, that of x; with `axes`, how many the mean has."""
    if axes:
        return {"axes": call(student, x=x, mask=mask).ndim}
    if not gradient:
        return {"mean": call(student, x=x, mask=mask)}
    x.requires_grad_(True)
    mean = call(student, x=x * 1, mask=mask)  # no leaf, as when a model made it
    ramp = torch.linspace(-1, 2, mean.numel(), dtype=mean.dtype).reshape(mean.shape)
    grad = torch.autograd.grad((mean * ramp).sum(), x, allow_unused=True)[0] if mean.requires_grad else None
    return {"gradient": torch.zeros_like(x) if grad is None else grad}


def SentenceClassifier(student, arguments, weights, ask="logits", training=False, **inputs):
    """tokens [B, T], perhaps mask [B, T] and add_positions → logits [B, C]; or what `ask` says.

    The number of "parameters" when they are those of the contract; what is "reached" by gradients; the logits
    "afterwards", when the model has seen a shorter batch before.
    """
    module = call(student, **arguments)
    weights = _with_positions(module, weights)
    if ask == "parameters":
        return {"number of parameters": sum(p.numel() for p in fit(module, weights).parameters())}
    module = hold(module, weights).train(training)
    torch.default_generator.manual_seed(1)
    if ask == "afterwards":
        call(module, CLASSIFY, tokens=inputs["tokens"][:, 1:].flip(0))
    logits = call(module, CLASSIFY, **inputs)
    if ask == "reached":
        return gradient_norms(module, logits, weights)
    return {"logits": logits}


ClsClassifier = SentenceClassifier


def _with_positions(module, weights):
    """The weights; the positions may be a LearnedPositions, an Embedding or a parameter: their rows fit all three."""
    name = "positions.table.weight"
    own = {key: value for key, value in module.named_parameters() if key.startswith("positions")}
    rows = weights[name]
    if len(own) == 1 and name not in own and next(iter(own.values())).numel() == rows.numel():
        key, value = own.popitem()
        weights = {key if known == name else known: tensor for known, tensor in weights.items()}
        weights[key] = rows.reshape(value.shape)
    return weights


def mask_tokens(student, tokens, mask, mask_id, vocab_size, num_special, rate, seed, ask="draw", draws=1):
    """tokens, mask [B, T] → inputs and targets [B, T]; or what `ask` says.

    To "compare": those of the first and the second call with one generator, of one with the same seed "again", and of
    one with an"other" seed. To "count", over many draws: how often each place was chosen, hidden and left
    as it was, [B, T], and how often each word came instead of another one, [V + 1], the last for what is beyond; and
    how often what was not chosen was touched, whether the number of the chosen varies in any row, and in all, and how
    much more the choice of the words, and what becomes of the chosen, varies among the tokens of a row, a column or an
    id of a draw than it would if each were drawn alone.
    """
    given = {"tokens": tokens, "mask": mask, "mask_id": mask_id, "vocab_size": vocab_size, "num_special": num_special}

    def draw(generator):
        own = given | {"tokens": tokens.clone()}  # an answer that writes into it spoils no other draw
        found = several(call(student, MASKING, **own, rate=rate, generator=generator), "inputs", "targets")
        return {name: found[name] for name in ("inputs", "targets")}

    generator = torch.Generator().manual_seed(seed)
    if ask == "draw":
        return draw(generator)
    if ask == "compare":
        found = {"first": draw(generator), "second": draw(generator)}
        torch.rand(7)  # what others draw meanwhile
        found["again"] = draw(torch.Generator().manual_seed(seed))
        found["other"] = draw(torch.Generator().manual_seed(seed + OTHER_SEED))
        return {f"{which}_{name}": value for which, drawn in found.items() for name, value in drawn.items()}
    counts = {name: torch.zeros(tokens.shape) for name in ("chosen", "hidden", "left_as_they_were")}
    counts |= {"words": np.zeros(vocab_size + 1), "touched": 0}
    per_row, fates = [], []
    for _ in range(draws):
        inputs, targets = draw(generator).values()
        chosen = targets != -100
        hidden, left = chosen & (inputs == mask_id), chosen & (inputs == tokens)
        for name, places in (("chosen", chosen), ("hidden", hidden), ("left_as_they_were", left)):
            counts[name] += places
        other = inputs[chosen & ~hidden & ~left].long().clamp(0, vocab_size)
        counts["words"] += np.bincount(other.numpy(), minlength=vocab_size + 1)
        counts["touched"] += int((~chosen & (inputs != tokens)).sum())
        per_row.append(chosen.sum(dim=1))
        fates.append(torch.stack([chosen, hidden, chosen & ~hidden, left & ~hidden]))
    chosen, hidden, shown, left = torch.stack(fates, dim=1).double()  # [draws, B, T] each
    words = ((mask != 0) & (tokens >= num_special)).double().expand_as(chosen)
    rows, columns = torch.meshgrid(*map(torch.arange, tokens.shape), indexing="ij")
    per_draw = torch.stack(per_row)  # [draws, B]

    def spread(*parts):
        found = [_spread(part, whole, groups) for part, whole in parts for groups in (rows, columns, tokens)]
        return torch.tensor(found, dtype=torch.float64)

    return counts | {
        "numbers_vary": bool((per_draw != per_draw[0]).any()),
        "total_varies": bool((per_draw.sum(dim=1) != per_draw[0].sum()).any()),
        "spread_of_choice": spread((chosen * words, words)),
        "spread": spread((hidden, chosen), (left, shown)),
    }


def _spread(part, whole, groups):
    """The variance of a part of the whole [draws, B, T] in each group, through that of independent draws: about 1."""
    members = nn.functional.one_hot(groups.flatten()).to(part)  # [B·T, number of groups]
    share = part.sum() / whole.sum().clamp(min=1)
    among, found = whole.flatten(1) @ members, part.flatten(1) @ members
    independent = (among * share * (1 - share)).sum()
    return float(((found - share * among) ** 2).sum() / independent) if independent > 1 else 1.0


def masked_lm_loss(student, weights, inputs, targets, mask, training=False):
    """inputs, targets, mask [B, T] → loss and accuracy; in `training`, also a gradient, and what is a tensor."""
    return loss_on(student, StandInForWords(weights), (inputs, targets, mask), training)


def candidate_odds(student, weights, tokens, position, first, second, mask_id, mode=None):
    """tokens [T] or [1, T] → odds, whether they are a plain number, and in which modes the model is left.

    With a `mode`, `was_training` or `had_gradients`, the model comes in training mode, but for one part, and instead of
    the odds it is told whether it was so when it was called; in "an error" it fails: see `after_an_error`.
    """
    model = StandInForWords(weights, fails=mode == "an error").train(mode is not None)
    model.frozen.eval()
    if mode == "an error":
        return after_an_error(student, model, tokens, position, first, second, mask_id)
    given = {"position": position, "first": first, "second": second, "mask_id": mask_id}
    odds = call(student, model=model, tokens=tokens, **given)
    left = {"mode": model.training, "frozen": model.frozen.training}
    return left | (model.noted(mode) if mode else {"odds": odds, "is_number": isinstance(odds, float)})


def amplification(student, corpus_share, predicted_share):
    """Two dicts, activity → share → the percentage `points` of each activity, in the order of corpus_share."""
    found = call(student, corpus_share=corpus_share, predicted_share=predicted_share)
    if not isinstance(found, Mapping):
        raise TypeError(f"expected a dict, activity → percentage points, got a {type(found).__name__}")
    points = [found[activity] for activity in corpus_share]
    if any(isinstance(value, str) for value in points):
        raise TypeError("expected percentage points as numbers, got strings")
    return {
        "points": torch.tensor([float(value) for value in points], dtype=torch.float64),
        "activities": len(found),
    }


class StandInForWords(NotesModes):
    """Instead of a `MaskedLanguageModel`: each place hears its own token, the mean of all visible ones, and its place.

    It notes in which modes it is called; one that `fails` raises an error.
    """

    def __init__(self, weights, fails=False):
        super().__init__()
        self.fails = fails
        self.own, self.others = nn.Parameter(weights["own"]), nn.Parameter(weights["others"])  # [V, V]
        self.places = nn.Parameter(weights["places"])  # [T, V]
        self.part, self.frozen = nn.Dropout(0.0), nn.Dropout(0.0)  # what drops is usually a part

    def forward(self, tokens, mask=None):
        if tokens.ndim != 2:
            raise ValueError(f"the model expects tokens [B, T], got {list(tokens.shape)}")
        self.note_modes()
        if self.fails:
            raise RuntimeError(FAILS)
        visible = torch.ones_like(tokens) if mask is None else mask
        visible = visible.to(self.own.dtype).unsqueeze(-1)  # [B, T, 1]
        heard = (visible * self.others[tokens]).sum(dim=1, keepdim=True) / visible.sum(dim=1, keepdim=True).clamp(min=1)
        return self.own[tokens] + heard + self.places[: tokens.shape[1]]  # [B, T, V]


def stand_in_weights(generator: torch.Generator, vocabulary: int, length: int) -> dict[str, torch.Tensor]:
    """Weights for a `StandInForWords`."""
    sizes = {"own": (vocabulary, vocabulary), "others": (vocabulary, vocabulary), "places": (length, vocabulary)}
    weights = {name: torch.randn(size, generator=generator) for name, size in sizes.items()}
    return weights | {"others": 4 * weights["others"]}  # whoever is heard is heard well
