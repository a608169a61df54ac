"""Two known mistakes in one answer: the reference under both edits, tried if no single one explains the results.

A pair is tried only if the answer key doesn't rule it out: where one of the two changes nothing, the submission must
give what the other gives. What is left to run is run case by case, within `SECONDS` for one card.
"""

import ast
import time
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from itertools import combinations

import torch

from autograder.catalogue.edits import EditError, KnownMistake, Rewrite
from autograder.catalogue.exercise import Exercise
from autograder.judging.agreement import agree
from autograder.probes.haste import in_haste
from autograder.probes.run import probe_of, run_case
from autograder.stripping.strip import solved_source

SECONDS = 0.3  # of CPU time, for all pairs of one card: a busy machine names what an idle one does


def two_mistakes(exercise: Exercise, answer_key: dict, actual: dict) -> tuple[KnownMistake, KnownMistake] | None:
    """The first pair of known mistakes that together give what this submission gave, in every case; or None.

    Each of the two must show somewhere. Errors explain nothing: at least one case with numbers must be wrong.
    """
    ends = time.thread_time() + SECONDS
    expected = {case: record for case, record in answer_key["expected"].items() if case in actual}
    wrong = [case for case in expected if not agree(actual[case], expected[case])]
    if not any("tensors" in actual[case] for case in wrong) or not surely_ends(exercise.reference):
        return None
    known = answer_key["mistakes"]
    for pair in pairs_of(exercise):
        left = _left_to_run([known[mistake.name] for mistake in pair], expected, actual)
        if left is None:
            continue
        if time.thread_time() > ends:
            return None
        with (
            in_haste(),
            torch.random.fork_rng(devices=[]),
        ):  # the page's own random numbers go on as if nothing had been tried
            runs = _runs(exercise, pair, answer_key["cases"], left)
            if all(agree(actual[case], record) for case, record in runs):
                return pair
    return None


@cache
def surely_ends(reference: Callable) -> bool:
    """Whether the reference has no loop that two edits could turn into an endless one."""
    loops = (part.test for part in ast.walk(ast.parse(solved_source(reference))) if isinstance(part, ast.While))
    return next(loops, None) is None


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


def _runs(
    exercise: Exercise, pair: tuple[KnownMistake, KnownMistake], cases: dict, names: list[str]
) -> Iterator[tuple[str, dict]]:
    """What the reference under both edits gives in these cases, the smallest first; an error where they don't fit."""
    made = _both(exercise.reference, *pair) if names else None
    for name in sorted(names, key=lambda name: sum(x.size for x in cases[name]["tensors"].values())):
        yield name, run_case(probe_of(exercise.id), made, cases[name]) if made else {"error": {"type": "EditError"}}


@lru_cache(maxsize=4096)
def _both(reference: Callable, one: KnownMistake, other: KnownMistake) -> Callable | None:
    try:
        return Both(f"{one.name}; {other.name}", one, other).of(reference)
    except (EditError, SyntaxError):  # both edit the same line
        return None


class Both(Rewrite):
    """Two edits, one after the other."""

    parts: tuple[KnownMistake, KnownMistake]

    def __init__(self, name: str, one: KnownMistake, other: KnownMistake):
        super().__init__(name)
        object.__setattr__(self, "parts", (one, other))

    def source(self, reference: Callable) -> str:
        source = super().source(reference)
        for part in self.parts:
            source = part.edited(source)
        return source
