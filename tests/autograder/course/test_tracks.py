"""Which stages a course has: those of one framework, unless others are named."""

import pytest

from autograder.course import init
from autograder.course.grade import exercise_meant
from autograder.errors import CourseError
from autograder.stages import STAGES, stage_named


def names(track):
    return {stage.name for stage in STAGES if stage.track == track}


@pytest.mark.parametrize(("track", "expected"), [(None, "torch"), ("torch", "torch"), ("jax", "jax")])
def test_a_new_course_has_the_stages_of_one_track(tmp_path, track, expected):
    assert set(init.wanted_stages(tmp_path, (), track)) == names(expected)


def test_a_course_of_one_track_does_not_grow_the_other_when_it_is_refreshed(tmp_path):
    (tmp_path / "source" / "21_jax_attention").mkdir(parents=True)
    assert set(init.wanted_stages(tmp_path, (), None)) == names("jax")


def test_a_course_may_have_both(tmp_path):
    assert init.wanted_stages(tmp_path, ("1", "21"), None) == ("01_attention", "21_jax_attention")
    (tmp_path / "source" / "21_jax_attention").mkdir(parents=True)
    (tmp_path / "source" / "01_attention").mkdir()
    assert set(init.wanted_stages(tmp_path, (), None)) == names("jax") | names("torch")


def test_a_stage_of_the_other_track_is_refused_in_a_sentence(tmp_path):
    with pytest.raises(CourseError, match="01_attention is a stage of the torch track; leave --track jax out"):
        init.init_course(tmp_path / "course", only=("1",), track="jax")
    assert not (tmp_path / "course").exists()


def test_an_unknown_track_is_refused_with_those_that_there_are(tmp_path):
    with pytest.raises(CourseError, match="no track “keras”; the tracks are torch and jax"):
        init.init_course(tmp_path / "course", track="keras")


@pytest.mark.parametrize("text", ["expand_mask", "jax_expand_mask"])
def test_an_exercise_of_the_jax_track_is_meant_by_its_id_and_by_the_name_that_students_write(text):
    stage = stage_named("21_jax_attention")
    assert exercise_meant(text, [*stage.exercises], stage.name) == "jax_expand_mask"


def test_a_teachers_own_test_keeps_its_name_and_the_other_track_is_not_offered():
    assert exercise_meant("my_test", ["softmax", "my_test"], "01_attention") == "my_test"
    with pytest.raises(CourseError) as refused:
        exercise_meant("jax_expand_mask", [*stage_named("01_attention").exercises], "01_attention")
    assert str(refused.value) == "01_attention has no exercise jax_expand_mask: did you mean expand_mask?"
