"""Two known mistakes in one answer: the reference under both edits, tried if no single one explains the results.

A pair is tried only if the answer key doesn't rule it out: where one of the two changes nothing, the submission must
give what the other gives. What is left to run is run case by case, within `SECONDS` for one card.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import torch

from autograder.catalogue.edits import KnownMistake
from autograder.catalogue.exercise import Exercise
from autograder.judging.agreement import agree
from autograder.judging.answer_key.solutions import solutions_of
from autograder.judging.answer_key.tries import Case, given

SECONDS = 0.3  # of CPU time, for all pairs of one card: a busy machine names what an idle one does


def two_mistakes(exercise: Exercise, answer_key: dict, actual: dict) -> tuple[KnownMistake, KnownMistake] | None:
    """The first pair of known mistakes that together give what this submission gave, in every case; or None.

    Each of the two must show somewhere. Errors explain nothing: at least one case with numbers must be wrong.
    """
    ends = time.thread_time() + SECONDS
    expected = {case: record for case, record in answer_key["expected"].items() if case in actual}
    wrong = [case for case in expected if not agree(actual[case], expected[case])]
    if not any("tensors" in actual[case] for case in wrong):
        return None
    known, reference = answer_key["mistakes"], solutions_of(exercise.reference, ())[0]
    cases = {name: Case(name, answer_key["cases"][name]) for name in expected}
    for pair in pairs_of(exercise):
        left = _left_to_run([known[mistake.name] for mistake in pair], expected, actual)
        if left is None:
            continue
        if time.thread_time() > ends:
            return None
        left.sort(key=lambda name: cases[name].size)
        with torch.random.fork_rng(devices=[]):  # the page's own random numbers go on as if nothing had been tried
            if all(agree(actual[name], given(exercise.id, reference, Both(*pair), cases[name])) for name in left):
                return pair
    return None


def pairs_of(exercise: Exercise) -> Iterator[tuple[KnownMistake, KnownMistake]]:
    """All pairs, except two with the same question: what the card says of one would be false next to the other."""
    for one, other in combinations(_editable(exercise), 2):
        if not one.asks or one.asks != other.asks:
            yield one, other


def _editable(exercise: Exercise) -> list[KnownMistake]:
    """Those that are edits of the reference itself."""
    return [m for m in exercise.mistakes if m.body is None and not m.calling and not m.shown_by]


def _left_to_run(runs: list[dict], expected: dict, actual: dict) -> list[str] | None:
    """The cases in which both mistakes change something; None if the others rule the pair out."""
    one, other = runs
    left, shown = [], [False, False]
    for case, right in expected.items():
        changes = [not agree(run[case], right) for run in runs]
        if all(changes):
            left.append(case)
        elif not agree(actual[case], one[case] if changes[0] else other[case]):
            return None
        else:
            shown = [before or here for before, here in zip(shown, changes, strict=True)]
    return left if left or all(shown) else None


@dataclass(frozen=True)
class Both:
    """Two edits, one after the other; an `EditError` if both are of the same line."""

    one: KnownMistake
    other: KnownMistake

    def of(self, source: str) -> str:
        """The source under both."""
        return self.other.edited(self.one.edited(source))
