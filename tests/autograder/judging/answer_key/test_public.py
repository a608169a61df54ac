"""The committed answers: the reference reproduces them, and the build recomputes those that may have changed."""

import pytest

from autograder.build import release
from autograder.catalogue import exercises_of
from autograder.judging import answer_key
from autograder.judging.answer_key.compute import expected_of
from autograder.stages import STAGE_NAMES

EXERCISES = [(stage, exercise) for stage in STAGE_NAMES for exercise in exercises_of(stage)]
STAGE = "01_attention"


@pytest.fixture
def committed(tmp_path):
    """A copy of the answers of a stage, and of the record of what they were made from; nothing is computed."""
    here = answer_key.public_file(STAGE)
    for path in (here, here.with_suffix(".sources_digest")):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    return tmp_path / here.name


@pytest.mark.parametrize(("stage", "exercise"), EXERCISES, ids=[exercise.id for _, exercise in EXERCISES])
def test_the_reference_gives_the_committed_answers(stage, exercise):
    known = answer_key.load(answer_key.public_file(stage))[exercise.id]
    cases, expected = expected_of(exercise, answer_key.PUBLIC_SEED)
    assert answer_key.same(known["cases"], cases, 1e-6)
    assert answer_key.same(known["expected"], expected, 1e-6)


@pytest.mark.parametrize("stage", STAGE_NAMES)
def test_the_committed_answers_were_made_from_the_files_as_they_are(stage):
    assert release.still_hold(stage)


def test_answers_that_somebody_changed_do_not_hold(committed):
    assert release.still_hold(STAGE, committed)
    committed.write_bytes(committed.read_bytes() + b" ")
    assert not release.still_hold(STAGE, committed)


def test_answers_made_from_other_files_do_not_hold(committed):
    record = committed.with_suffix(".sources_digest")
    record.write_text("of other files\n" + record.read_text().partition("\n")[2])
    assert not release.still_hold(STAGE, committed)


def test_answers_without_a_record_do_not_hold(committed):
    committed.with_suffix(".sources_digest").unlink()
    assert not release.still_hold(STAGE, committed)
