"""Shakespeare in characters and in byte pairs: the same model and recipe, the same CPU seconds, in bits per character.

One training on each core. The byte pairs are those of stage 09 (`learn_bpe`, `apply_bpe`), learned from the training
text. A vocabulary of pieces sees more text in a block and pays for a larger table; losses per token cannot be compared,
bits per character can.
"""

from statistics import mean
from typing import NamedTuple

from benchmarks.language_seconds import seconds_and_model, steps_within
from benchmarks.measure import entry, side_by_side
from course_lib.tasks.language import shakespeare_task
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
    jobs = [(merges, seed, size) for merges in (0, *size.merges) for seed in range(size.seeds)]
    found = side_by_side(bits_per_character, jobs, size.seeds)
    characters, *pieces = (mean(found[n : n + size.seeds]) for n in range(0, len(found), size.seeds))
    return [
        entry(f"Shakespeare, bits per character, {merges} merges", bits, characters, "bits", None)
        for merges, bits in zip(size.merges, pieces, strict=True)
    ]


def bits_per_character(merges: int, seed: int, size: Size) -> float:
    """After so many CPU seconds of training; without merges every character is a token."""
    pieces = (lambda text: BytePairs(text, merges),) if merges else ()
    task = shakespeare_task(*pieces, characters=size.characters)
    steps = steps_within(task, size.seconds, size.tried, seed)
    seconds, model = seconds_and_model(task, steps, seed)
    bits = task.bits_per_character(task.loss(model))
    print(f"  {len(task.tokens)} tokens, seed {seed}: {steps} steps in {seconds:.1f} CPU s, {bits:.3f}", flush=True)
    return bits
