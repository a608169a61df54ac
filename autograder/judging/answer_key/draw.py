"""Draw the hidden answer key of a stage on all cores, an exercise at a time.

Every known mistake is run on every case, so most stages take 10 to 30 s of computing. And none of it happens in this
process: JAX starts threads with its first array, and a process with threads must not fork, as grading does afterwards.
"""

import signal
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from autograder.catalogue import exercises_of, find
from autograder.catalogue.exercise import Exercise
from autograder.cores import cores
from autograder.die_with_parent import die_with_parent
from autograder.errors import CourseError
from autograder.judging.answer_key.fair import fair_answer_key_of


def drawn(stage: str, seed: int) -> dict:
    """The answer key of a stage for this seed; see `fair_answer_key_of`.

    Raises:
        CourseError: when the system has killed one of the processes.
    """
    exercises = exercises_of(stage)
    try:
        pool = ProcessPoolExecutor(min(cores(), len(exercises)), initializer=_begin)
    except OSError:  # without /dev/shm there are no semaphores, and grading doesn't fork either
        return fair_answer_key_of(exercises, seed)
    with pool:
        keys = {one.id: pool.submit(_key, one.id, seed) for one in sorted(exercises, key=_runs, reverse=True)}
        try:
            return {exercise.id: keys[exercise.id].result() for exercise in exercises}
        except BrokenProcessPool:
            why = "a process was killed, perhaps because memory ran out"
            raise CourseError(f"The hidden answers of {stage} could not be drawn: {why}.") from None


def _runs(exercise: Exercise) -> int:
    """How often it is run: who takes longest begins first."""
    return len(exercise.cases) * (len(exercise.mistakes) + len(exercise.variants))


def _begin() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends it at once; Python's own handler would print a traceback
    die_with_parent()


def _key(name: str, seed: int) -> dict:
    return fair_answer_key_of((find(name),), seed)[name]
