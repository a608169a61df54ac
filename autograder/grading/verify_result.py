"""What a machine of a cluster sent back, verified before it counts: the right submission, in the right form.

A machine that grades has the hidden answers and is trusted with the verdict. What it cannot do is give a student more
than an exercise is worth, pass on what belongs to another submission, or put code into a page that a person opens.
"""

import copy
import math
from html.parser import HTMLParser

import nbformat

from autograder.grading.allowance import TooCostly, limited
from autograder.grading.context import Context
from autograder.grading.notebook import test_of
from autograder.grading.sanitize import safe_notebook
from autograder.grading.submission import sanitised
from autograder.practice.card import WORDS

RESULT = {"submission": dict, "notebook": (str, type(None)), "timed_out": bool, "disputed": bool, "twice": bool}
SUBMISSION = {
    "student": str,
    "score": (int, float),
    "max_score": (int, float),
    "status": str,
    "seconds": (int, float),
    "repairs": list,
    "flags": list,
    "exercises": list,
}
EXERCISE = {
    "id": str,
    "score": (int, float),
    "max_score": (int, float),
    "status": str,
    "misconception": (str, type(None)),
    "message": str,
    "properties": list,
}
PROPERTY = {"name": str, "passed": bool, "score": (int, float), "max_score": (int, float)}
CLOSE = 1e-6


class InvalidResult(Exception):
    """A result that cannot be one of this submission; the message says why."""


def verified(result: object, context: Context, data: bytes, refused: tuple[str, ...]) -> dict:
    """The result, if it can be that of these bytes in this context.

    Raises:
        InvalidResult: it has another form, points that do not add up, another submission's cells, or code in a card.
    """
    found = _form(result, RESULT, "the result")
    submission = _form(found["submission"], SUBMISSION, "the submission")
    _texts(submission["repairs"] + submission["flags"])
    wanted = {exercise.id: context.released_tests.verdicts[exercise.id] for exercise in context.exercises}
    _exercises(submission, wanted | context.released_tests.tests)
    if submission["student"] or submission["status"] not in WORDS:
        raise InvalidResult("it names a student, or a status that there is not")
    try:
        with limited():
            notebook = None if refused else sanitised(data, context)[0]
            _notebook(found["notebook"], notebook, submission)
    except TooCostly:
        raise InvalidResult("it takes too long to compare with what was submitted") from None
    return found


def _form(what: object, form: dict, name: str) -> dict:
    if not isinstance(what, dict) or what.keys() != form.keys():
        raise InvalidResult(f"{name} has not the parts {', '.join(form)}")
    for key, kind in form.items():
        value = what[key]
        number = kind == (int, float)
        if not isinstance(value, kind) or (number and (isinstance(value, bool) or not math.isfinite(value))):
            raise InvalidResult(f"{key} of {name} is {type(value).__name__}")
    return what


def _texts(texts: list) -> None:
    if not all(isinstance(text, str) for text in texts):
        raise InvalidResult("a repair or a flag is not a sentence")


def _exercises(submission: dict, wanted: dict[str, float]) -> None:
    """Every exercise once, in order, each with shares that add up to what it counts, and no more."""
    exercises = [_form(exercise, EXERCISE, "an exercise") for exercise in submission["exercises"]]
    if [exercise["id"] for exercise in exercises] != [*wanted]:
        raise InvalidResult(f"it is not about {', '.join(wanted)}")
    for exercise, points in zip(exercises, wanted.values(), strict=True):
        shares = [_form(share, PROPERTY, "a property") for share in exercise["properties"]]
        earned = sum(share["score"] for share in shares if share["passed"])
        fits = all(0 <= share["score"] <= share["max_score"] + CLOSE for share in shares)
        if not fits or abs(exercise["max_score"] - points) > CLOSE or exercise["status"] not in WORDS:
            raise InvalidResult(f"{exercise['id']} does not count {points:g} points, or its shares do not")
        expected = 0 if exercise["status"] in ("forbidden", "not_attempted", "ungradable") else earned
        if exercise["score"] > points + CLOSE or abs(exercise["score"] - expected) > CLOSE:
            raise InvalidResult(f"the shares of {exercise['id']} do not add up to {exercise['score']:g}")
    for key in ("score", "max_score"):
        if abs(submission[key] - sum(exercise[key] for exercise in exercises)) > CLOSE:
            raise InvalidResult(f"its {key} is not the sum over its exercises")


def _notebook(text: str | None, repaired: nbformat.NotebookNode | None, submission: dict) -> None:
    """The graded notebook is the submitted one: its cells, the points of the verdicts, and nothing that runs."""
    if (text is None) != (repaired is None):
        raise InvalidResult("it has a notebook where none was submitted, or none where one was")
    if text is None or repaired is None:
        if submission["status"] != "ungradable":
            raise InvalidResult("it has a verdict without a notebook")
        return
    try:
        graded = nbformat.reads(text, as_version=4)
        nbformat.validate(graded)
    except Exception:  # noqa: BLE001 (of json, nbformat or jsonschema)
        raise InvalidResult("its notebook is none") from None
    if _cells(graded) != _cells(safe_notebook(repaired)) or graded.metadata != repaired.metadata:
        raise InvalidResult("its cells are not those of this submission")
    if graded != safe_notebook(copy.deepcopy(graded)):
        raise InvalidResult("its outputs are not safe to open")
    scores = {exercise["id"]: exercise for exercise in submission["exercises"]}
    for cell in graded.cells:
        if name := test_of(cell):
            exercise = scores.get(name) or scores.get(name.removeprefix("test_"))
            _card(cell, exercise)


def _cells(notebook: nbformat.NotebookNode) -> list[tuple]:
    return [(cell.id, cell.cell_type, cell.source, cell.metadata) for cell in notebook.cells]


def _card(cell: nbformat.NotebookNode, exercise: dict | None) -> None:
    """Below a test are the points of its verdict, once, and a card in which nothing can run."""
    data = [output.data for output in cell.outputs if "data" in output]
    graded = exercise if exercise and exercise["status"] != "ungradable" else None
    if [one.get("text/plain") for one in data] != ([f"{graded['score']:.12g}"] if graded else []):
        raise InvalidResult("the points in its notebook are not those of the verdict")
    for one in data:
        if one.keys() - {"text/plain", "text/html"} or _runs_code(one.get("text/html", "")):
            raise InvalidResult("a card in it is not one of ours")


class _Reader(HTMLParser):
    """Whether a text of HTML has anything that can run, or load something."""

    runs = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A tag, and what it carries."""
        loads = {name for name, _ in attrs if name.startswith("on") or name in ("src", "href", "srcdoc", "action")}
        self.runs = self.runs or bool(loads) or tag in ("script", "iframe", "object", "embed", "link", "meta", "base")


def _runs_code(text: str) -> bool:
    reader = _Reader()
    reader.feed(text)
    reader.close()
    return reader.runs
