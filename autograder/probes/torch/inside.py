"""Stage 14: what heads look at, what becomes of a model without one, and what it would say earlier."""

import torch
from torch import nn

from autograder.probes.calling import call
from autograder.probes.torch.language_model_stand_ins import StandInNorm
from autograder.probes.torch.modes import FAILS, NotesModes, after_an_error

ABLATED, PATCHED = "model tokens mask how", "model clean corrupt answer wrong"


def previous_token_score(student, attention):
    """attention [B, h, T, T] → scores [h]."""
    return {"scores": call(student, attention=attention)}


def induction_score(student, attention, tokens):
    """attention [B, h, T, T], tokens [B, T] → scores [h]."""
    return {"scores": call(student, attention=attention, tokens=tokens)}


def ablation_losses(student, weights, tokens, ask="rises", **given):
    """tokens [B, T], perhaps mask [B, T] and how → rises [L, h]; or how the model was asked, and left."""
    return _asked(student, StandInHeads(weights), ask, "rises", ABLATED, tokens=tokens, **given)


def patch_heads(student, weights, ask="restored", **given):
    """clean, corrupt [B, T], answer, wrong [B] → restored [L, h]; or how the model was asked, and left."""
    return _asked(student, StandInHeads(weights), ask, "restored", PATCHED, **given)


def _asked(student, model, ask, output, contract, **given):
    """The output; in the mode "modes" how the model was asked; in "an error" whether its mode came back."""
    model.train(ask in ("modes", "an error")).frozen.eval()
    if ask == "an error":
        model.fails_after = 3
        return after_an_error(student, model, *(given[name] for name in contract.split() if name in given))
    found = call(student, contract, model=model, **given)
    if ask == "modes":
        return vars(model.notes) | {"mode": model.training, "frozen": model.frozen.training}
    return {output: found, "mode": model.training}


def logit_lens(student, states, table, tokens, norm=None):
    """states [N, B, T, D], table [V, D], tokens [B, T] → what the lens reads; `norm` [D] is for a stand-in."""
    through = nn.Identity() if norm is None else StandInNorm(norm)
    given = {"states": states, "norm": through, "table": table, "tokens": tokens}
    return {"read": call(student, **given)}


class StandInHeads(NotesModes):
    """A model whose heads can be looked at and changed: each takes a mean of all tokens so far.

    Head i of each layer prefers recent tokens the more, the larger i is. What the heads say is off centre, so that 0
    and the mean are not the same to replace it with.

    Args:
        weights: table [V, D], read [L, h, D, d], write [L, h, d, D], out [D, V].
    """

    def __init__(self, weights):
        super().__init__()
        self.weights = nn.ParameterDict({name: nn.Parameter(value) for name, value in weights.items()})
        self.part, self.frozen = nn.Dropout(0.0), nn.Dropout(0.0)  # what drops is usually a part
        self.calls, self.fails_after = 0, None

    def look(self, tokens, edit=None):
        self.note_modes()
        self.calls += 1
        if self.calls == self.fails_after:
            raise RuntimeError(FAILS)
        x = self.weights["table"][tokens]  # [B, T, D]
        places, heads = torch.arange(tokens.shape[1]), self.weights["read"].shape[1]
        distance = (places.unsqueeze(-1) - places).to(x.dtype)  # [T, T]
        preference = torch.arange(heads).view(-1, 1, 1) * 0.4 * distance  # [h, T, T]
        weights = (-preference).masked_fill(distance < 0, -torch.inf).softmax(dim=-1).expand(len(tokens), -1, -1, -1)
        attention, states = [], [x]
        for layer, (read, write) in enumerate(zip(self.weights["read"], self.weights["write"], strict=True)):
            values = weights @ torch.sin(torch.einsum("btd,hdw->bhtw", x, read) + 0.7)  # [B, h, T, d]
            values = values if edit is None else edit(layer, values)
            x = x + torch.tanh(torch.einsum("bhtw,hwd->btd", values, write))
            attention.append(weights), states.append(x)
        return x @ self.weights["out"], torch.stack(attention), torch.stack(states)

    def forward(self, tokens, edit=None):
        return self.look(tokens, edit)[0]  # [B, T, V]
