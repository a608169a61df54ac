"""Byte pairs of the Python documentation: the course's learner, in plain Python, against tokenizers, in Rust.

Both learn as many merges from the same words, in turns and in CPU seconds, and the medians count. The least ratio asked
for is 1/50: fifty times as long as the library.
"""

import time
from collections import Counter
from statistics import median

from benchmarks.measure import entry
from course_lib.text.byte_pairs import learn_bpe
from course_lib.text.documentation import documentation
from course_lib.text.library import library_bpe

ROUNDS = 5


def run() -> list[dict]:
    """Seconds for 500, 2,000 and 4,000 merges."""
    words = Counter(word for sentence in documentation() for word in sentence)
    return [of_merges(words, number) for number in (500, 2000, 4000)]


def of_merges(words: dict[str, int], number: int) -> dict:
    times = {learn_bpe: [], library_bpe: []}
    for _ in range(ROUNDS):
        for learn, taken in times.items():
            start = time.process_time()
            learn(words, number)
            taken.append(time.process_time() - start)
    ours, theirs = map(median, times.values())
    return entry(f"byte pairs: {number} merges against tokenizers", ours, theirs, "s", target=1 / 50)
