"""In the place of what a student's decoder or decoding loop calls: simple things that are known to work."""

import inspect

import torch
from torch import nn


def four_axes(mask):
    return mask[(None,) * (4 - mask.ndim)] if mask.ndim != 3 else mask[:, None]


class StandInBlock(nn.Module):
    """In the place of a decoder block: each token takes from the visible tokens before it and the visible memory.

    It is called as the `block` in whose place it stands: with the student's own names of the arguments.
    """

    def __init__(self, of_x, of_memory, block):
        super().__init__()
        self.of_x, self.of_memory = nn.Parameter(of_x), nn.Parameter(of_memory)
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
        seen = memory.sum(dim=1, keepdim=True)  # [B, 1, d]
        if memory_mask is not None:
            seen = (four_axes(memory_mask) != 0).to(x.dtype).mean(dim=1) @ memory  # [B, T or 1, d]
        return torch.tanh(x + visible @ x @ self.of_x + seen @ self.of_memory)


class ScriptedModel(nn.Module):
    """Says in row b a token that depends on all before it, on the visible source, and on the place.

    Any other token before, and any other visible source token, makes it say something else. It says eos when
    as many tokens as the first source token counts have been said, and at no other time.
    """

    def __init__(self, words, noise, eos):
        super().__init__()
        self.register_buffer("words", words)  # [P]: what is said in each of P states
        self.noise, self.eos = nn.Parameter(noise), eos  # [P, V]

    def forward(self, src, tgt, src_mask=None):
        heard = (src if src_mask is None else src * src_mask).sum(dim=1, keepdim=True)  # [B, 1]
        places = torch.arange(tgt.shape[1])  # [T]
        said = (tgt * (1 + places % 7)).cumsum(dim=1)  # [B, T]
        state = (heard + said + places) % len(self.words)
        logits = self.noise[state] + 2 * nn.functional.one_hot(self.words[state], self.noise.shape[1])  # [B, T, V]
        ends = torch.where(places == src[:, :1], 100.0, -100.0).to(logits.dtype)  # [B, T]
        return logits.index_copy(2, torch.tensor([self.eos]), ends[..., None])
