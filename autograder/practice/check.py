"""`check`, as a student calls it below an exercise: the judge on the public cases, in the student's own kernel."""

import html
import inspect
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Self

import torch

from autograder.catalogue import exercises_of, find
from autograder.catalogue.exercise import Exercise
from autograder.judging import answer_key
from autograder.judging.judge import explained, points_of, refuse
from autograder.judging.page import Page
from autograder.judging.shortcuts import shortcut
from autograder.judging.upstream_errors import answers_called, carried_forward
from autograder.judging.verdict import Verdict
from autograder.logs import fault, own_log
from autograder.practice.card import html_card, text_card
from autograder.practice.card_errors import complaints
from autograder.practice.check_arguments import wrong_call, wrong_object
from autograder.practice.front_end import interactive_shell, shows_html
from autograder.practice.hints import hints_of
from autograder.practice.keep_source import keep_source
from autograder.probes.run import collect
from autograder.stages import UnknownExercise, stage_of
from course_lib.notebook.scores import keep_score

_statuses: dict[str, str] = {}  # of what was checked in this kernel


class Score(float):
    """Points, whose `repr` is a plain number: what nbgrader's partial credit and Validate read.

    >>> Score(2.5)
    2.5
    """

    verdict: Verdict | None
    rich: str

    def __new__(cls, points: float, verdict: Verdict | None = None, rich: str = "") -> Self:
        score = super().__new__(cls, points)
        score.verdict, score.rich = verdict, rich
        return score

    def __repr__(self) -> str:
        return f"{float(self):g}"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict:
        plain = {"text/plain": repr(self)}
        return plain | {"text/html": self.rich} if self.rich else plain


def check(exercise_id: str | None = None, student: Callable | None = None) -> Score:
    """Judge what a student wrote, on the public cases, and show why.

    Args:
        exercise_id: the name of the exercise.
        student: the student's function or class; looked up by that name when it is left out.

    Returns:
        The points, which display as a card in a notebook and are printed as text elsewhere.
    """
    if not isinstance(exercise_id, str):
        return _told(wrong_call(exercise_id))
    try:
        exercise = find(exercise_id)
    except UnknownExercise as unknown:
        return _told(str(unknown))
    except ImportError as missing:  # the framework of its track
        return _told(str(missing))
    if student is None:
        student = getattr(sys.modules["__main__"], exercise.name, None)
    if student is None:
        return _told(f"There is nothing named {exercise.name} here yet: run the cell that defines it, then this one.")
    if sentence := wrong_object(exercise, student):
        return _told(sentence)
    known = _answers_to(exercise_id)
    if known is None:
        return _told(f"The answers to “{exercise_id}” are not installed: reinstall attention-workshop.")
    return _judged(exercise, student, known)


def verdict_on(exercise: Exercise, student: Callable, known: dict) -> Verdict:
    """The verdict on an object of this process."""
    return _verdict_and_records(exercise, student, known)[0]


def _judged(exercise: Exercise, student: Callable, known: dict) -> Score:
    """The score, with its card; whatever fails here and is not the student's is one sentence."""
    begun = time.perf_counter()
    try:
        verdict, records = _verdict_and_records(exercise, student, known)
        errors = (
            [] if verdict.status in ("not_attempted", "right") else complaints(exercise, records, known["expected"])
        )
        shown = (True, errors, time.perf_counter() - begun, hints_of(stage_of(exercise.id).name, exercise.id))
        if not shows_html():
            print(text_card(verdict, *shown))
        score = Score(verdict.score, verdict, html_card(verdict, *shown))
    except SystemExit:
        return _told(f"Your {exercise.id} ended the program (exit). Let it return instead, and run this cell again.")
    except KeyboardInterrupt:
        raise
    except Exception as error:  # a fault of this package: a traceback through it would help nobody here
        where = own_log()
        fault(f"the check of {exercise.id}", error)
        return _told(
            f"The check of {exercise.id} itself failed ({type(error).__name__}: {error}). This says nothing "
            "about your code. Restart the kernel and run the page again; if it still fails, please report it "
            f"with {where}."
        )
    except BaseException as error:
        return _told(f"Your {exercise.id} raised {type(error).__name__}; raise a ValueError instead.")
    _keep(exercise, verdict)
    if verdict.status == "right" and (sentence := _keep_source(exercise, known)):
        print(sentence)
    return score


def _verdict_and_records(exercise: Exercise, student: Callable, known: dict) -> tuple[Verdict, dict]:
    page = Page(_sources(student))
    if sentence := shortcut(exercise, page):
        return refuse(exercise, "forbidden", sentence), {}
    records: dict[str, dict] = {}

    def judged(replaced: frozenset[str] = frozenset(), wanted: frozenset[str] = frozenset()) -> dict[str, Verdict]:
        # the page's own random numbers go on as if nothing had been checked
        with torch.random.fork_rng(devices=[]), _references(replaced):
            found = collect(exercise.id, student, known["cases"])
        verdict = points_of(exercise, known, found)
        if records:
            return {exercise.id: explained(verdict, exercise, known, found)}
        records.update(found)  # of the student's own
        return {exercise.id: verdict}

    def explain(_: str, verdict: Verdict) -> Verdict:
        return explained(verdict, exercise, known, records)

    verdicts = judged()
    _statuses[exercise.id] = verdicts[exercise.id].status
    others = [other.id for other in exercises_of(stage_of(exercise.id).name) if other.id != exercise.id]
    calls = {exercise.id: answers_called(exercise.id, page, others)}
    return carried_forward(verdicts, calls, _statuses, judged, explain=explain)[exercise.id], records


@contextmanager
def _references(names: frozenset[str]) -> Iterator[None]:
    """The reference's answers under these names, in place of the student's."""
    here = vars(sys.modules["__main__"])
    references = [find(name).reference for name in names]
    own = {reference.__name__: here[reference.__name__] for reference in references if reference.__name__ in here}
    here.update({reference.__name__: reference for reference in references if reference.__name__ in own})
    try:
        yield
    finally:
        here.update(own)


def _answers_to(exercise_id: str) -> dict | None:
    """The public answers, or None where they are missing, damaged, or of another version."""
    try:
        return answer_key.load(answer_key.public_file(stage_of(exercise_id).name)).get(exercise_id)
    except Exception:  # safetensors, json and the file system each have their own; all mean the same to a student
        return None


def _keep(exercise: Exercise, verdict: Verdict) -> None:
    """Note the score for `course_lib.progress()`, but not where a submission is graded."""
    if os.environ.get("COURSE_PICTURES") != "off":
        stage = stage_of(exercise.id).name
        points = {other.id: other.points for other in exercises_of(stage)}
        keep_score(stage, exercise.id, verdict.score, points)


def _keep_source(exercise: Exercise, known: dict) -> str | None:
    """Keep a right answer of a notebook in `my_transformer/`; a sentence to say about it, if any."""
    shell = interactive_shell()
    if shell is None or "In" not in shell.user_ns:
        return None

    def is_right(own: Callable) -> bool:
        with torch.random.fork_rng(devices=[]):
            return points_of(exercise, known, collect(exercise.id, own, known["cases"])).status == "right"

    return keep_source(exercise.id, shell.user_ns["In"], is_right)


def _sources(student: Callable) -> list[str]:
    """The cells of this session; outside a notebook, the object's own source."""
    shell = interactive_shell()
    if shell is not None and "In" in shell.user_ns:
        return list(shell.user_ns["In"])
    try:
        return [inspect.getsource(student)]
    except (OSError, TypeError):
        return []


def _told(sentence: str) -> Score:
    if not shows_html():
        print(sentence)
    return Score(0, rich=f'<p role="note">{html.escape(sentence)}</p>')
