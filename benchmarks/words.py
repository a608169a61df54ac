"""Byte pairs of the Python documentation: the course's learner, in plain Python, against tokenizers, in Rust.

Both learn as many merges from the same words, in turns and in CPU seconds, and the medians count. The least ratio asked
for is 1/50: fifty times as long as the library.
"""

import time
from collections import Counter
from statistics import median
from typing import NamedTuple

from benchmarks.measure import entry
from course_lib.text.byte_pairs import learn_bpe
from course_lib.text.documentation import documentation
from course_lib.text.library import library_bpe


class Size(NamedTuple):
    """How many sentences to learn from (None: all), merges, and rounds."""

    sentences: int | None
    merges: tuple[int, ...]
    rounds: int


FULL, TINY = Size(None, (500, 2000, 4000), 5), Size(50, (5,), 1)


def run(size: Size = FULL) -> list[dict]:
    """Seconds for so many merges."""
    words = Counter(word for sentence in documentation()[: size.sentences] for word in sentence)
    return [of_merges(words, number, size.rounds) for number in size.merges]


def of_merges(words: dict[str, int], number: int, rounds: int) -> dict:
    times = {learn_bpe: [], library_bpe: []}
    for _ in range(rounds):
        for learn, taken in times.items():
            start = time.process_time()
            learn(words, number)
            taken.append(time.process_time() - start)
    ours, theirs = map(median, times.values())
    return entry(f"byte pairs: {number} merges against tokenizers", ours, theirs, "s", target=1 / 50)
