"""Two mistakes in one answer: the pair is found by running the reference under both edits, and both are said."""

import pytest

from autograder.catalogue import find
from autograder.judging import answer_key
from autograder.judging.answer_key import pairs
from autograder.judging.answer_key.solutions import solutions_of
from autograder.judging.judge import judge
from autograder.probes.run import collect
from autograder.stages import stage_of


def verdict_on(exercise_id, answer):
    exercise = find(exercise_id)
    known = answer_key.load(answer_key.public_file(stage_of(exercise_id).name))[exercise_id]
    return judge(exercise, known, collect(exercise_id, answer, known["cases"]))


def twice_wrong(exercise_id, *names):
    exercise = find(exercise_id)
    one, other = (next(m for m in exercise.mistakes if m.name == name) for name in names)
    reference = solutions_of(exercise.reference, ())[0]
    return reference.defined(pairs.Both(one, other).of(reference.source))


PAIRS = [
    ("LayerNorm", "unbiased variance", "bias not used"),
    ("pad_batch", "sorted by length", "tokens alone"),
    ("gru_step", "old state forgotten", "reset gate on x"),
]


@pytest.fixture(autouse=True)
def enough_time(monkeypatch):
    monkeypatch.setattr(pairs, "SECONDS", 60.0)  # what is found must not depend on the machine


@pytest.mark.parametrize(("exercise_id", "one", "other"), PAIRS)
def test_both_slips_are_named_and_said(exercise_id, one, other):
    verdict = verdict_on(exercise_id, twice_wrong(exercise_id, one, other))
    says = {mistake.name: mistake.says for mistake in find(exercise_id).mistakes}
    assert {*verdict.known_mistake.split(" and ")} == {one, other}
    assert verdict.message.startswith("Two things at once. ")
    assert says[one] in verdict.message
    assert says[other] in verdict.message


def test_where_the_time_is_over_nothing_is_named(monkeypatch):
    monkeypatch.setattr(pairs, "SECONDS", 0.0)
    assert verdict_on("LayerNorm", twice_wrong("LayerNorm", *PAIRS[0][1:])).known_mistake is None


def test_a_wrong_answer_that_is_no_pair_gets_no_name():
    def cubes(x, h, weights):
        return h**3 + x.sum()

    assert verdict_on("gru_step", cubes).known_mistake is None


def test_two_mistakes_that_lead_to_one_question_are_not_named_together():
    question = find("logit_lens").mistakes[0].asks
    together = [row.name for row in find("logit_lens").mistakes if row.asks == question][:2]
    tried = [pair for pair in pairs.pairs_of(find("logit_lens")) if {row.name for row in pair} == {*together}]
    assert not tried
