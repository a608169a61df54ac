"""Every stage after the first, graded from submission to verdict: finished, untouched, and with a known mistake."""

from types import SimpleNamespace

import pytest

from autograder.catalogue import exercises_of, find
from autograder.course.demo.run import submission
from autograder.course.demo.submissions import Handed
from autograder.course.init import init_course
from autograder.grading.run import grade_stage
from autograder.grading.task import close_workers
from autograder.stages import STAGE_NAMES
from tests.public_answers import give_public_answers

MISTAKES = {
    "02_multi_head": ("CrossAttention", "mask lost when causal"),
    "03_positions": ("PositionalEncoding", "exponent doubled"),
    "04_encoder": ("TransformerEncoder", "maps without the mask, on a masked way"),
    "05_decoder": ("shift_right", "not shifted"),
    "06_training": ("train_step", "gradients never emptied"),
    "07_reverse": ("reverse_loss", "cross-entropy on probabilities"),
    "08_anomaly": ("anomaly_loss", "positional encoding left on"),
    "09_words": ("Vocabulary", "special tokens counted"),
    "10_translation": ("beam_search", "stops when beam_size have ended"),
    "11_sentences": ("SentenceClassifier", "encoder sees the padding"),
    "12_origins": ("GraphAttention", "adjacency transposed"),
    "13_language_model": ("next_token_loss", "mask of the input"),
    "14_inside": ("induction_score", "mean over all queries"),
    "21_jax_attention": ("jax_scaled_dot_product", "no scaling"),
    "22_jax_model": ("jax_EncoderBlock", "one key for both dropouts"),
    "23_jax_training": ("jax_train_step", "state.key returned unchanged"),
}


def test_every_stage_after_the_first_is_here():
    assert ["01_attention", *MISTAKES] == list(STAGE_NAMES)


@pytest.fixture(scope="module", params=MISTAKES)
def graded(request, tmp_path_factory):
    """The verdicts on a class of three, by student."""
    stage = request.param
    course = init_course(tmp_path_factory.mktemp("stages") / "course", only=(stage,))
    give_public_answers(course, stage)
    exercise = find(MISTAKES[stage][0])
    mistake = next(row for row in exercise.mistakes if row.name == MISTAKES[stage][1])
    untouched = {one.id: None for one in exercises_of(stage)}
    for student, given in {
        "finished": {},
        "untouched": untouched,
        "mistaken": {exercise.id: mistake.source(exercise.reference)},
    }.items():
        path = course.submitted_file(stage, student)
        path.parent.mkdir(parents=True)
        path.write_bytes(submission(Handed(student, 0, given), course.release(stage), stage))
    verdicts = {one["student"]: one for one in grade_stage(course, stage)["submissions"]}
    close_workers()
    return SimpleNamespace(stage=stage, **verdicts)


@pytest.mark.sandbox
def test_a_finished_stage_has_full_marks(graded):
    assert {one["status"] for one in graded.finished["exercises"]} == {"right"}
    assert graded.finished["score"] == graded.finished["max_score"]
    assert (graded.finished["repairs"], graded.finished["flags"]) == ([], [])


def test_an_untouched_stage_is_not_attempted(graded):
    assert {one["status"] for one in graded.untouched["exercises"]} == {"not_attempted"}
    assert graded.untouched["score"] == 0


def test_a_known_mistake_costs_its_exercise_alone_and_is_named(graded):
    exercise, name = MISTAKES[graded.stage]
    named = {one["id"]: one["misconception"] for one in graded.mistaken["exercises"] if one["status"] != "right"}
    assert named == {exercise: name}
    assert 0 < graded.mistaken["score"] < graded.mistaken["max_score"]
