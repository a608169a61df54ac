"""What a student sets of JAX for the whole process decides nothing about a verdict, and stays as it was set."""

import jax
import pytest

from autograder.catalogue import find
from autograder.judging.answer_key.compute import draw
from autograder.probes.run import collect


@pytest.fixture(params=["jax_enable_x64", "jax_disable_jit"])
def set_by_student(request):
    before = getattr(jax.config, request.param)
    jax.config.update(request.param, True)
    yield request.param
    jax.config.update(request.param, before)


def test_a_setting_of_jax_changes_no_output(set_by_student):
    exercise = find("jax_scaled_dot_product")
    case = next(case for case in exercise.cases if case.name == "masked, traced")
    found = collect(exercise.id, exercise.reference, {case.name: draw(exercise, case, 3)})[case.name]
    assert {str(array.dtype) for array in found["tensors"].values()} == {"float32"}
    assert getattr(jax.config, set_by_student)
