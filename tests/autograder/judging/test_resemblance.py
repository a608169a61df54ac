"""Mistakes that the catalogue doesn't list: what the card says of them is measured."""

import numpy as np
import pytest

from autograder.catalogue import find
from autograder.catalogue.edits import Rewrite
from autograder.judging import answer_key
from autograder.judging.judge import judge
from autograder.judging.resemblance import resemblance
from autograder.probes.run import collect
from autograder.stages import stage_of

DUE = np.random.default_rng(3).normal(size=(5, 4, 3))
FACTS = (
    (-DUE, "with the opposite sign"),
    (DUE / 7, "times 1/7"),
    (DUE * 3**0.5, "times √3"),
    (DUE * 0.3771, "times a constant"),
    (DUE + 1, "plus 1"),
    (np.tanh(DUE), "after a tanh"),
    (np.round(DUE, 2), "rounded to 0.01"),
    (np.exp(DUE) / np.exp(DUE).sum(-1, keepdims=True), "after a softmax"),
    (DUE.transpose(0, 2, 1), "with its axes in another order"),
    (DUE[:, None], "with other axes of size 1"),
    (DUE.reshape(5, 12), "in another shape, its numbers in the same order"),
    (DUE.sum(1), "added up along axis 1"),
    (DUE.mean(2), "averaged along axis 2"),
    (DUE[:, ::-1], "turned round along axis 1"),
    (np.roll(DUE, 1, 0), "shifted forward by one along axis 0"),
    (np.roll(DUE, -1, 1), "shifted back by one along axis 1"),
    (DUE[:3], "cut off at the end along axis 0"),
    (DUE[:, 2:], "cut off at the start along axis 1"),
    (np.concatenate([DUE[:1] + 1, DUE]), "with more in front of it along axis 0"),
    (np.concatenate([DUE, DUE]), "repeated along axis 0"),
    (DUE[:1].repeat(5, 0), "with the first place for all along axis 0"),
    (DUE[[2, 0, 1, 4, 3]], "with its places in another order along axis 0"),
    (np.concatenate([DUE[:-1], DUE[-1:] + 2]), "except for the last entry along axis 0"),
)


def of(came, expected=DUE):
    return resemblance({"a": {"tensors": {"out": came}}}, {"a": {"tensors": {"out": expected}}})


@pytest.mark.parametrize(("came", "fact"), FACTS, ids=[fact for _, fact in FACTS])
def test_a_fact_is_said(came, fact):
    assert of(came) == f"Your output `out` is the right one {fact}."


@pytest.mark.parametrize("came", [DUE, DUE + DUE**2, DUE[0, 0, 0], DUE * np.nan], ids=["right", "other", "one", "NaN"])
def test_nothing_is_said_where_nothing_is_known(came):
    assert of(came) == ""


@pytest.mark.parametrize(("factor", "name"), [(0.5, "1/2"), (3**0.5, "√3"), (1.37, "a constant")])
def test_another_temperature_is_told_by_its_factor(factor, name):
    def softmax(logits):
        return np.exp(logits) / np.exp(logits).sum(1, keepdims=True)

    said = f"Your output `out` is the right one at another temperature, its logits times {name}."
    assert of(softmax(factor * DUE), softmax(DUE)) == said


def test_masks_are_exchanged_and_constants_are_called_so():
    triangle = np.tri(5, dtype=bool)
    assert of(~triangle, triangle) == "Your output `out` is the right one with True and False exchanged."
    assert of(DUE * 0) == "Your output `out` is 0 everywhere."


def test_nothing_is_said_where_nothing_was_expected():
    assert of(DUE, DUE[:0]) == ""


def test_what_holds_in_one_of_two_wrong_cases_is_not_said():
    actual = {"a": {"tensors": {"out": -DUE}}, "b": {"tensors": {"out": DUE + 1}}}
    assert resemblance(actual, {case: {"tensors": {"out": DUE}} for case in actual}) == ""


def test_what_is_right_to_within_the_tolerance_of_its_case_is_not_wrong():
    actual, expected = {"a": {"tensors": {"out": 1.001 * DUE}}}, {"a": {"tensors": {"out": DUE}}}
    assert resemblance(actual, expected)
    assert resemblance(actual, expected, {"a": 1.0}) == ""


def test_an_error_comes_first():
    actual = {"a": {"tensors": {"out": -DUE}}, "b": {"error": {"type": "KeyError", "message": ""}}}
    assert resemblance(actual, {case: {"tensors": {"out": DUE}} for case in actual}) == ""


def test_what_only_a_probe_knows_is_no_output_of_yours():
    actual, expected = {"tensors": {"chosen": DUE * 0}}, {"tensors": {"chosen": DUE}}
    assert resemblance({"a": actual}, {"a": expected}) == ""


SLIPS = (  # an edit of the reference, and what its card says: a row's name, or a fact
    ("softmax", {"return exponents": "return 0.2 * exponents"}, "output `weights` is the right one times 1/5."),
    ("softmax", {"torch.exp(": "torch.exp2("}, "powers of 2"),
    ("softmax", {"amax(dim": "amin(dim"}, "shifted by the smallest logit"),
    ("LayerNorm", {"+ self.bias": "- self.bias"}, "bias subtracted"),
    ("EncoderBlock", {"self.norm2(x + ": "x + self.norm2("}, "second residual outside the norm"),
    ("PreNormEncoderBlock", {"self.linear_net(self.norm2(x))": "self.norm2(self.linear_net(x))"}, "norm2 after the"),
    ("TransformerEncoder", {"return attention_maps": "return attention_maps[-1]"}, "the last layer's map alone"),
    ("DecoderBlock", {"nn.Dropout(dropout)": "nn.Dropout()"}, "nn.Dropout without the rate"),
    (
        "DecoderBlock",
        {"x + self.dropout(self.self_attn": "self.dropout(x + self.self_attn"},
        "dropout on the sum with",
    ),
    ("DecoderBlock", {"memory, memory_mask)": "memory, is_causal=True)"}, "a causal cross-attention without its mask"),
    ("sequence_loss", {"logits.flatten": "logits.transpose(0, 1).flatten"}, "logits flattened in another order"),
    ("train_step", {"scheduler.step()": "scheduler.step(loss)"}, "the schedule stepped with the loss"),
    ("split_per_class", {"[:per_class]": "[:1]"}, "one image of each class"),
    ("anomaly_loss", {".squeeze(-1)": ".squeeze(-1).softmax(0)"}, "logits made probabilities over the batch"),
    ("GraphAttention", {"attention @ nodes": "attention @ x"}, "averages the input, not the projected nodes"),
    ("BilinearAttention", {"softmax(scores": "softmax(torch.tanh(scores)"}, "tanh of the hidden scores too"),
    ("jax_init_attention", {"split(key)": "split(jax.random.key(42))"}, "doesn't depend on the key"),
    ("jax_train_step", {"opt_state, key,": "opt_state, used,"}, "also in a state, old or new"),
    (
        "jax_train_epoch",
        {"key, order_key = jax.random.split(state.key)": "key = order_key = state.key"},
        "that came in",
    ),
)


@pytest.mark.parametrize(("id", "edits", "said"), SLIPS, ids=[f"{id}-{said}" for id, _, said in SLIPS])
def test_a_slip_is_named(id, edits, said):
    exercise = find(id)
    known = answer_key.load(answer_key.public_file(stage_of(id).name))[id]
    verdict = judge(exercise, known, collect(id, Rewrite(said, edits).of(exercise.reference), known["cases"]))
    assert said in f"{verdict.known_mistake}: {verdict.message}"
    assert verdict.score < exercise.points
