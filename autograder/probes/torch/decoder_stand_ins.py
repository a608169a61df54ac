"""Instead of what a student's decoder or decoding loop calls: simple modules that are known to work."""

import inspect

import torch
from torch import nn

from autograder.probes.torch.modes import NotesModes


def four_axes(mask):
    return mask[(None,) * (4 - mask.ndim)] if mask.ndim != 3 else mask[:, None]


class StandInBlock(nn.Module):
    """Instead of a decoder block: each token takes from the visible tokens before it and the visible memory.

    It is called as the `block` that it replaces: with the student's own names of the arguments.
    """

    def __init__(self, x_weight, memory_weight, block):
        super().__init__()
        self.x_weight, self.memory_weight = nn.Parameter(x_weight), nn.Parameter(memory_weight)
        self.signature = inspect.signature(block.forward)

    def forward(self, *arguments, **named):
        if not named.keys() <= {"x", "memory", "mask", "memory_mask"}:
            bound = self.signature.bind(*arguments, **named)
            bound.apply_defaults()
            arguments, named = [*bound.arguments.values()][:4], {}
        return self.mixed(*arguments, **named)

    def mixed(self, x, memory, mask=None, memory_mask=None):
        visible = x.new_ones(x.shape[1], x.shape[1]).tril()  # [T, T]
        if mask is not None:
            visible = (four_axes(mask) != 0).to(x.dtype).mean(dim=1) * visible  # [B, T, T]
        from_memory = memory.sum(dim=1, keepdim=True)  # [B, 1, d]
        if memory_mask is not None:
            from_memory = (four_axes(memory_mask) != 0).to(x.dtype).mean(dim=1) @ memory  # [B, T or 1, d]
        return torch.tanh(x + visible @ x @ self.x_weight + from_memory @ self.memory_weight)


class ScriptedModel(NotesModes):
    """The most likely token depends on all earlier tokens, on the visible source tokens, and on the position.

    A change to any earlier token or visible source token changes it. In a row whose first source token is n, eos is
    the most likely token after n tokens, and at no other position. It notes the modes in which it is called.
    """

    def __init__(self, words, noise, eos):
        super().__init__()
        self.register_buffer("words", words)  # [P]: what is said in each of P states
        self.noise, self.eos = nn.Parameter(noise), eos  # [P, V]
        self.part = nn.Identity()  # what drops is usually a part of a part

    def forward(self, src, tgt, src_mask=None):
        self.note_modes()
        source = (src if src_mask is None else src * src_mask).sum(dim=1, keepdim=True)  # [B, 1]
        places = torch.arange(tgt.shape[1])  # [T]
        said = (tgt * (1 + places % 7)).cumsum(dim=1)  # [B, T]
        state = (source + said + places) % len(self.words)
        logits = self.noise[state] + 2 * nn.functional.one_hot(self.words[state], self.noise.shape[1])  # [B, T, V]
        ends = torch.where(places == src[:, :1], 100.0, -100.0).to(logits.dtype)  # [B, T]
        return logits.index_copy(2, torch.tensor([self.eos]), ends[..., None])
