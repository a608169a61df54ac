"""Fair numbers: on them every right answer gets full marks, and no known mistake does.

Numbers drawn at random are now and then unlucky: a mask that hides nothing, a layer all of whose units are off. Of the
seeds of courses one in forty cost the reference points. So a course's numbers are tried out before they count.
"""

from autograder.catalogue.exercise import Exercise
from autograder.judging.answer_key.compute import answer_key_of
from autograder.judging.judge import points_of
from autograder.probes.run import collect

TRIES = 100


def fair_answer_key_of(exercises: tuple[Exercise, ...], seed: int) -> dict:
    """The answer key for the seed; an exercise for which the seed is unfair gets the next seed that is fair.

    Raises:
        RuntimeError: when there is none among the next hundred: then the exercise is at fault.
    """
    return {exercise.id: _fair_answer_key(exercise, seed) for exercise in exercises}


def is_fair(exercise: Exercise, answer_key: dict) -> bool:
    """The reference and every other right way have full marks; no known mistake has."""
    right = (exercise.reference, *exercise.variants.values())
    return all(answer_key["loses"].values()) and all(
        points_of(exercise, answer_key, collect(exercise.id, way, answer_key["cases"])).status == "right"
        for way in right
    )


def _fair_answer_key(exercise: Exercise, seed: int) -> dict:
    for attempt in range(TRIES):
        answer_key = answer_key_of((exercise,), seed + attempt)[exercise.id]
        if is_fair(exercise, answer_key):
            return answer_key
    raise RuntimeError(f"{exercise.id}: none of {TRIES} seeds tells its right answers and known mistakes apart")
