"""One demonstration course, made and graded once for a module of tests."""

import json
import shutil
from types import SimpleNamespace

import pytest

from tests import warm
from tests.hidden_jax import hide_jax


@pytest.fixture(scope="session")
def command():
    """Run one of the environment's commands as a newcomer does, in a process of its own (see `tests/warm.py`)."""

    def run(name, *arguments, cwd=None, ok=True, **how):
        process = warm.start(name, *arguments, cwd=cwd, **how)
        stdout, stderr = process.communicate(timeout=300)
        assert not ok or process.returncode == 0, stdout + stderr
        return SimpleNamespace(returncode=process.returncode, stdout=stdout, stderr=stderr)

    return run


@pytest.fixture(scope="module")
def demo(made_once, command, tmp_path_factory):
    """The course of `course demo` where JAX was never installed, as for `make demo`; what it said, and the JSON that it
    wrote, by student."""

    def make(folder):
        hide_jax(folder)
        words = ("demo", folder / "course", "--json", folder / "out.json")
        ended = command("course", *words, cold=True, site=folder)
        (folder / "said.txt").write_text(ended.stdout + ended.stderr, "utf-8")

    made = made_once("demo", make)
    root = shutil.copytree(made / "course", tmp_path_factory.mktemp("demo") / "course")
    outcome = json.loads((made / "out.json").read_text("utf-8"))
    by_student = {submission["student"]: submission for submission in outcome["submissions"]}
    said = (made / "said.txt").read_text("utf-8")
    return SimpleNamespace(root=root, said=said, outcome=outcome, by_student=by_student)
