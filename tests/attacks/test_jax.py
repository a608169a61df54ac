"""What only JAX offers to a hostile page: callbacks and prints while it is judged, its cache, settings, ready-mades."""

import re

import nbformat
import numpy as np
import pytest

from autograder.catalogue import find
from autograder.course.demo.run import submission
from autograder.course.demo.submissions import Handed
from autograder.course.init import init_course
from autograder.grading.context import Context
from autograder.grading.task import close_workers, grade_bytes
from tests.public_answers import give_public_answers

pytestmark = pytest.mark.sandbox

STAGE, EXERCISE = "21_jax_attention", "jax_scaled_dot_product"
RIGHT = """
import jax
import jax.numpy as jnp

def scaled_dot_product(q, k, v, mask=None):
    {first}
    scores = q @ jnp.swapaxes(k, -2, -1) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = jnp.where(mask == 0, jnp.finfo(scores.dtype).min, scores)
    attention = jax.nn.softmax(scores, axis=-1)
    return attention @ v, attention
"""
SEES = {
    "a debug print": "jax.debug.print('seen {q}', q=q)",
    "a debug callback": "jax.debug.callback(lambda q: print('seen', q.tolist()), q)",
    "an io callback": (
        "from jax.experimental import io_callback\n"
        "    q = io_callback(lambda q: (print('seen', q.tolist()), q)[1], q, q)"
    ),
    "a pure callback": "jax.pure_callback(lambda q: (print('seen', q.tolist()), q)[1], q, q, vmap_method='sequential')",
}
READY_MADE = {
    "jax.nn.dot_product_attention": "return jax.nn.dot_product_attention(q, k, v, mask=mask)",
    "by another name": "return vars(jax.nn)['dot_product_' + 'attention'](q, k, v, mask=mask)",
    "flax's": "from flax import nnx\n    return nnx.dot_product_attention(q, k, v)",
}
SETTINGS = """
import os
import jax

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_disable_jit", True)
jax.config.update("jax_numpy_dtype_promotion", "strict")
jax.config.update("jax_compilation_cache_dir", "/tmp/letters")
found = os.listdir("/tmp/letters") if os.path.isdir("/tmp/letters") else []
os.makedirs("/tmp/letters", exist_ok=True)
open("/tmp/letters/answer", "w").write("a letter")
print("letters:", found)
"""


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    made = init_course(tmp_path_factory.mktemp("jax") / "course", only=(STAGE,))
    give_public_answers(made, STAGE)
    yield Context.of(made, STAGE, "bubblewrap")
    close_workers()


def graded(context, source="", cell=""):
    """The verdict on the exercise, and the text of the notebook that comes back, for an answer or a cell before all."""
    answers = {EXERCISE: source} if source else {}
    notebook = nbformat.reads(submission(Handed("", 0, answers), context.release, STAGE).decode(), as_version=4)
    if cell:
        notebook.cells.insert(1, nbformat.v4.new_code_cell(cell, id="own"))
    result = grade_bytes(context, nbformat.writes(notebook).encode())
    verdicts = {one["id"]: one for one in result["submission"]["exercises"]}
    return verdicts[EXERCISE], result["notebook"] or ""


@pytest.mark.parametrize("first", SEES.values(), ids=SEES)
def test_what_is_printed_while_the_judge_asks_reaches_nobody(course, first):
    _, text = graded(course, RIGHT.format(first=first))
    hidden = {
        np.float32(number)
        for case in course.answer_key[EXERCISE]["cases"].values()
        for array in case["tensors"].values()
        for number in array.flat
        if number % 1
    }
    assert hidden
    assert not hidden & {np.float32(found) for found in re.findall(r"-?\d+\.\d{6,}", text)}


@pytest.mark.parametrize("line", READY_MADE.values(), ids=READY_MADE)
def test_a_ready_made_attention_is_no_answer(course, line):
    verdict, _ = graded(course, f"import jax\n\ndef scaled_dot_product(q, k, v, mask=None):\n    {line}\n")
    assert verdict["score"] == 0


def test_settings_of_the_process_cost_and_gain_nothing(course):
    verdict, _ = graded(course, RIGHT.format(first="pass"), SETTINGS)
    assert verdict["score"] == find(EXERCISE).points


def test_what_one_submission_leaves_in_the_cache_no_other_finds(course):
    for _ in range(2):
        _, text = graded(course, cell=SETTINGS)
        assert "letters: []" in text
