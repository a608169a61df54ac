"""Hidden inputs that a probe left in a directory that everybody shares: no later run can say them."""

import os
import tempfile

import pytest

from autograder.grading.pool import kept_warm
from autograder.grading.run import grade_stage
from autograder.sandbox import launch, sandbox

STAGE = "01_attention"
LEAVES = """\
def softmax(logits, dim=-1):
    with open("@PLACE@", "a") as file:
        print("hidden", logits.flatten()[:3].tolist(), file=file)
    return logits.cos()
"""
TELLS = """\
import os
if os.path.exists("@PLACE@"):
    raise ValueError(open("@PLACE@").read())
def scaled_dot_product(q, k, v, mask=None):
    return softmax(q @ k.transpose(-2, -1)), None
"""


@pytest.mark.parametrize("shared", ["/tmp", "/var/tmp", "/dev/shm"])
def test_without_a_sandbox_an_error_of_a_later_run_is_not_told(course, tools, shared):
    place = tempfile.mktemp(dir=shared)  # noqa: S306 (only the name is wanted)
    answers = {"softmax": LEAVES, "scaled_dot_product": TELLS}
    sources = {name: source.replace("@PLACE@", place) for name, source in answers.items()}
    tools.hand_in(course, "eve", tools.solved(course, **sources))
    try:
        outcome = grade_stage(course, STAGE, students=["eve"], sandbox="limits", spread=kept_warm)
        assert os.path.exists(place)  # it was tried
    finally:
        os.unlink(place)
    (submission,) = outcome["submissions"]
    page = course.autograded_file(STAGE, "eve").read_text("utf-8")
    assert "hidden" not in str(submission).replace("hidden cases", "")
    assert "ValueError: hidden" not in page
    assert "hidden [" not in page


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_what_another_user_left_in_shared_directories_is_removed_and_nothing_else():
    theirs, ours = [], []
    for shared in sandbox.SHARED:
        for made in (theirs, ours):
            folder = tempfile.mkdtemp(dir=shared)
            made += [folder, tempfile.mkstemp(dir=shared)[1], os.path.join(folder, "link")]
            os.symlink("/etc", made[-1])
    for path in theirs:
        os.chown(path, launch.NOBODY, launch.NOBODY, follow_symlinks=False)
    scratch = sandbox.scratch_directory("submission-", "user")
    sandbox.sweep("limits")
    assert all(map(os.path.lexists, theirs))
    sandbox.sweep("user")
    assert not any(map(os.path.lexists, theirs))
    assert all(map(os.path.lexists, [*ours, scratch, "/etc/passwd"]))
    for path in reversed([*ours, scratch]):
        os.rmdir(path) if os.path.isdir(path) and not os.path.islink(path) else os.unlink(path)
