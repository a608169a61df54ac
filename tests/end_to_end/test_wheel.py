"""Installed from a wheel, into an environment of its own, the course works; what it cannot do there, it says."""

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
STAGE = "03_positions"
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """`installed(command, …)` runs `course` of an environment that has the wheel, and all else from this one."""
    folder = tmp_path_factory.mktemp("wheel")
    for name in ("autograder", "course_lib", "solutions"):
        shutil.copytree(ROOT / name, folder / "tree" / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder / "tree")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    run([*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", folder, folder / "tree"])
    venv.create(folder / "environment", with_pip=False)
    python = folder / "environment" / "bin" / "python"
    (wheel,) = folder.glob("*.whl")
    run([*pip, "--python", python, "install", "--no-deps", wheel])
    site = Path(run([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]).strip())
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    return lambda *words, code=0: run([python.with_name("course"), *words], code, cwd=folder)


def run(command, code=0, cwd=None):
    """What a command says, in an environment that knows nothing of this checkout."""
    path = os.pathsep.join([sysconfig.get_path("scripts"), "/usr/bin", "/bin"])
    kept = {name: value for name, value in os.environ.items() if name in ("HOME", "TMPDIR", "OMP_NUM_THREADS")}
    done = subprocess.run(
        list(map(str, command)), cwd=cwd, env=kept | {"PATH": path}, capture_output=True, text=True, check=False
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_a_course_is_made_graded_and_exported(installed, tmp_path):
    course = tmp_path / "course"
    assert STAGE in installed("init", course, "--stage", "3")
    place = course / "submitted" / "ada" / STAGE
    place.mkdir(parents=True)
    shutil.copy(course / "source" / STAGE / f"{STAGE}.ipynb", place)
    said = installed("grade", "3", "--course", course)
    assert "1 submission in" in said
    assert "nothing" in said  # was wrong
    assert "1 student." in installed("export", "--to", "csv", "--course", course)
    refused = installed("export", "3", "--to", "gradescope", "--course", course, code=2)
    assert "made in a checkout of the course" in refused
