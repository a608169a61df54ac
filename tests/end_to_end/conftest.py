"""One demonstration course, made and graded once for a module of tests."""

import json
import shutil
from types import SimpleNamespace

import pytest

from tests import warm


@pytest.fixture(scope="session")
def command():
    """Run one of the environment's commands as a newcomer does, in a process of its own (see `tests/warm.py`)."""

    def run(name, *arguments, cwd=None, ok=True, cold=False):
        process = warm.start(name, *arguments, cwd=cwd, cold=cold)
        stdout, stderr = process.communicate(timeout=300)
        assert not ok or process.returncode == 0, stdout + stderr
        return SimpleNamespace(returncode=process.returncode, stdout=stdout, stderr=stderr)

    return run


@pytest.fixture(scope="module")
def demo(made_once, command, tmp_path_factory):
    """The course of `course demo`, and the JSON that it wrote, by student."""

    def make(folder):
        command("course", "demo", folder / "course", "--json", folder / "out.json", cold=True)

    made = made_once("demo", make)
    root = shutil.copytree(made / "course", tmp_path_factory.mktemp("demo") / "course")
    outcome = json.loads((made / "out.json").read_text("utf-8"))
    by_student = {submission["student"]: submission for submission in outcome["submissions"]}
    return SimpleNamespace(root=root, outcome=outcome, by_student=by_student)
