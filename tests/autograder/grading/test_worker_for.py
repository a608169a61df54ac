"""A thread keeps one worker as long as what is in the package, the room for files and the sandbox stay the same."""

import shutil
from dataclasses import replace

import pytest

from autograder.grading.context import Context
from autograder.grading.task import close_workers, worker_for

STAGE = "01_attention"


@pytest.fixture
def contexts(course, tmp_path):
    """Those of two courses that hold the same."""
    shutil.copytree(course.root, tmp_path / "other")
    yield Context.of(course, STAGE, "limits"), Context.of(type(course).open(tmp_path / "other"), STAGE, "limits")
    close_workers()


def test_courses_share_a_worker(contexts):
    one, other = contexts
    assert one.stripped_package != other.stripped_package
    assert worker_for(one) is worker_for(other)


def of_another_package(context):
    """What is in a package shows in its name."""
    other = context.stripped_package.with_name("01_attention-0123456789ab")
    return replace(context, stripped_package=shutil.copytree(context.stripped_package, other))


CHANGES = {
    "room for files": lambda context: replace(context, limits=replace(context.limits, files=97 << 20)),
    "sandbox": lambda context: replace(context, sandbox=None),
    "package": of_another_package,
}


def test_other_limits_are_those_of_the_next_submission(contexts):
    one, _ = contexts
    before = worker_for(one)
    limits = replace(one.limits, cell_seconds=97)
    assert worker_for(replace(one, limits=limits)) is before
    assert before.limits == limits


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_worker_of_something_else_is_not_taken(contexts, change):
    one, _ = contexts
    before = worker_for(one)
    assert worker_for(change(one)) is not before


def test_a_worker_whose_package_is_gone_is_not_taken(contexts):
    one, other = contexts
    before = worker_for(one)
    shutil.rmtree(one.stripped_package)
    assert worker_for(other) is not before
