"""Machines that lack something: `course grade` ends in the same verdicts and the same gradebook."""

import os
import shutil
import subprocess

import pytest

from autograder.cores import cores
from tests import warm

STAGE = "01_attention"
UNWRITABLE = 'mount -t tmpfs -o ro none /dev/shm && exec "$0" "$@"'

pytestmark = pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="only Linux can take a core away")


@pytest.fixture
def one_core():
    """This thread, and what it starts, runs on one core."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    yield
    os.sched_setaffinity(0, before)


def grading_without_shm(course):
    """`course grade` where nobody, not even root, can write to /dev/shm."""
    words = [shutil.which("unshare"), "--mount", "/bin/sh", "-c", UNWRITABLE]
    words += [str(warm.BIN / "course"), "grade", STAGE, "--course", str(course.root), "--jobs", "2"]
    words += ["--json", str(course.root / "verdicts.json")]
    return subprocess.run(words, capture_output=True, text=True, timeout=300, env=warm.environment(), check=False)


def test_cores_are_those_that_this_process_may_use(one_core):
    assert cores() == 1


def test_a_class_is_graded_on_one_core(one_core, course, undisturbed, tools):
    target = course.root / "verdicts.json"
    grading = warm.start("course", "grade", STAGE, "--course", course.root, "--json", target, cold=True)
    said = grading.communicate(timeout=300)
    assert grading.returncode == 1, said  # one file of the class is no notebook
    assert tools.rows(course) == undisturbed.rows


def test_a_class_is_graded_without_shared_memory(course, undisturbed, tools):
    if os.geteuid() or not shutil.which("unshare"):
        pytest.skip("only root can take /dev/shm away")
    done = grading_without_shm(course)
    assert done.returncode == 1, done.stdout + done.stderr  # one file of the class is no notebook
    assert tools.rows(course) == undisturbed.rows
    assert "grading in threads" in (course.private / "log").read_text("utf-8")
