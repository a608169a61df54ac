"""Functions and layers that jax, flax and optax offer: the forbidden ones are found, the allowed ones are not."""

import flax.linen
import jax.nn
import optax
import pytest
from flax import nnx

from autograder.catalogue import exercises_of
from autograder.judging.page import Page
from autograder.judging.shortcuts import shortcut
from autograder.stages import STAGES

SPACES = {"jax.nn": jax.nn, "nnx": nnx, "linen": flax.linen, "optax": optax}
EXERCISES = [exercise for stage in STAGES if stage.track == "jax" for exercise in exercises_of(stage.name)]
FORBIDDEN = [
    pytest.param(exercise, f"{space}.{name}", id=f"{exercise.id}-{space}.{name}")
    for exercise in EXERCISES
    for name in exercise.forbidden
    for space, module in SPACES.items()
    if hasattr(module, name)
]
ALLOWED = (
    "jax.nn.softmax",
    "jax.nn.relu",
    "jax.nn.one_hot",
    "jax.nn.initializers.glorot_uniform",
    "jax.random.bernoulli",
    "jax.lax.scan",
    "nnx.Linear",
    "nnx.LayerNorm",
    "nnx.Dropout",
    "nnx.List",
    "optax.softmax_cross_entropy_with_integer_labels",
    "optax.apply_updates",
)
IMPORTS = "import jax\nimport jax.numpy as jnp\nimport optax\nfrom flax import linen, nnx\n"


def page(exercise, name):
    """A page whose answer does nothing but hand its arguments to something ready-made."""
    return Page([IMPORTS, f"def {exercise.name}(*given, **named):\n    return {name}(*given, **named)\n"])


def test_every_forbidden_name_is_one_that_somebody_offers():
    offered = {name for module in SPACES.values() for name in dir(module)}
    assert {name for exercise in EXERCISES for name in exercise.forbidden} <= offered


@pytest.mark.parametrize(("exercise", "name"), FORBIDDEN)
def test_a_forbidden_name_is_found(exercise, name):
    assert f"`{name}`" in (shortcut(exercise, page(exercise, name)) or "")


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.id)
def test_what_the_contract_allows_is_no_shortcut(exercise):
    allowed = [name for name in ALLOWED if name.rpartition(".")[2] not in exercise.forbidden]
    assert {name: shortcut(exercise, page(exercise, name)) for name in allowed} == dict.fromkeys(allowed)


def test_only_the_dropout_itself_forbids_that_of_flax():
    assert [exercise.id for exercise in EXERCISES if "Dropout" in exercise.forbidden] == ["jax_dropout"]


def test_every_exercise_with_attention_forbids_what_is_ready_made():
    forbid = {exercise.id for exercise in EXERCISES if "dot_product_attention" in exercise.forbidden}
    assert forbid == {
        "jax_scaled_dot_product",
        "jax_multihead_attention",
        "jax_EncoderBlock",
        "jax_TransformerEncoder",
        "jax_TransformerPredictor",
    }
