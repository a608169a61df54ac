"""A course directory with stage 01: made once in each process of a test run, and copied where one is needed."""

import shutil

import pytest


@pytest.fixture(scope="session")
def copy_of_course(tmp_path_factory):
    """`copy_of_course(root)`: a course that nobody has handed anything in to, its hidden numbers drawn."""
    from autograder.course.directory import Course
    from autograder.course.init import init_course
    from autograder.grading.context import Context

    made = init_course(tmp_path_factory.mktemp("made") / "course", only=("01_attention",))
    Context.of(made, "01_attention")

    def copy(root):
        shutil.copytree(made.root, root)
        return Course.open(root)

    return copy
