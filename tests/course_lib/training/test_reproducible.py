"""One seed, one machine, one number of threads, one torch: one set of weights, to the last bit."""

import os
import subprocess
import sys

import pytest

TASKS = ("reverse", "digits", "captions", "wide")
WEIGHTS = """
import hashlib
from dataclasses import replace

import torch

from course_lib.tasks.cifar import features_task
from course_lib.tasks.digits import Images, Split
from course_lib.tasks.task import digits_task, reverse_task, train
from course_lib.tasks.translation import caption_task


def wide_task():
    '''Over a million parameters: on as many threads as torch has; in oneDNN or bfloat16 where the processor gains.'''
    images = Images(torch.rand(1_009, 512, generator=torch.Generator().manual_seed(0)), torch.arange(1_009) % 53)
    task = features_task(Split(images, images, images))
    few = [tuple(tensor[:7] for tensor in task.validation[0])]
    return replace(task, validation=few, recipe=replace(task.recipe, batch_size=17))


def weights(task, steps, seed=3):
    recipe = replace(task.recipe, max_steps=steps, warmup=2, validate_every=steps)
    model, _ = train(task, seed, recipe, progress=False)
    return hashlib.sha256(b"".join(p.detach().numpy().tobytes() for p in model.parameters())).hexdigest()


def all_weights():
    tasks = (reverse_task(), 23), (digits_task(), 11), (caption_task(500), 5), (wide_task(), 2)
    return [weights(task, steps) for task, steps in tasks]
"""
ALONE = "print(*all_weights())"
AFTER_OTHER_WORK = """
threads = torch.get_num_threads()
other = weights(digits_task(), 5, seed=4)
torch.set_num_threads(threads + 1)
torch.manual_seed(79)
blocks = [torch.rand(size) for size in (101, 100_003, 1_000_003)]
kept = blocks[::2]
other += weights(reverse_task(), 7, seed=5)
del blocks
torch.set_num_threads(threads)
print(*all_weights())
print(*all_weights())
"""


@pytest.fixture(scope="module")
def runs():
    """The weights' digests: of a process that does nothing else, then twice of one that has done other things.

    The two run side by side, so that each disturbs the other.
    """
    environment = os.environ | {"COURSE_DEVICE": "cpu", "OMP_WAIT_POLICY": "passive"}  # threads wait without spinning
    processes = [
        subprocess.Popen([sys.executable, "-c", WEIGHTS + then], stdout=subprocess.PIPE, text=True, env=environment)
        for then in (ALONE, AFTER_OTHER_WORK)
    ]
    printed = [process.communicate()[0].splitlines() for process in processes]
    assert not any(process.returncode for process in processes)
    return [dict(zip(TASKS, line.split(), strict=True)) for lines in printed for line in lines if line[:6] != "Device"]


@pytest.mark.parametrize("task", TASKS)
def test_the_same_seed_gives_the_same_weights_in_every_process_whatever_ran_before(runs, task):
    assert len({digests[task] for digests in runs}) == 1
