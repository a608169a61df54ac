"""More than one writer to a course on SQLite: they wait for each other, and nothing is lost."""

import sqlite3
import threading

import pytest
from sqlalchemy.exc import OperationalError

from autograder.grading.gradebook import Writer

STAGE = "01_attention"
MARKS = {"scores": {"test_softmax": 2.5}, "untouched": []}


def test_two_runs_over_the_same_class_at_once_end_in_one_right_gradebook(course, undisturbed, tools):
    graders = [tools.start(course, "--jobs", "1") for _ in range(2)]
    said = [grader.communicate(timeout=300) for grader in graders]
    assert [grader.returncode for grader in graders] == [1, 1], said  # one file of the class is no notebook
    assert tools.rows(course) == undisturbed.rows
    assert tools.verdicts(graders[0].outcome()) == undisturbed.verdicts


def test_a_writer_waits_while_another_program_holds_the_database(graded):
    held = sqlite3.connect(graded.root / "gradebook.db", check_same_thread=False)
    held.execute("BEGIN IMMEDIATE")
    release = threading.Timer(0.7, held.rollback)
    release.start()
    with Writer(graded, STAGE) as writer:
        writer.record("all-right", MARKS, flagged=False)
        assert not release.is_alive()
        assert writer.gradebook.find_grade("test_softmax", STAGE, STAGE, "all-right").auto_score == 2.5
    held.close()


def test_a_writer_that_was_disturbed_tries_again(graded, monkeypatch):
    record, disturbances = Writer._record, [OperationalError("", {}, Exception("database is locked"))] * 2

    def disturbed(self, *arguments):
        if disturbances:
            raise disturbances.pop()
        record(self, *arguments)

    monkeypatch.setattr(Writer, "_record", disturbed)
    with Writer(graded, STAGE) as writer:
        writer.record("all-right", MARKS, flagged=False)
        assert writer.gradebook.find_grade("test_softmax", STAGE, STAGE, "all-right").auto_score == 2.5


def test_an_error_that_stays_is_raised_and_leaves_the_old_marks(graded, undisturbed, tools, monkeypatch):
    monkeypatch.setattr("autograder.grading.gradebook.TRIES", 1)
    step = "autograder.grading.gradebook.settle_students"
    monkeypatch.setattr(step, lambda *_: (_ for _ in ()).throw(OperationalError("", {}, None)))
    with Writer(graded, STAGE) as writer, pytest.raises(OperationalError):
        writer.record("all-right", MARKS, flagged=True)
    assert tools.rows(graded) == undisturbed.rows
