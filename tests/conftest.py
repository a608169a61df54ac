"""What many tests read is made once in a test run, by whichever of its processes needs it first."""

import os
import shutil

import pytest
from filelock import FileLock


@pytest.fixture(scope="session")
def made_once(tmp_path_factory, worker_id):
    """`made_once(name, make)`: the folder that `make(folder)` has filled, for all processes: not to be written to."""
    own = tmp_path_factory.getbasetemp()
    shared = (own if worker_id == "master" else own.parent) / "made-once"
    shared.mkdir(exist_ok=True)

    def folder(name, make):
        with FileLock(shared / f"{name}.lock"):
            if not (shared / name).exists():
                unfinished = tmp_path_factory.mktemp("unfinished")
                make(unfinished)
                os.rename(unfinished, shared / name)
        return shared / name

    return folder


@pytest.fixture(scope="session")
def copy_of_course(made_once):
    """`copy_of_course(root)`: a course with stage 01 and no submissions, its hidden numbers drawn."""
    from autograder.course.init import init_course
    from autograder.directory.course import Course
    from autograder.grading.context import Context

    def make(folder):
        Context.of(init_course(folder / "course", only=("01_attention",)), "01_attention")

    made = made_once("course", make)

    def copy(root):
        shutil.copytree(made / "course", root)
        return Course.open(root)

    return copy
