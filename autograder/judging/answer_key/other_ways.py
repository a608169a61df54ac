"""A known mistake in another right solution: one that gives something else where the page leaves it free.

What a query gets that sees no key, for instance, is free, so a submission that hands out zeros there and makes a known
mistake besides gives neither what the reference gives nor what the reference gives under that mistake.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass

import torch

from autograder.catalogue.edits import KnownMistake
from autograder.catalogue.exercise import Exercise
from autograder.judging.agreement import agree, differs
from autograder.judging.answer_key.solutions import solutions_of
from autograder.judging.answer_key.tries import Case, given

SECONDS = 0.2  # of CPU time, for one card: a busy machine names what an idle one does


@dataclass(frozen=True)
class Row:
    """A row of known mistakes as an edit of any solution that its edits fit."""

    mistake: KnownMistake | None = None

    def of(self, source: str) -> str:
        return self.mistake.edited(source) if self.mistake else source


def mistake_in_another_way(exercise: Exercise, answer_key: dict, actual: dict) -> KnownMistake | None:
    """The first known mistake under which a right variant gives what this submission gave, in every case; or None.

    It must show where the variants agree: elsewhere anything may come back.
    """
    expected = {case: record for case, record in answer_key["expected"].items() if case in actual}
    wrong = [case for case in expected if not agree(actual[case], expected[case])]
    if not any("tensors" in actual[case] for case in wrong):
        return None
    cases = {name: Case(name, answer_key["cases"][name]) for name in expected}
    ends = time.thread_time() + SECONDS
    with torch.random.fork_rng(devices=[]):  # the page's own random numbers go on as if nothing had been tried
        for solution in solutions_of(exercise.reference, exercise.right_variants)[1:]:
            free = []
            for name in wrong:
                if time.thread_time() > ends:
                    return None
                if not agree(given(exercise.id, solution, Row(), cases[name]), expected[name]):
                    free.append(name)
            for mistake in _possible(exercise, answer_key["mistakes"], expected, actual, free):
                if all(agree(actual[n], given(exercise.id, solution, Row(mistake), cases[n])) for n in free):
                    return mistake
    return None


def _possible(exercise: Exercise, known: dict, expected: dict, actual: dict, free: list) -> Iterator[KnownMistake]:
    """The mistakes that explain every case but the free ones, if there are any; those that are edits of a source."""
    rest = [case for case in expected if case not in free]
    for mistake in exercise.mistakes if free else ():
        theirs = known[mistake.name]
        shows = any(differs(theirs[case], expected[case]) for case in rest)
        is_edit = mistake.body is None and not mistake.calling
        if is_edit and shows and all(agree(actual[case], theirs[case]) for case in rest):
            yield mistake
