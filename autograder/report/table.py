"""The table beside the report: a row for each student who handed in."""

from collections.abc import Iterator

from autograder.report.data import ClassData
from autograder.report.summary import Summary
from autograder.shorten_list import shorten_list

NAMED = 10  # of a group that is alike: two hundred are not written two hundred times in full
COLUMNS = (
    "student",
    "status",
    "automatic_points",
    "by_hand_points",
    "late_penalty",
    "grace_days_used",
    "grace_days_left",
    "score",
    "max_score",
    "to_grade_by_hand",
    "seconds",
    "flags",
    "repairs",
    "same_answers_as",
)


def rows(data: ClassData, summary: Summary) -> Iterator[list]:
    """Header first; for each exercise points, status and misconception follow."""
    exercises = [exercise.id for exercise in summary.exercises]
    parts = ("points", "status", "misconception")
    yield [*COLUMNS, *(f"{exercise} {part}" for exercise in exercises for part in parts)]
    verdicts = {submission["student"]: submission for submission in data.submissions}
    for student in data.handed_in:
        yield [student, *_row(data, student, verdicts.get(student)), *_exercises(verdicts.get(student), exercises)]


def _row(data: ClassData, student: str, submission: dict | None) -> list:
    score = data.scores.get(student)
    graded = score if score and score.grade is not None else None
    points = (graded.automatic, graded.by_hand, graded.penalty) if graded else (None,) * 3
    grace = (score.grace.used, score.grace.left) if score and score.grace else (None, None)
    numbers = (*points, *grace, graded.grade if graded else None, score.max_score if score else None)
    others = {other for found in data.alike if student in found.students for other in found.students} - {student}
    return [
        submission["status"] if submission else "not graded",
        *numbers,
        "; ".join(score.by_hand_open) if score else "",
        submission["seconds"] if submission else None,
        " ".join(submission["flags"]) if submission else "",
        " ".join(submission["repairs"]) if submission else "",
        shorten_list(sorted(others), NAMED, between="; "),
    ]


def _exercises(submission: dict | None, exercises: list[str]) -> Iterator:
    verdicts = {verdict["id"]: verdict for verdict in submission["exercises"]} if submission else {}
    for exercise in exercises:
        verdict = verdicts.get(exercise)
        yield from (verdict["score"], verdict["status"], verdict["misconception"]) if verdict else (None,) * 3
