"""Writing with the cache against reading the whole text for each new character, in CPU seconds, one thread.

The checkpoint of stage 13 writes greedily, in turns with and without caches, and the medians count. Both must write the
same text, or the benchmark fails.
"""

import time
from statistics import median
from typing import NamedTuple

import torch
from torch import nn

from benchmarks.measure import entry
from course_lib.model.language_model import LanguageModel
from course_lib.tasks.checkpoint import load_pretrained
from course_lib.tasks.language import shakespeare_task
from course_lib.text.generating import generate

PROMPT = "ROMEO:\n"


class Size(NamedTuple):
    """How many characters to write, each a ratio, and rounds."""

    lengths: tuple[int, ...]
    rounds: int


FULL, TINY = Size((64, 256, 512), 5), Size((2,), 1)


class WithoutCache(nn.Module):
    """The same model, which reads the whole text in every step."""

    def __init__(self, model: nn.Module):
        super().__init__()
        self.model = model

    def step(self, new: torch.Tensor, text: torch.Tensor | None = None) -> tuple[torch.Tensor, torch.Tensor]:
        text = new if text is None else torch.cat([text, new], dim=1)  # [B, P + T]
        return self.model(text)[:, -1:], text


def run(size: Size = FULL) -> list[dict]:
    """Seconds for so many characters; at 256 the target is a third of the time."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        model = load_pretrained("shakespeare", LanguageModel).cpu()
        prompt = torch.tensor([shakespeare_task().tokens.encode(PROMPT)])
        return [of_length(model, prompt, length, size.rounds) for length in size.lengths]
    finally:
        torch.set_num_threads(before)


def of_length(model: nn.Module, prompt: torch.Tensor, length: int, rounds: int) -> dict:
    """One ratio; a ValueError where the two texts differ."""
    writers, texts = {"cached": model, "whole": WithoutCache(model)}, {}
    seconds = {name: [] for name in writers}
    for _ in range(rounds):
        for name, writer in writers.items():
            began = time.process_time()
            texts[name] = generate(writer, prompt, length, temperature=0)
            seconds[name].append(time.process_time() - began)
    if not torch.equal(texts["cached"], texts["whole"]):
        raise ValueError(f"with and without the cache the {length} characters differ")
    cached, whole = (median(seconds[name]) for name in writers)
    return entry(f"writing {length} characters, no cache", cached, whole, "s", 3.0 if length == 256 else None)
