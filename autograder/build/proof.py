"""What a catalogue must show before the build writes its answers: under two seeds, right answers have full marks, and
known mistakes lose the same criteria and are named.

Numbers can be lucky under one seed. Trying every known mistake under a second one takes minutes, and gives the same as
long as nothing has changed that it depends on, so it is done by the build, with the answers themselves.
"""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from autograder.catalogue.exercise import Exercise
from autograder.errors import CourseError
from autograder.judging.answer_key import PUBLIC_SEED
from autograder.judging.answer_key.compute import answer_key_and_runs
from autograder.judging.judge import judge
from autograder.probes.run import collect

SECOND_SEED = 20011


class CatalogueFault(CourseError):
    """An exercise doesn't tell its right answers and its known mistakes apart; the message names each of these."""

    exit_code = 1


def proved(exercise: Exercise) -> dict:
    """The public answer key of an exercise, which holds what it promises.

    Raises:
        CatalogueFault: it does not.
    """
    known, runs = answer_key_and_runs(exercise, PUBLIC_SEED)
    second = answer_key_and_runs(exercise, SECOND_SEED)
    faults = dict.fromkeys([*faults_of(exercise, known, runs), *faults_of(exercise, *second), *moved(known, second[0])])
    if faults:
        raise CatalogueFault("\n".join(f"{exercise.id}: {fault}" for fault in faults))
    return known


def faults_of(exercise: Exercise, known: dict, runs: dict) -> Iterator[str]:
    """What an answer key doesn't show of an exercise, a sentence each; `runs` is what each mistake gave."""
    for name, way in {"the reference": exercise.reference, **exercise.variants}.items():
        verdict = judge(exercise, known, collect(exercise.id, way, known["cases"]))
        if verdict.status != "right":
            yield f"“{name}” is right and doesn't have full marks: {verdict.message}"
    for mistake in exercise.mistakes:
        verdict = judge(exercise, known, runs[mistake.name])
        if not known["loses"][mistake.name]:
            yield f"“{mistake.name}” loses nothing."
        elif verdict.known_mistake not in {row.name for row in exercise.mistakes if row.says == mistake.says}:
            yield f"“{mistake.name}” isn't named; the judge says “{verdict.known_mistake or verdict.message}”."
    lost = {criterion for loses in known["loses"].values() for criterion in loses}
    for criterion in exercise.criteria:
        if criterion.name not in lost:
            yield f"no known mistake loses “{criterion.name}”."


def moved(known: dict, second: dict) -> Iterator[str]:
    """Which mistakes lose other criteria under the second seed, a sentence each."""
    for name, loses in known["loses"].items():
        if second["loses"][name] != loses:
            one, other = (" and ".join(lost) or "nothing" for lost in (loses, second["loses"][name]))
            yield f"“{name}” loses {one} under one seed and {other} under another."


def digest() -> str:
    """Of this file: answers are proved again if what is asked of them has changed."""
    return sha256(Path(__file__).read_bytes()).hexdigest()
