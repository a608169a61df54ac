"""`make mutants`: every small change of every reference through the judge; which are refused, and which survive.

A survivor is listed with its reason in `survivors.toml`, or the command fails. So it does if an answer without
content (`tests/mutation/trivial.py`) earns more than a tenth of an exercise.
"""

import resource
import signal
import sys
import time
import tomllib
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path

import torch
from rich.console import Console
from rich.table import Table

from autograder.catalogue import exercises_of, find
from autograder.catalogue.edits import Rewrite
from autograder.judging.answer_key.compute import answer_key_of
from autograder.judging.judge import points_of
from autograder.probes.run import collect, probe_of, run_case
from autograder.stages import STAGES, stage_of
from autograder.stripping.strip import solved_source
from tests.mutation.operators import mutants
from tests.mutation.trivial import MEAN, MOST, shares_of_points

SEEDS = (20011, 20012)
SECONDS = 5  # of CPU for one mutant on all cases, or this many times the reference's: a loop may have lost its end
MEMORY = 6 << 30  # bytes of address space: a size may have become another
SURVIVORS = Path(__file__).parent / "survivors.toml"


class TooLong(BaseException):
    """A mutant that does not end: no error of its own, which a probe would catch and go on."""


@dataclass(frozen=True)
class Tried:
    """The mutants of one exercise: how many there are, and the changes that have full marks."""

    exercise: str
    count: int
    survivors: tuple[str, ...]
    trivial: dict[str, float]  # what each answer without content earns, as a share of the points


def tried(exercise_id: str) -> Tried:
    """Every mutant of an exercise's reference, judged under two seeds that are not the public one."""
    torch.set_num_threads(1)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    exercise = replace(find(exercise_id), mistakes=())
    answers = [answer_key_of((exercise,), seed)[exercise_id] for seed in SEEDS]
    began = time.process_time()
    collect(exercise_id, exercise.reference, answers[0]["cases"])
    limit = SECONDS * max(time.process_time() - began, 1)
    count, survivors = 0, []
    for mutant in mutants(solved_source(exercise.reference), stage_of(exercise_id).track):
        count += 1
        if all(_has_full_marks(exercise, known, mutant.source, limit) for known in answers):
            survivors.append(mutant.change)
    return Tried(exercise_id, count, tuple(survivors), shares_of_points(exercise, answers[0]))


def _has_full_marks(exercise, answers: dict, source: str, limit: float) -> bool:
    try:
        with _at_most(limit):
            implementation = _Changed(exercise.id, source).of(exercise.reference)
            actual = _collected(exercise.id, implementation, answers)
            return actual is not None and points_of(exercise, answers, actual).status == "right"
    except (Exception, TooLong):  # it does not even define a function, or does not end
        return False


def _collected(exercise_id: str, implementation, answers: dict) -> dict | None:
    """What the cases give; None from the first error on where the reference has none: the rest need not run."""
    probe, actual = probe_of(exercise_id), {}
    for name, case in answers["cases"].items():
        actual[name] = run_case(probe, implementation, case)
        if "error" in actual[name] and "error" not in answers["expected"][name]:
            return None
    return actual


class _Changed(Rewrite):
    """A rewrite that is whole already."""

    def __init__(self, name: str, source: str):
        super().__init__(name)
        object.__setattr__(self, "whole", source)

    def source(self, reference) -> str:
        return "\n\n\n".join([*super().source(reference).split("\n\n\n")[:-1], self.whole])


@contextmanager
def _at_most(seconds: float):
    """CPU seconds of this process: a machine with other work takes no mutant for one without an end."""

    def stop(*_):
        raise TooLong

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def listed() -> dict[str, dict[str, str]]:
    """Exercise → change → why no judge can, or need, refuse it."""
    entries = tomllib.loads(SURVIVORS.read_text("utf-8")) if SURVIVORS.exists() else {}
    return {
        exercise: {change: group["reason"] for group in groups for change in group["changes"]}
        for exercise, groups in entries.items()
    }


def main(names: list[str]) -> int:
    """Try the mutants of these exercises, or of all; 1 where a survivor is not listed, or a listed one is refused."""
    console, known, failed = Console(), listed(), False
    every = [exercise.id for stage in STAGES for exercise in exercises_of(stage.name)]
    table = Table("exercise", "mutants", "refused", "equal", "allowed", "not listed", "trivial answers earn")
    totals, worst = Counter(), {}
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        for result in pool.map(tried, names or every):
            reasons = known.get(result.exercise, {})
            new = [change for change in result.survivors if change not in reasons]
            stale = [change for change in reasons if change not in result.survivors]
            equal = sum(reasons.get(change, "").startswith("equal") for change in result.survivors)
            row = {
                "mutants": result.count,
                "refused": result.count - len(result.survivors),
                "equal": equal,
                "allowed": len(result.survivors) - len(new) - equal,
                "not listed": len(new),
            }
            totals.update(row)
            worst[result.exercise] = max(result.trivial.values())
            table.add_row(result.exercise, *map(str, row.values()), f"{worst[result.exercise]:.0%}")
            for change in new:
                console.print(f"{result.exercise}: survives: {change}", markup=False, highlight=False, soft_wrap=True)
            for change in stale:
                console.print(f"{result.exercise}: listed, and refused: {change}", markup=False, soft_wrap=True)
            paid = {name: share for name, share in result.trivial.items() if share > MOST}
            for name, share in paid.items():
                console.print(f"{result.exercise}: earns {share:.0%}: {name}", markup=False, soft_wrap=True)
            failed = failed or bool(new or stale or paid)
    mean = sum(worst.values()) / len(worst)
    table.add_row("all", *map(str, totals.values()), f"{mean:.1%} on average")
    failed = failed or mean > MEAN
    console.print(table)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
