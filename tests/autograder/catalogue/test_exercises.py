"""Every exercise, held to what it declares: right answers pass, wrong ones lose what they break and are named."""

import inspect
import re
import textwrap

import numpy as np
import pytest

from autograder.build.proof import proved
from autograder.catalogue import exercises_of, find
from autograder.catalogue.checks import COMMON
from autograder.judging import answer_key
from autograder.judging.agreement import agree
from autograder.judging.judge import judge
from autograder.probes.run import collect
from autograder.stages import STAGE_NAMES, stage_of

EXERCISES = [(stage, exercise) for stage in STAGE_NAMES for exercise in exercises_of(stage)]
ids = [exercise.id for _, exercise in EXERCISES]
HERE = [  # of each stage the one that takes least: the build has proved them all, on the machine that it ran on
    min(exercises_of(stage), key=lambda exercise: len(exercise.cases) * len(exercise.mistakes)) for stage in STAGE_NAMES
]


def known(exercise):
    """The committed answers of an exercise, and what its known mistakes gave."""
    return answer_key.load(answer_key.public_file(stage_of(exercise.id).name))[exercise.id]


def verdict_on(exercise, implementation):
    return judge(exercise, known(exercise), collect(exercise.id, implementation, known(exercise)["cases"]))


def lost(verdict):
    return {share.name: share.finding.text for share in verdict.criteria if not share.passed}


@pytest.mark.parametrize(("stage", "exercise"), EXERCISES, ids=ids)
def test_the_reference_gets_full_marks(stage, exercise):
    verdict = verdict_on(exercise, exercise.reference)
    assert verdict.status == "right", lost(verdict)
    assert verdict.score == exercise.points


SHARED = [exercise for _, exercise in EXERCISES if exercise.answer_key_of]


@pytest.mark.parametrize("exercise", SHARED, ids=lambda exercise: exercise.id)
def test_the_reference_gives_what_that_of_the_other_track_gives(exercise):
    shared = {case.name: case for case in exercise.cases if exercise.answered_by(case) is not exercise}
    cases, expected = known(exercise)["cases"], known(exercise)["expected"]
    actual = collect(exercise.id, exercise.reference, {name: cases[name] for name in shared})
    assert [
        name
        for name, case in shared.items()
        if not agree(actual[name], expected[name], kinds=True, tolerance=case.tolerance)
    ] == []


RIGHT = [(exercise, name, variant) for _, exercise in EXERCISES for name, variant in exercise.variants.items()]


@pytest.mark.parametrize(("exercise", "name", "variant"), RIGHT, ids=[f"{e.id}-{name}" for e, name, _ in RIGHT])
def test_another_right_way_gets_full_marks(exercise, name, variant):
    verdict = verdict_on(exercise, variant)
    assert verdict.status == "right", lost(verdict)


@pytest.mark.parametrize("exercise", HERE, ids=lambda exercise: exercise.id)
def test_whatever_the_numbers_every_wrong_answer_is_named_and_loses_what_the_table_says(exercise):
    assert proved(exercise)["loses"] == known(exercise)["loses"]


@pytest.mark.parametrize(("stage", "exercise"), EXERCISES, ids=ids)
def test_every_known_mistake_has_a_sentence_of_its_own(stage, exercise):
    assert [wrong.name for wrong in exercise.mistakes if not wrong.says.rstrip("`)”").endswith((".", "?", "!"))] == []


@pytest.mark.parametrize(("stage", "exercise"), EXERCISES, ids=ids)
def test_no_two_rows_have_one_name(stage, exercise):
    names = [wrong.name for wrong in exercise.mistakes]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(("stage", "exercise"), EXERCISES, ids=ids)
def test_every_criterion_is_lost_by_some_wrong_answer(stage, exercise):
    broken = {name for loses in known(exercise)["loses"].values() for name in loses}
    assert {share.name for share in exercise.criteria} <= broken


@pytest.mark.parametrize(("stage", "exercise"), EXERCISES, ids=ids)
def test_every_exercise_holds_an_answer_to_arguments_modes_seeds_and_dtypes(stage, exercise):
    assert [COMMON] in known(exercise)["loses"].values()


@pytest.mark.parametrize(("stage", "exercise"), EXERCISES, ids=ids)
def test_a_stub_is_not_attempted(stage, exercise):
    def stub(*arguments, **named):
        raise NotImplementedError

    verdict = verdict_on(exercise, stub)
    assert (verdict.status, verdict.score) == ("not_attempted", 0)


def renamed(module):
    """The same class, with other names for its attributes; what a contract has besides parameters keeps its own."""
    source = textwrap.dedent(inspect.getsource(module))
    set_here = " ".join(re.findall(r"^ +((?:self\.\w+(?:, )?)+) = ", source, re.MULTILINE))
    for name in {*re.findall(r"self\.(\w+)", set_here)} - {"hyper_parameters"}:
        source = re.sub(rf"\bself\.{name}\b", f"self.my_{name}", source)
    scope = dict(vars(inspect.getmodule(module)))
    exec(source, scope)
    return scope[module.__name__]


MODULES = [exercise for _, exercise in EXERCISES if inspect.isclass(exercise.reference)]


@pytest.mark.parametrize("exercise", MODULES, ids=lambda exercise: exercise.id)
def test_other_names_inside_a_class_cost_one_criterion_at_most(exercise):
    verdict = verdict_on(exercise, renamed(exercise.reference))
    assert len(lost(verdict)) <= 1, lost(verdict)
    assert verdict.status == "right" or verdict.known_mistake


def test_what_torch_cannot_do_is_an_error_of_an_attempt():
    def floats_are_no_booleans(q, k, v, mask=None):
        return q & q, k & k

    verdict = verdict_on(find("scaled_dot_product"), floats_are_no_booleans)
    assert (verdict.status, verdict.score) == ("error", 0)


PRINTED = [(e, case) for _, e in EXERCISES for case in e.cases if case.printed is not None]


@pytest.mark.parametrize(("exercise", "case"), PRINTED, ids=[case.name for _, case in PRINTED])
def test_numbers_printed_elsewhere_are_what_the_reference_gives(exercise, case):
    assert case.source
    inputs = known(exercise)["cases"][case.name]
    found = collect(exercise.id, exercise.reference, {case.name: inputs})[case.name]["tensors"]
    for name, value in case.printed.items():
        assert np.allclose(found[name], value, rtol=0, atol=case.tolerance)
