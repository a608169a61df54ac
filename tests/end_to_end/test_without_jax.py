"""Where JAX was never installed, the torch stages are built, graded and shown; the JAX stages are left out by name."""

from pathlib import Path

import pytest

from autograder.course.init import init_course
from autograder.installed import FrameworkMissing, missing_framework, with_framework
from autograder.stages import STAGES, TRACKS
from tests import warm
from tests.hidden_jax import hide_jax

ROOT = Path(__file__).resolve().parents[2]
JAX, FIRST = "21_jax_attention", "01_attention"
NEEDED = "needs jax, flax and optax, which are not installed here: pip install 'attention-workshop[jax]'"


@pytest.fixture
def course(tmp_path):
    """`course(command, …)` in a Python, and in every Python that it starts, that finds nothing of JAX."""
    hide_jax(tmp_path)

    def run(*words, code=0):
        process = warm.start("course", *words, cwd=tmp_path, site=tmp_path)
        stdout, stderr = process.communicate(timeout=300)
        assert process.returncode == code, stdout + stderr
        assert "Traceback" not in stderr
        return (stdout + stderr).replace("\n", " ")

    return run


def test_a_course_has_the_torch_stages_and_the_others_are_named(course, tmp_path):
    said = course("init", tmp_path / "course", "--stage", "1", "--stage", "21")
    assert f"Left out: {JAX} {NEEDED}." in said
    assert [path.name for path in (tmp_path / "course" / "release").iterdir()] == [FIRST]


def test_a_course_of_nothing_but_jax_is_refused_before_anything_is_made(course, tmp_path):
    assert f"{JAX} {NEEDED}" in course("init", tmp_path / "course", "--stage", "21", code=2)
    assert not (tmp_path / "course").exists()


def test_the_build_leaves_the_jax_stages_out(course):
    said = course("build", "1", "21", "--check", "--root", ROOT)
    assert f"Left out: {JAX} {NEEDED}." in said
    assert "5 files are up to date" in said
    assert NEEDED in course("build", "21", "--check", "--root", ROOT, code=2)


def test_the_demonstration_runs(demo):
    assert "16 submissions in" in demo.said
    torch = {stage.name for stage in STAGES if stage.track == "torch"}
    assert {path.name for path in (demo.root / "release").iterdir()} == torch


def test_a_course_that_has_a_jax_stage_says_what_is_missing(course, tmp_path):
    root = init_course(tmp_path / "course", only=("1", "21")).root
    place = root / "submitted" / "ada" / JAX
    place.mkdir(parents=True)
    (place / f"{JAX}.ipynb").write_bytes((root / "release" / JAX / f"{JAX}.ipynb").read_bytes())
    assert f"{JAX} {NEEDED}" in course("grade", "21", "--course", root, code=2)
    assert f"{JAX}: jax, flax, optax not installed here." in course("doctor", "--course", root)
    assert f"Left out: {JAX} {NEEDED}" in course("upgrade", "--course", root)


@pytest.mark.parametrize("track", TRACKS)
def test_a_framework_that_is_installed_is_not_missing(track):
    stages = tuple(stage.name for stage in STAGES if stage.track == track)
    said = []
    assert [missing_framework(stage) for stage in stages] == [()] * len(stages)
    assert with_framework(stages, said.append) == stages
    assert said == []


def test_one_missing_package_is_singular(monkeypatch):
    monkeypatch.setattr("autograder.installed.find_spec", lambda name: None if name == "optax" else name)
    with pytest.raises(FrameworkMissing, match="needs optax, which is not installed here"):
        with_framework([JAX], print)
