"""Every exercise, held to what it declares: right answers pass, wrong ones lose what they break and are named."""

import inspect
import pickle
import re
import textwrap
from functools import cache

import numpy as np
import pytest

from autograder.catalogue import exercises_of, find
from autograder.catalogue.checks import COMMON
from autograder.judging import answer_key
from autograder.judging.agreement import agree
from autograder.judging.answer_key.compute import answer_key_and_runs
from autograder.judging.judge import judge
from autograder.probes.run import collect
from autograder.stages import STAGE_NAMES

HIDDEN_SEED = 20011
EXERCISES = [(stage, exercise) for stage in STAGE_NAMES for exercise in exercises_of(stage)]
ids = [exercise.id for _, exercise in EXERCISES]


@pytest.fixture(scope="module")
def computed(made_once):
    """Answers under a seed that is not the public one, and what each mistake gave: once for each exercise."""

    @cache
    def of(exercise_id):
        def make(folder):
            (folder / "answers_and_runs").write_bytes(pickle.dumps(answer_key_and_runs(find(exercise_id), HIDDEN_SEED)))

        return pickle.loads((made_once(f"answers-{exercise_id}", make) / "answers_and_runs").read_bytes())

    return of


@pytest.fixture(scope="module")
def drawn(computed):
    """The answers of an exercise."""
    return lambda exercise: computed(exercise.id)[0]


def verdict_on(exercise, implementation, drawn):
    return judge(exercise, drawn(exercise), collect(exercise.id, implementation, drawn(exercise)["cases"]))


def lost(verdict):
    return {share.name: share.finding.text for share in verdict.criteria if not share.passed}


@pytest.mark.parametrize(("stage", "exercise"), EXERCISES, ids=ids)
def test_the_reference_gets_full_marks(stage, exercise, drawn):
    verdict = verdict_on(exercise, exercise.reference, drawn)
    assert verdict.status == "right", lost(verdict)
    assert verdict.score == exercise.points


SHARED = [exercise for _, exercise in EXERCISES if exercise.answer_key_of]


@pytest.mark.parametrize("exercise", SHARED, ids=lambda exercise: exercise.id)
def test_the_reference_gives_what_that_of_the_other_track_gives(exercise, drawn):
    shared = {case.name: case for case in exercise.cases if exercise.answered_by(case) is not exercise}
    known = drawn(exercise)
    actual = collect(exercise.id, exercise.reference, {name: known["cases"][name] for name in shared})
    assert [
        name
        for name, case in shared.items()
        if not agree(actual[name], known["expected"][name], kinds=True, tolerance=case.tolerance)
    ] == []


RIGHT = [(exercise, name, variant) for _, exercise in EXERCISES for name, variant in exercise.variants.items()]


@pytest.mark.parametrize(("exercise", "name", "variant"), RIGHT, ids=[f"{e.id}-{name}" for e, name, _ in RIGHT])
def test_another_right_way_gets_full_marks(exercise, name, variant, drawn):
    verdict = verdict_on(exercise, variant, drawn)
    assert verdict.status == "right", lost(verdict)


NAMED = [(exercise, wrong) for _, exercise in EXERCISES for wrong in exercise.mistakes]


@pytest.mark.parametrize(("exercise", "wrong"), NAMED, ids=[f"{e.id}-{w.name}" for e, w in NAMED])
def test_a_known_mistake_is_named(exercise, wrong, computed):
    known, runs = computed(exercise.id)
    verdict = judge(exercise, known, runs[wrong.name])
    assert verdict.known_mistake in {row.name for row in exercise.mistakes if row.says == wrong.says}
    assert verdict.score < exercise.points


@pytest.mark.parametrize(("stage", "exercise"), EXERCISES, ids=ids)
def test_every_wrong_answer_loses_what_the_table_says_whatever_the_numbers(stage, exercise, drawn):
    table = answer_key.load(answer_key.public_file(stage))[exercise.id]["loses"]
    assert drawn(exercise)["loses"] == table
    assert all(table.values())


@pytest.mark.parametrize(("stage", "exercise"), EXERCISES, ids=ids)
def test_every_known_mistake_has_a_sentence_of_its_own(stage, exercise):
    assert [wrong.name for wrong in exercise.mistakes if not wrong.says.rstrip("`)”").endswith((".", "?", "!"))] == []


@pytest.mark.parametrize(("stage", "exercise"), EXERCISES, ids=ids)
def test_no_two_rows_have_one_name(stage, exercise):
    names = [wrong.name for wrong in exercise.mistakes]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(("stage", "exercise"), EXERCISES, ids=ids)
def test_every_criterion_is_lost_by_some_wrong_answer(stage, exercise, drawn):
    broken = {name for loses in drawn(exercise)["loses"].values() for name in loses}
    assert {share.name for share in exercise.criteria} <= broken


@pytest.mark.parametrize(("stage", "exercise"), EXERCISES, ids=ids)
def test_every_exercise_holds_an_answer_to_arguments_modes_seeds_and_dtypes(stage, exercise, drawn):
    assert [COMMON] in drawn(exercise)["loses"].values()


@pytest.mark.parametrize(("stage", "exercise"), EXERCISES, ids=ids)
def test_a_stub_is_not_attempted(stage, exercise, drawn):
    def stub(*arguments, **named):
        raise NotImplementedError

    verdict = verdict_on(exercise, stub, drawn)
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
def test_other_names_inside_a_class_cost_one_criterion_at_most(exercise, drawn):
    verdict = verdict_on(exercise, renamed(exercise.reference), drawn)
    assert len(lost(verdict)) <= 1, lost(verdict)
    assert verdict.status == "right" or verdict.known_mistake


def test_what_torch_cannot_do_is_an_error_of_an_attempt(drawn):
    def floats_are_no_booleans(q, k, v, mask=None):
        return q & q, k & k

    verdict = verdict_on(find("scaled_dot_product"), floats_are_no_booleans, drawn)
    assert (verdict.status, verdict.score) == ("error", 0)


PRINTED = [(e, case) for _, e in EXERCISES for case in e.cases if case.printed is not None]


@pytest.mark.parametrize(("exercise", "case"), PRINTED, ids=[case.name for _, case in PRINTED])
def test_numbers_printed_elsewhere_are_what_the_reference_gives(exercise, case, drawn):
    assert case.source
    inputs = drawn(exercise)["cases"][case.name]
    found = collect(exercise.id, exercise.reference, {case.name: inputs})[case.name]["tensors"]
    for name, value in case.printed.items():
        assert np.allclose(found[name], value, rtol=0, atol=case.tolerance)
