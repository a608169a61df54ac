"""On the wire the tensors of a case lose their order: nothing may depend on it."""

import pytest

from autograder.catalogue import exercises_of
from autograder.judging import answer_key
from autograder.judging.answer_key.compute import draw
from autograder.probes.run import collect
from autograder.stages import STAGE_NAMES

SEED = 40009
EXERCISES = [exercise for stage in STAGE_NAMES for exercise in exercises_of(stage)]


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.id)
def test_a_probe_gives_the_same_in_whatever_order_the_tensors_come(exercise):
    cases = {case.name: draw(exercise, case, SEED) for case in exercise.cases}
    backwards = {name: case | {"tensors": dict(reversed(case["tensors"].items()))} for name, case in cases.items()}
    found, again = (collect(exercise.id, exercise.reference, drawn) for drawn in (cases, backwards))
    for name in cases:
        records = [record.get("tensors", record) for record in (found[name], again[name])]
        assert answer_key.same(*records, tolerance=1e-6), name
