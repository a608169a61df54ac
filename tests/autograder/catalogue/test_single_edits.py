"""The single edits of a source: which there are, what is said of them, and that each can be run."""

import ast

import pytest

from autograder.catalogue import find
from autograder.catalogue.edits import Rewrite
from autograder.catalogue.single_edits import single_edits

SOURCE = '''
def shares(scores, mask=None, eps=1e-5):
    """A docstring with 1 number."""
    if mask is not None:
        scores = scores * mask
    weights = scores.exp()
    total = weights.sum(dim=-1, keepdim=True)
    if total.min() < 0:
        raise ValueError("below 0")
    return weights / (total + eps)
'''
EDITS = {  # its name: a line of the edited source
    "`weights.sum(dim=-2, keepdim=True)` in place of `weights.sum(dim=-1, keepdim=True)`": "sum(dim=-2, keepdim",
    "`weights.sum(dim=-1, keepdim=False)` in place of `weights.sum(dim=-1, keepdim=True)`": "keepdim=False)",
    "without `keepdim=True` in `weights.sum(dim=-1, keepdim=True)`": "weights.sum(dim=-1)\n",
    "`weights.mean(dim=-1, keepdim=True)` in place of `weights.sum(dim=-1, keepdim=True)`": "weights.mean(",
    "if `mask is not None` never held": "if False:",
    "without `.exp()`": "weights = scores\n",
    "without the step `scores = scores * mask`": "        pass\n",
    "the step `weights = scores.exp()` done twice": "weights = scores.exp()\n    weights = scores.exp()\n",
    "`weights / (total - eps)` in place of `weights / (total + eps)`": "(total - eps)",
    "`total.min() <= 0` in place of `total.min() < 0`": "if total.min() <= 0:",
    "0.001 as the default in place of 1e-5": "eps=0.001)",
    "`scores / (total + eps)` in place of `weights / (total + eps)`": "return scores / (total + eps)",
    "`.detach()` after `weights / (total + eps)`": "return (weights / (total + eps)).detach()",
}


@pytest.mark.parametrize(("name", "line"), EDITS.items())
def test_an_edit_does_what_is_said_of_it(name, line):
    (edit,) = [edit for edit in single_edits(SOURCE) if edit.name == name]
    assert line in edit.of(SOURCE)


def test_two_steps_are_exchanged():
    name = "`weights = scores.exp()` and `total = weights.sum(dim=-1, keepdim=True)` in the opposite order"
    (edit,) = [edit for edit in single_edits(SOURCE) if edit.name == name]
    assert edit.of(SOURCE).index("total =") < edit.of(SOURCE).index("weights =")


def test_a_number_that_is_given_twice_is_changed_in_both_places():
    source = "def f(x):\n    return x.mean(dim=-1) / x.std(dim=-1)\n"
    (edit,) = [edit for edit in single_edits(source) if edit.name == "`dim=-2` in place of every `dim=-1`"]
    assert edit.of(source) == source.replace("-1", "-2")


def test_docstrings_and_errors_are_not_edited():
    edited = [edit.of(SOURCE) for edit in single_edits(SOURCE)]
    assert all('"""A docstring with 1 number."""' in source for source in edited)
    assert all('raise ValueError("below 0")' in source for source in edited)


def test_variables_of_different_types_are_not_exchanged():
    types = {("shares", "scores"): int, ("shares", "mask"): str}
    exchanged = "`mask * mask` in place of `scores * mask`"
    assert exchanged in {edit.name for edit in single_edits(SOURCE)}
    assert exchanged not in {edit.name for edit in single_edits(SOURCE, types)}


def test_a_condition_keeps_its_meaning_when_something_is_done_with_its_result():
    source = "def f(x, y):\n    return x if x.any() else y\n"
    (edit,) = [edit for edit in single_edits(source) if edit.name == "`.log()` after `x if x.any() else y`"]
    assert "(x if x.any() else y).log()" in edit.of(source)


@pytest.mark.parametrize("exercise", ["softmax", "MultiheadAttention", "bleu", "TranslationModel", "next_token_loss"])
def test_every_edit_of_a_reference_is_python(exercise):
    source = Rewrite("unchanged").source(find(exercise).reference)
    edits = single_edits(source)
    assert len(edits) > 100
    for edit in edits:
        ast.parse(edit.of(source))
        assert edit.of(source) != source


def test_what_an_edit_puts_in_and_what_it_takes_out_look_different():
    source = """
def passed_on(first_long_name, second_long_name):
    return first_long_name(second_long_name(first_long_name, second_long_name), first_long_name, dim=1)
"""
    said = [edit.name.split(" in place of ") for edit in single_edits(source)]
    pairs = [parts for parts in said if len(parts) == 2]
    assert pairs
    assert [parts for parts in pairs if parts[0] == parts[1]] == []
