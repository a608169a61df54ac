"""Two known mistakes in one answer: the reference under both edits, tried if no single one explains the results.

A pair is tried only if the answer key doesn't rule it out: where one of the two changes nothing, the submission must
give what the other gives. What is left to run is run case by case, within `SECONDS` for one card.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import torch

from autograder.catalogue.edits import KnownMistake
from autograder.catalogue.exercise import Exercise
from autograder.judging.agreement import agree
from autograder.judging.answer_key.solutions import solutions_of
from autograder.judging.answer_key.tries import Case, given
from autograder.judging.once import once_for_each

SECONDS = 0.3  # of CPU time, for all pairs of one card: a busy machine names what an idle one does


def two_mistakes(exercise: Exercise, answer_key: dict, actual: dict) -> tuple[KnownMistake, KnownMistake] | None:
    """Two known mistakes that together give what this submission gave, in every case; or None.

    Each of the two must show somewhere. Errors explain nothing: at least one case with numbers must be wrong. Pairs
    that are quick to try come first.
    """
    ends = time.thread_time() + SECONDS
    expected = {case: record for case, record in answer_key["expected"].items() if case in actual}
    wrong = [case for case in expected if not agree(actual[case], expected[case])]
    if not any("tensors" in actual[case] for case in wrong):
        return None
    cases = {name: Case(name, answer_key["cases"][name]) for name in expected}
    runs = answer_key["mistakes"]
    changes = _changes(runs, answer_key["expected"])
    effects = {m.name: _effect(runs[m.name], changes[m.name], expected, actual) for m in _editable(exercise)}
    possible = []
    for one, other in pairs_of(exercise):
        left = _left_to_run(effects[one.name], effects[other.name], wrong)
        if left is not None:
            size = sum(cases[name].size for name in left)
            possible.append((size, (one, other), sorted(left, key=lambda name: cases[name].size)))
    possible.sort(key=lambda entry: entry[0])
    reference = solutions_of(exercise.reference, ())[0]
    with torch.random.fork_rng(devices=[]):  # the page's own random numbers go on as if nothing had been tried
        for _, pair, to_run in possible:
            if time.thread_time() > ends:
                return None
            if all(agree(actual[name], given(exercise.id, reference, Both(*pair), cases[name])) for name in to_run):
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


class Effect(NamedTuple):
    """The cases in which a mistake changes something, and those in which it gives what the submission gave."""

    changes: frozenset[str]
    explains: frozenset[str]


@once_for_each
def _changes(mistakes: dict[str, dict], expected: dict) -> dict[str, frozenset[str]]:
    return {
        name: frozenset(case for case, right in expected.items() if not agree(run[case], right))
        for name, run in mistakes.items()
    }


def _effect(run: dict, changes: frozenset[str], expected: dict, actual: dict) -> Effect:
    return Effect(changes & expected.keys(), frozenset(case for case in expected if agree(actual[case], run[case])))


def _left_to_run(one: Effect, other: Effect, wrong: list[str]) -> frozenset[str] | None:
    """The cases in which both mistakes change something; None if the others rule the pair out."""
    if not one.changes.union(other.changes).issuperset(wrong):
        return None
    both, alone, beside = one.changes & other.changes, one.changes - other.changes, other.changes - one.changes
    if not (alone <= one.explains and beside <= other.explains and (both or (alone and beside))):
        return None
    return both


@dataclass(frozen=True)
class Both:
    """Two edits, one after the other; an `EditError` if both are of the same line."""

    one: KnownMistake
    other: KnownMistake

    def of(self, source: str) -> str:
        """The source under both."""
        return self.other.edited(self.one.edited(source))
