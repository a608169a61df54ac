"""Exercises, answers, verdicts, and the engine that grades a class."""


def check(exercise_id=None, student=None):
    """Judge what a student wrote; see `autograder.practice.check.check`."""
    from autograder.practice.check import check as judge_it

    return judge_it(exercise_id, student)
