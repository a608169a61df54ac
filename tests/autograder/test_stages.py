"""The table of stages: what a person may call one, what each needs, and that all it names is there."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from autograder import stages
from autograder.catalogue import exercises_of, find
from autograder.probes.run import probe_of
from autograder.stage_meant import stage_meant
from autograder.stages import (
    STAGE_NAMES,
    STAGES,
    TRACKS,
    Stage,
    UnknownExercise,
    UnknownStage,
    left_out_of,
    needed_by,
    stage_named,
    stage_of,
)

ROOT = Path(__file__).parents[2]
# two tracks, two stages whose names begin alike, and numbers of two digits
ROWS = (
    Stage("01_attention", "Attention", "attention", "torch", (), ("softmax",)),
    Stage("09_words", "Words", "words", "torch", (), ("tokenize",)),
    Stage("10_translation", "Translation", "translation", "torch", (), ("bleu",)),
    Stage("11_transfer", "Transfer", "transfer", "torch", (), ("freeze",)),
    Stage("21_attention", "Attention in JAX", "attention", "jax", (), ("mask",)),
)


def meant(text):
    return stage_meant(text, ROWS).name


@pytest.mark.parametrize(
    "text", ["10", " 10 ", "010", "10_translation", "10-Translation", "translation", "TRANSL", "10_t"]
)
def test_a_stage_is_meant_by_its_number_its_name_its_topic_or_their_beginning(text):
    assert meant(text) == "10_translation"


@pytest.mark.parametrize(
    ("text", "name"), [("1", "01_attention"), ("01", "01_attention"), ("21", "21_attention"), ("9", "09_words")]
)
def test_a_number_means_the_stage_of_that_number(text, name):
    assert meant(text) == name


@pytest.mark.parametrize(
    ("text", "these"), [("attention", "01_attention or 21_attention"), ("trans", "10_translation or 11_transfer")]
)
def test_what_may_be_several_is_refused_with_their_names(text, these):
    with pytest.raises(UnknownStage, match=f"may be {these}; say which"):
        meant(text)


@pytest.mark.parametrize("text", ["99", "0", "2", "decoding", "", "  ", "_", "1_translation"])
def test_what_is_none_is_refused_with_all_that_there_are(text):
    with pytest.raises(UnknownStage, match="there are 01_attention, 09_words, 10_translation, 11_transfer"):
        meant(text)


@pytest.mark.parametrize(("text", "offer"), [("09_wrods", "09_words"), ("atention", "01_attention")])
def test_the_nearest_is_offered(text, offer):
    with pytest.raises(UnknownStage, match=f"Did you mean {offer}"):
        meant(text)


@pytest.mark.parametrize(
    ("text", "name"), [("attention", "01_attention"), ("model", "22_jax_model"), ("att", "01_attention")]
)
def test_a_topic_means_the_track_that_has_it(text, name):
    assert stage_meant(text).name == name


@pytest.mark.parametrize(("text", "name"), [("attention", "21_jax_attention"), ("train", "23_jax_training")])
def test_in_a_course_of_one_track_a_topic_needs_no_track(text, name):
    assert stage_meant(text, tuple(stage for stage in STAGES if stage.track == "jax")).name == name


def test_the_other_track_is_not_offered_where_a_course_does_not_have_it():
    with pytest.raises(UnknownStage) as refused:
        stage_meant("jax_attention", tuple(stage for stage in STAGES if stage.track == "torch"))
    assert "21_jax" not in str(refused.value)


def test_where_there_are_no_stages_that_is_said():
    with pytest.raises(UnknownStage, match="There are no stages here"):
        stage_meant("1", ())


@pytest.mark.parametrize("stage", STAGES, ids=STAGE_NAMES)
def test_each_stage_is_found_by_name_number_and_exercise(stage):
    assert stage_named(stage.name) is stage_meant(str(stage.number)) is stage
    assert {stage_of(exercise).name for exercise in stage.exercises} == {stage.name}


def test_names_numbers_and_exercises_are_there_once():
    exercises = [exercise for stage in STAGES for exercise in stage.exercises]
    for names in (STAGE_NAMES, [stage.number for stage in STAGES], exercises):
        assert len(set(names)) == len(names)
    assert sorted(STAGE_NAMES) == list(STAGE_NAMES)


def test_an_exercise_that_nobody_knows_is_answered_with_the_nearest():
    with pytest.raises(UnknownExercise, match="Did you mean “softmax”"):
        stage_of("sofmax")
    with pytest.raises(UnknownExercise, match="The ids are softmax, scaled_dot_product"):
        stage_of("%")


@pytest.mark.parametrize("stage", STAGES, ids=STAGE_NAMES)
def test_needs_go_on_through_others_and_never_come_back(stage):
    needed = needed_by(stage.name)
    assert stage.name not in needed
    assert set(stage.needs) <= needed
    assert all(needed_by(name) <= needed for name in needed)


def test_needs_are_followed_through_others(monkeypatch):
    first, second, third, other, _ = ROWS
    rows = (first, replace(second, needs=(first.name,)), replace(third, needs=(second.name,)), other)
    monkeypatch.setattr(stages, "STAGES", rows)
    for known in (needed_by, left_out_of):
        known.cache_clear()
    assert needed_by(third.name) == {first.name, second.name}
    assert left_out_of(third.name) == {"bleu", "freeze"}
    for known in (needed_by, left_out_of):
        known.cache_clear()


@pytest.mark.parametrize("stage", STAGES, ids=STAGE_NAMES)
def test_every_exercise_is_declared_and_has_a_probe(stage):
    assert [exercise.id for exercise in exercises_of(stage.name)] == list(stage.exercises)
    for exercise in stage.exercises:
        assert find(exercise).id == exercise
        assert callable(probe_of(exercise))


def test_no_room_compares_a_track_with_one_by_name():
    """A track is a row of a table that is looked up: another framework needs no `if` anywhere."""
    compared = re.compile(rf"""track\S*\s+(?:==|!=|in|not in)\s+[\[({{]?["'](?:{"|".join(TRACKS)})["']""")
    assert compared.search('if stage.track == "jax":')
    files = [path for room in ("autograder", "course_lib") for path in (ROOT / room).rglob("*.py")]
    assert [str(path) for path in files if compared.search(path.read_text("utf-8"))] == []
