"""The build writes no answers of an exercise that doesn't hold what it promises, and says what is wrong with it."""

from dataclasses import replace

import pytest
import torch

from autograder.build import proof, release
from autograder.catalogue.checks import is_true, matches
from autograder.catalogue.edits import mistake
from autograder.catalogue.exercise import Case, Criterion, Exercise


def right(logits):
    return torch.softmax(logits, -1)


def subtracting(logits):
    return torch.softmax(logits - logits.max(), -1)


def halved(logits):
    return torch.softmax(logits, -1) / 2


def halved_again(logits):
    """The same mistake, of which another sentence is said."""
    return torch.softmax(logits, -1) / 2


def clamped(logits):
    """Wrong only if the first logit is negative."""
    return torch.softmax(torch.cat([logits[:1].clamp(min=0), logits[1:]]), -1)


def wrong(way, says="It is wrong."):
    return mistake(way.__name__, way).because(says, "Why?")


HOLDS = Exercise(
    id="softmax",
    title="A softmax",
    reference=right,
    cases=(Case("values", lambda g: {"logits": torch.randn(3, generator=g)}),),
    criteria=(Criterion("values", 1, matches("values")),),
    mistakes=(wrong(halved),),
    right_variants=(subtracting,),
)
NEVER = Criterion("never lost", 1, is_true("values", ["weights"], lambda weights: True, "never"))
FAULTS = {
    "a right way loses points": (
        replace(HOLDS, right_variants=(halved,)),
        "softmax: “halved” is right and doesn't have full marks:",
    ),
    "a mistake loses nothing": (
        replace(HOLDS, mistakes=(wrong(halved), wrong(subtracting))),
        "softmax: “subtracting” loses nothing.",
    ),
    "a mistake is taken for another": (
        replace(HOLDS, mistakes=(wrong(halved), wrong(halved_again, "It halves twice."))),
        "softmax: “halved_again” isn't named; the judge says “halved”.",
    ),
    "a criterion is lost by nobody": (
        replace(HOLDS, criteria=(*HOLDS.criteria, NEVER)),
        "softmax: no known mistake loses “never lost”.",
    ),
    "it depends on the numbers": (
        replace(HOLDS, mistakes=(wrong(halved), wrong(clamped))),
        "under one seed and",
    ),
}


def test_what_holds_is_the_answer_key_under_the_public_seed():
    known = proof.proved(HOLDS)
    assert known["loses"] == {"halved": ["values"]}
    assert known["cases"]["values"]["tensors"]["logits"].shape == (3,)


@pytest.mark.parametrize(("exercise", "sentence"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_said_in_a_sentence(exercise, sentence):
    with pytest.raises(proof.CatalogueFault) as refused:
        proof.proved(exercise)
    assert sentence in str(refused.value)


def test_no_answers_are_written_for_such_a_stage(monkeypatch):
    monkeypatch.setattr(release, "exercises_of", lambda stage: (FAULTS["a criterion is lost by nobody"][0],))
    with pytest.raises(proof.CatalogueFault, match="no known mistake loses “never lost”"):
        release.answers_of("01_attention")


def test_answers_are_proved_again_if_what_is_asked_of_them_has_changed(monkeypatch):
    assert release.still_hold("01_attention")
    monkeypatch.setattr(release, "proof_digest", lambda: "of another proof")
    assert not release.still_hold("01_attention")
