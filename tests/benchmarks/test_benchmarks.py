"""Every benchmark runs, in a tiny form: a signature that changed elsewhere is seen before the next `make bench`."""

import importlib
import importlib.util
import math

import pytest

from autograder.course.init import init_course
from benchmarks import measure, synthetic_class
from benchmarks.measure import Skipped
from benchmarks.run import BENCHMARKS
from tests import warm
from tests.public_answers import give_public_answers

NEEDS = {
    "training_reverse": ("lightning", "jax", "flax", "optax"),
    "training_time_to_accuracy": ("lightning",),
}
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("default"),  # those of lightning and jax are theirs
]


@pytest.fixture
def ready_courses(request, monkeypatch):
    """Courses are copied, or have the public answers; commands are warm, and grade with one server; pace is rough."""

    def new_course(root, stage=synthetic_class.STAGE):
        if stage == synthetic_class.STAGE:
            return request.getfixturevalue("copy_of_course")(root)
        course = init_course(root, only=(stage,))
        give_public_answers(course, stage)
        return course

    monkeypatch.setattr(synthetic_class, "new_course", new_course)
    monkeypatch.setattr(synthetic_class, "start", warm.start)
    monkeypatch.setattr(measure, "IMPORTS", 1)
    for name in ("grading", "grading_scale", "grading_hostile"):
        monkeypatch.setattr(f"benchmarks.{name}.JOBS", 1)


@pytest.mark.parametrize("name", BENCHMARKS)
def test_a_benchmark_runs(name, ready_courses):
    if absent := [package for package in NEEDS.get(name, ()) if importlib.util.find_spec(package) is None]:
        pytest.skip(f"{', '.join(absent)}: not installed (pip install '.[bench]')")
    benchmark = importlib.import_module(f"benchmarks.{name}")
    try:
        entries = benchmark.run(benchmark.TINY)
    except Skipped as reason:
        pytest.skip(str(reason))
    assert entries
    assert all(math.isfinite(entry["ratio"]) and entry["ratio"] >= 0 for entry in entries)
