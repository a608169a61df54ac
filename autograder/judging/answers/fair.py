"""Numbers that are fair to everybody: with them, what is right has full marks, and what is wrong has not.

Numbers drawn at random are now and then unlucky: a mask that hides nothing, a layer all of whose units are off. Of the
seeds of courses one in forty cost the reference points. So a course's numbers are tried out before they count.
"""

from dataclasses import replace

from autograder.catalogue.exercise import Exercise
from autograder.judging.answers.compute import answers_of
from autograder.judging.judge import judge
from autograder.probes.run import collect

TRIES = 100


def fair_answers_of(exercises: tuple[Exercise, ...], seed: int) -> dict:
    """What `answers_of` gives for the seed; for an exercise to which it is unfair, for the next one that is fair.

    Raises:
        RuntimeError: when there is none among the next hundred: then it is the exercise that is wrong.
    """
    return {exercise.id: _fair_answers(exercise, seed) for exercise in exercises}


def is_fair(exercise: Exercise, answers: dict) -> bool:
    """The reference and every other right way have full marks; no known mistake has."""
    nameless = replace(exercise, mistakes=())  # what is wrong need not be recognised here
    right = (exercise.reference, *exercise.variants.values())
    return all(answers["loses"].values()) and all(
        judge(nameless, answers, collect(exercise.id, way, answers["cases"])).status == "right" for way in right
    )


def _fair_answers(exercise: Exercise, seed: int) -> dict:
    for attempt in range(TRIES):
        answers = answers_of((exercise,), seed + attempt)[exercise.id]
        if is_fair(exercise, answers):
            return answers
    raise RuntimeError(f"{exercise.id}: none of {TRIES} seeds is fair to its right answers and its known mistakes")
