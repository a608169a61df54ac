"""One demonstration course, made and graded once for a module of tests."""

import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

BIN = Path(sys.executable).parent


@pytest.fixture(scope="session")
def command():
    """Run one of the environment's commands as a newcomer does: no activated environment, a bare PATH."""

    def run(name, *arguments, cwd=None, ok=True):
        environment = {"PATH": "/usr/bin:/bin", "HOME": os.environ.get("HOME", "/"), "COLUMNS": "120"}
        done = subprocess.run(
            [BIN / name, *map(str, arguments)], cwd=cwd, env=environment, capture_output=True, text=True, timeout=300
        )
        assert not ok or done.returncode == 0, done.stdout + done.stderr
        return done

    return run


@pytest.fixture(scope="module")
def demo(command, tmp_path_factory):
    """The course of `course demo`, and the JSON that it wrote, by student."""
    root = tmp_path_factory.mktemp("demo") / "course"
    report = root.with_suffix(".json")
    done = command("course", "demo", root, "--json", report)
    outcome = json.loads(report.read_text("utf-8"))
    by_student = {submission["student"]: submission for submission in outcome["submissions"]}
    return SimpleNamespace(root=root, outcome=outcome, by_student=by_student, printed=done.stdout)
