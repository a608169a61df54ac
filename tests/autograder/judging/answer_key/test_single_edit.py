"""A mistake that no row foresees is found as an edit of a correct solution."""

import warnings
from dataclasses import replace

import pytest
import torch

from autograder.catalogue import find
from autograder.catalogue.edits import Rewrite
from autograder.judging import answer_key
from autograder.judging.answer_key import pairs, single_edit
from autograder.judging.answer_key.solutions import solutions_of, types_of
from autograder.judging.judge import judge
from autograder.probes.run import collect
from autograder.stages import stage_of

SAID = "Your results are exactly what a correct solution gives with this change."


@pytest.fixture(autouse=True)
def enough_time(monkeypatch):
    monkeypatch.setattr(single_edit, "SECONDS", 60.0)  # what is found must not depend on the machine
    monkeypatch.setattr(pairs, "SECONDS", 0.0)


def verdict_on(exercise_id, answer, **other):
    """The verdict where no known mistake is in the way."""
    known = answer_key.load(answer_key.public_file(stage_of(exercise_id).name))[exercise_id]
    exercise = replace(without_rows(exercise_id), **other)
    return judge(exercise, known, collect(exercise_id, answer, known["cases"]))


def without_rows(exercise_id):
    return replace(find(exercise_id), mistakes=())


def edited(exercise_id, edits):
    return Rewrite("edited", edits).of(find(exercise_id).reference)


def magnitudes_subtracted(logits, dim=-1):
    exponents = (logits - logits.abs().amax(dim=dim, keepdim=True)).exp()
    return exponents / exponents.sum(dim=dim, keepdim=True)


def rolled_by_two(targets, bos):
    shifted = targets.roll(2, dims=1)
    shifted[:, 0] = bos
    return shifted


def masked_only_if_a_row_is_empty(q, k, v, mask=None):
    scores = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None and not (mask != 0).any(dim=-1).all():
        scores = scores.masked_fill(mask == 0, torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=-1)
    return weights @ v, weights


def test_an_edit_of_the_reference_is_named():
    edit = "`logits.abs().amax(dim=dim, keepdim=True)` in place of `logits.amax(dim=dim, keepdim=True)`"
    verdict = verdict_on("softmax", magnitudes_subtracted)
    assert verdict.known_mistake == edit
    assert verdict.message == SAID


def test_an_edit_of_a_right_variant_is_named():
    assert "roll(2, dims=" in verdict_on("shift_right", rolled_by_two).known_mistake


def test_an_edit_that_explains_all_that_is_wrong_is_said_of_that_alone():
    message = verdict_on("scaled_dot_product", masked_only_if_a_row_is_empty, right_variants=()).message
    assert message.startswith("Where your results are wrong, they are exactly what a correct solution gives ")


def test_a_condition_explains_what_is_refused():
    refuses_the_longest = edited(
        "PositionalEncoding", {"length > max_len": "length >= max_len", "is longer than": "does not fit in"}
    )
    verdict = verdict_on("PositionalEncoding", refuses_the_longest)
    assert verdict.known_mistake == "`length >= max_len` in place of `length > max_len`"


def test_errors_that_just_happen_explain_nothing():
    def fails(logits, dim=-1):
        return logits.softmax(dim).view(-1, 1_000_003)

    assert verdict_on("softmax", fails).known_mistake is None


def test_a_wrong_answer_of_another_kind_gets_no_name():
    def noise(logits, dim=-1):
        return (logits * 1.37).cos() * 0.11 + logits.shape[dim] ** 0.3

    assert verdict_on("softmax", noise).known_mistake is None


def test_where_the_time_is_over_nothing_is_named(monkeypatch):
    monkeypatch.setattr(single_edit, "SECONDS", 0.0)
    assert verdict_on("softmax", magnitudes_subtracted).known_mistake is None


def test_the_random_numbers_of_the_page_continue_as_if_nothing_had_been_tried():
    known = answer_key.load(answer_key.public_file("01_attention"))["softmax"]
    actual = collect("softmax", magnitudes_subtracted, known["cases"])
    torch.manual_seed(7)
    assert judge(without_rows("softmax"), known, actual).known_mistake
    drawn = torch.rand(3)
    torch.manual_seed(7)
    assert torch.equal(drawn, torch.rand(3))


def test_an_edit_that_warns_is_not_heard():
    def compared_with_itself(logits, tokens, mask=None):
        losses = torch.nn.functional.cross_entropy(logits[:, :-1].mT, tokens[:, :-1], reduction="none")
        return losses.mean() if mask is None else (losses * mask[:, 1:]).sum() / mask[:, 1:].sum().clamp(min=1)

    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        verdict_on("next_token_loss", compared_with_itself)  # one edit, `1[:, :-1]`, is a SyntaxWarning
    assert not heard


def test_the_reference_comes_first_among_the_solutions():
    exercise = find("softmax")
    first, *variants = solutions_of(exercise.reference, exercise.right_variants)
    assert first.source == Rewrite("unchanged").source(exercise.reference)
    assert len(variants) == len(exercise.right_variants)


def test_a_solution_shows_the_types_of_its_variables():
    exercise = find("softmax")
    solution = solutions_of(exercise.reference, exercise.right_variants)[0]
    types = types_of(solution, lambda softmax: softmax(torch.ones(2, 3)))
    assert types["softmax", "logits"] is torch.Tensor
    assert types["softmax", "dim"] is int
