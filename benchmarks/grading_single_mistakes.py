"""What carrying errors forward costs a class, and what it gives: thirty students of stage 04, one mistake each.

Every student has one wrong answer of the catalogue, six of each exercise, and is right elsewhere. Each is graded
twice in the same worker, with errors carried forward and without.
"""

import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple
from unittest import mock

from autograder.catalogue import exercises_of
from autograder.catalogue.exercise import Exercise
from autograder.course.demo.run import submission
from autograder.course.demo.submissions import Handed
from autograder.grading.context import Context
from autograder.grading.submission import grade, sanitised
from autograder.judging.verdict import Verdict
from autograder.sandbox.session import Worker
from autograder.stripping.strip import solved_source
from benchmarks import synthetic_class
from benchmarks.measure import entry

STAGE = "04_encoder"
LIMIT = 0.8  # at most 1.25 times the time


class Size(NamedTuple):
    """How many mistakes of each exercise, and of how many exercises (None: of all)."""

    of_each: int
    exercises: int | None


FULL, TINY = Size(6, None), Size(1, 2)


def run(size: Size = FULL) -> list[dict]:
    """The time of the class with errors carried forward, beside that without."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        course = synthetic_class.new_course(Path(folder) / "course", STAGE)
        context, release = Context.of(course, STAGE), course.release(STAGE)
        exercises = exercises_of(STAGE)[: size.exercises]
        mistaken = [(e.id, source) for e in exercises for source in islice(single_mistakes(e), size.of_each)]
        class_ = [submission(Handed("somebody", 0, {name: source}), release, STAGE) for name, source in mistaken]
        with Worker(context.stripped_package, context.limits) as worker:
            graded_once(class_[0], context, worker)  # warm
            carried = [graded_once(data, context, worker) for data in class_]
            with FORGETTING:
                forgotten = [graded_once(data, context, worker) for data in class_]
    (ours, scores), (baseline, before) = (map(list, zip(*each, strict=True)) for each in (carried, forgotten))
    count, points = len(class_), sum(exercise.points for exercise in context.exercises)
    more = sum(now > then for now, then in zip(scores, before, strict=True))
    less = sum(now < then for now, then in zip(scores, before, strict=True))
    print(
        f"{count} single mistakes: {sum(before) / count:.2f} of {points:g} points on average without carrying errors",
        end="",
    )
    print(f" forward, {sum(scores) / count:.2f} with; {more} students have more, {less} less")
    return [entry(f"grading {count} single mistakes, errors carried forward", sum(ours), sum(baseline), "s", LIMIT)]


def forget(verdicts: dict[str, Verdict], *others: object) -> dict[str, Verdict]:
    """Stands for `carried_forward`: every verdict as it is, explained."""
    *_, explain = others
    return {name: explain(name, verdict) for name, verdict in verdicts.items()}


FORGETTING = mock.patch("autograder.grading.submission.carried_forward", forget)


def single_mistakes(exercise: Exercise) -> Iterator[str]:
    """The source of an answer, each time with another mistake in its own text."""
    own = solved_source(exercise.reference)
    for mistake in exercise.mistakes:
        if mistake.body is None and not mistake.calling:
            *_, source = mistake.source(exercise.reference).split("\n\n\n")  # without those it inherits from
            if source.strip() != own.strip():
                yield source


def graded_once(data: bytes, context: Context, worker: Worker) -> tuple[float, float]:
    """Seconds, and the score."""
    notebook, _, _ = sanitised(data, context)
    began = time.perf_counter()
    graded = grade(notebook, context, worker)
    return time.perf_counter() - began, sum(verdict.score for verdict in graded.verdicts)
