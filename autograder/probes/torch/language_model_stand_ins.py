"""Instead of what a student's language model or its decoding loop calls: simple modules that are known to work."""

import torch
from torch import nn

from autograder.probes.torch.modes import FAILS, NotesModes


class StandInNorm(nn.Module):
    """Instead of the last norm; with a weight of another kind, so that it is seen where it acts."""

    def __init__(self, weight):
        super().__init__()
        self.weight = nn.Parameter(weight)  # [D]

    def forward(self, x):
        return torch.tanh(x) * self.weight


class StandInBlock(nn.Module):
    """Instead of a block: each token takes from the mean of all tokens so far, which its cache holds."""

    def __init__(self, weight):
        super().__init__()
        self.weight = nn.Parameter(weight)  # [D, D]

    def forward(self, x, cache=None):
        seen = x.unsqueeze(1)  # [B, 1, T, D], as a cache of one head
        past = 0
        if cache is not None:
            seen, past = torch.cat([cache[0], seen], dim=2), cache[0].shape[2]
        counts = torch.arange(1, seen.shape[2] + 1).unsqueeze(-1)  # [P + T, 1]
        means = (seen[:, 0].cumsum(dim=1) / counts)[:, past:]  # [B, T, D]
        return x + torch.sin((0.5 * x + means) @ self.weight), (seen, 2 * seen)


class CountingModel(NotesModes):
    """A language model whose next token depends on all tokens so far; it counts what it reads.

    Args:
        words, noise: [S] and [S, V], what is said in each of S states.
        ends: [B], after how many new tokens a row says `stop`; None: never.
        prompt: how long the prompt is.
        fails_after: raise an error at this call; None: never.
    """

    def __init__(self, words, noise, ends=None, stop=None, prompt=0, fails_after=None):
        super().__init__()
        self.register_buffer("words", words)
        self.noise, self.ends, self.stop, self.prompt, self.fails_after = (
            nn.Parameter(noise),
            ends,
            stop,
            prompt,
            fails_after,
        )
        self.part, self.frozen = nn.Identity(), nn.Sequential(nn.Identity())  # what drops is usually a part
        self.read = self.calls = 0

    def step(self, tokens, caches=None):
        self.note_modes()
        self.read, self.calls = self.read + tokens.shape[1], self.calls + 1
        if self.calls == self.fails_after:
            raise RuntimeError(FAILS)
        past = tokens[:, :0] if caches is None else caches[0][0][:, 0, :, 0].long()  # [B, P]
        seen = torch.cat([past, tokens], dim=1)  # [B, P + T]
        places = torch.arange(seen.shape[1])
        state = ((seen * (1 + places % 7)).cumsum(dim=1) + places) % len(self.words)
        logits = self.noise[state] + 2 * nn.functional.one_hot(self.words[state], self.noise.shape[1])  # [B, P + T, V]
        if self.ends is not None:
            now = places == self.prompt - 2 + self.ends.unsqueeze(-1)  # [B, P + T]
            logits = logits.index_copy(
                2, torch.tensor([self.stop]), torch.where(now, 100.0, -100.0).to(logits.dtype)[..., None]
            )
        held = seen[:, None, :, None].to(logits.dtype)  # [B, 1, P + T, 1]
        return logits[:, past.shape[1] :], [(held, held)]

    def forward(self, tokens):
        return self.step(tokens)[0]


class DrawingModel(nn.Module):
    """A language model that says one thing in every other row and another in the rest: these logits [2, V]."""

    def __init__(self, logits):
        super().__init__()
        self.logits = nn.Parameter(logits)

    def step(self, tokens, caches=None):
        kinds = torch.arange(len(tokens)) % 2  # [B]
        held = torch.zeros(len(tokens), 1, 1, 1)
        table = self.logits.unsqueeze(1).expand(-1, self.logits.shape[1], -1)  # as if each token had a row
        return table[kinds.unsqueeze(-1), tokens], [(held, held)]

    def forward(self, tokens):
        return self.step(tokens)[0]
