"""Shakespeare in characters and in byte pairs: the same model and recipe, the same CPU seconds, in bits per character.

The byte pairs are those of stage 09 (`learn_bpe`, `apply_bpe`), learned from the training text. A vocabulary of pieces
sees more text in a block and pays for a larger table; losses per token cannot be compared, bits per character can.
"""

from statistics import mean
from typing import NamedTuple

from benchmarks.language_seconds import seconds_and_model, steps_within
from benchmarks.measure import entry
from course_lib.tasks.language import TextTask, shakespeare_task
from course_lib.text.text_tokens import BytePairs


class Size(NamedTuple):
    """CPU seconds of a training, steps that one is timed by, seeds, merges, characters of the text (None: all)."""

    seconds: float
    tried: int
    seeds: int
    merges: tuple[int, ...]
    characters: int | None


FULL, TINY = Size(60.0, 30, 2, (200, 1000), None), Size(0.1, 2, 1, (3,), 3_000)


def run(size: Size = FULL) -> list[dict]:
    """Bits per character with pieces, against characters."""
    characters = bits_per_character(shakespeare_task(characters=size.characters), size)
    return [
        entry(
            f"Shakespeare, bits per character, {merges} merges",
            bits_per_character(shakespeare_task(lambda text, n=merges: BytePairs(text, n), size.characters), size),
            characters,
            "bits",
            None,
        )
        for merges in size.merges
    ]


def bits_per_character(task: TextTask, size: Size) -> float:
    """The mean over the seeds, after so many CPU seconds of training."""
    found = []
    for seed in range(size.seeds):
        steps = steps_within(task, size.seconds, size.tried, seed)
        seconds, model = seconds_and_model(task, steps, seed)
        found.append(task.bits_per_character(task.loss(model)))
        print(
            f"  {len(task.tokens)} tokens, seed {seed}: {steps} steps in {seconds:.1f} CPU s, {found[-1]:.3f}",
            flush=True,
        )
    return mean(found)
