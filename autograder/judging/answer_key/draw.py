"""Draw the hidden answer key of a stage, in a process of its own where this one could not fork afterwards.

JAX starts threads with its first array. A process with threads must not fork, and grading processes are forks.
"""

import pickle
import subprocess
import sys

from autograder.catalogue import exercises_of
from autograder.judging.answer_key.fair import fair_answer_key_of
from autograder.stages import TRACKS, stage_named


def drawn(stage: str, seed: int) -> dict:
    """The answer key of a stage for this seed; see `fair_answer_key_of`."""
    if not TRACKS[stage_named(stage).track].threads:
        return fair_answer_key_of(exercises_of(stage), seed)
    # Other users see a command's arguments, so the secret seed is none. With -P, the current directory is not searched.
    command = [sys.executable, "-P", "-m", __name__, stage]
    run = subprocess.run(command, input=str(seed).encode(), stdout=subprocess.PIPE, check=True)
    return pickle.loads(run.stdout)


if __name__ == "__main__":
    key = fair_answer_key_of(exercises_of(sys.argv[1]), int(sys.stdin.read()))
    sys.stdout.buffer.write(pickle.dumps(key))
