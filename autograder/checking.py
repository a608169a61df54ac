"""`check`, as a student calls it below an exercise: the judge on the public cases, in the student's own kernel."""

import inspect
import sys
from collections.abc import Callable

from autograder import answers
from autograder.card import html_card, text_card
from autograder.exercise import Exercise
from autograder.exercises import UnknownExercise, find, stage_of
from autograder.judge import Verdict, judge, refuse
from autograder.probes import collect
from autograder.shortcuts import shortcut


class Score(float):
    """Points, whose `repr` is a plain number: what nbgrader's partial credit and Validate read.

    >>> Score(2.5)
    2.5
    """

    def __new__(cls, points: float, verdict: Verdict | None = None, note: str = ""):
        score = super().__new__(cls, points)
        score.verdict, score.note = verdict, note
        return score

    def __repr__(self) -> str:
        return f"{float(self):g}"

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict:
        rich = html_card(self.verdict) if self.verdict else f"<p>{self.note}</p>"
        return {"text/plain": repr(self), "text/html": rich}


def check(exercise_id: str, student: Callable | None = None) -> Score:
    """Judge what a student wrote, on the public cases, and show why.

    Args:
        exercise_id: the name of the exercise.
        student: the student's function or class; looked up by that name when it is left out.

    Returns:
        The points, which display as a card in a notebook and are printed as text elsewhere.
    """
    try:
        exercise = find(exercise_id)
    except UnknownExercise as unknown:
        return _told(str(unknown))
    if student is None:
        student = getattr(sys.modules["__main__"], exercise_id, None)
    wrong_thing = _not_the_right_kind(exercise, student)
    if wrong_thing:
        return _told(wrong_thing)
    path = answers.public_file(stage_of(exercise_id))
    if not path.exists():
        return _told(f"The answers to “{exercise_id}” are not installed: reinstall attention-workshop.")
    verdict = verdict_on(exercise, student, answers.load(path)[exercise_id])
    if not _shows_html():
        print(text_card(verdict))
    return Score(verdict.score, verdict)


def verdict_on(exercise: Exercise, student: Callable, known: dict) -> Verdict:
    """The verdict on an object of this process."""
    if sentence := shortcut(exercise, _sources(student)):
        return refuse(exercise, "forbidden", sentence)
    return judge(exercise, known, collect(exercise.id, student, known["cases"]))


def _not_the_right_kind(exercise: Exercise, student) -> str | None:
    name, due = exercise.id, "class" if inspect.isclass(exercise.reference) else "function"
    if student is None:
        return f"There is nothing named {name} here yet: run the cell that defines it, then this one."
    if due == "class" and not inspect.isclass(student):
        came = "an instance" if type(student).__name__ == name else f"a {type(student).__name__}"
        return f"{name} is a class; what came is {came}. Write check(“{name}”, {name}), without parentheses after it."
    if due == "function" and (inspect.isclass(student) or not callable(student)):
        came = "a class" if inspect.isclass(student) else f"a {type(student).__name__}"
        return f"{name} is a function; what came is {came}. Write check(“{name}”, {name}), without calling it."
    return None


def _sources(student: Callable) -> list[str]:
    """The cells of this session; outside a notebook, the object's own source."""
    shell = _shell()
    if shell is not None and "In" in shell.user_ns:
        return list(shell.user_ns["In"])
    try:
        return [inspect.getsource(student)]
    except (OSError, TypeError):
        return []


def _told(sentence: str) -> Score:
    if not _shows_html():
        print(sentence)
    return Score(0, note=sentence)


def _shell():
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython else None


def _shows_html() -> bool:
    return type(_shell()).__name__ not in ("NoneType", "TerminalInteractiveShell")
