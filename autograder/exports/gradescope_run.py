"""What Gradescope shows of the one submission that is there: the content of results.json; see `gradescope_start`."""

import json
from collections.abc import Callable
from pathlib import Path

import nbformat

from autograder.below import files_below
from autograder.counted import counted
from autograder.exports.gradescope_start import protection
from autograder.grading.context import Context
from autograder.grading.notebook import test_of
from autograder.grading.reading_room import NotReadable, read
from autograder.grading.submission import sanitised
from autograder.grading.task import grade_bytes
from autograder.judging.verdict import ELSEWHERE
from autograder.practice.card import WORDS
from autograder.repair.reading import MAX_BYTES
from autograder.sandbox.limits import Limits
from autograder.stripping.package import stripped_package

NO_VARIANT = (
    "Students have different pages, and which one is yours is not known: your e-mail address on Gradescope is not in "
    "the course's class list, or you submitted as a group. Tell your instructor."
)


def results(
    root: Path,
    scratch: Path,
    grade: Callable[[Context, bytes], dict] = grade_bytes,
    protected: Callable[[Path], str] = protection,
) -> dict:
    """The object of results.json; a `RuntimeError` if the machinery failed.

    Args:
        root: where Gradescope puts its files.
        scratch: a folder for the stripped package.
        grade: returns the verdicts on a submission.
        protected: returns what submissions run in.
    """
    variant = _variant(root)
    context = context_of(root / "source" / "course", scratch, protected(root), variant or 0)
    if variant is None:
        return _refused(context, NO_VARIANT)
    notebooks = _notebooks(root / "submission")
    chosen = [path for path in notebooks if path.name == f"{context.stage}.ipynb"] or notebooks
    if len(chosen) != 1:
        names = ", ".join(path.name for path in notebooks) or "none"
        return _refused(context, f"Submit one notebook, {context.stage}.ipynb. Found: {names}.")
    try:
        data = read(root, chosen[0], MAX_BYTES)
    except NotReadable as why:
        return _refused(context, str(why))
    if sanitised(data, context)[0] is None:
        return _refused(
            context, f"{chosen[0].name} could not be read as a notebook; save it in Jupyter and submit it again."
        )
    submission = grade(context, data)["submission"]
    if submission["status"] == "ungradable":
        raise RuntimeError("; ".join(submission["flags"]) or "the worker did not start")
    titles = {exercise.id: exercise.title for exercise in context.exercises}
    return {
        "execution_time": round(submission["seconds"]),
        "output": "\n".join([*submission["repairs"], *submission["flags"], *_by_hand(context)]),
        "output_format": "text",
        "stdout_visibility": "hidden",
        "tests": [
            test
            for number, verdict in enumerate(submission["exercises"], 1)
            for test in _tests(number, verdict, titles.get(verdict["id"], verdict["id"]))
        ],
    }


def context_of(folder: Path, scratch: Path, protection: str, variant: int) -> Context:
    settings = json.loads((folder / "settings.json").read_text("utf-8"))
    limits, package = Limits(**settings["limits"]), stripped_package(settings["stage"], scratch)
    folder = folder / str(variant) if variant else folder
    answers, others = folder / "answers.safetensors", json.loads((folder / "others.json").read_text("utf-8"))
    release = nbformat.read(folder / "release.ipynb", as_version=4)
    return Context(settings["stage"], release, answers, package, limits, protection, others=others)


def _variant(root: Path) -> int | None:
    """The number of the submitting student's variant; None if the list of the course does not give it."""
    by_mail = json.loads((root / "source" / "course" / "settings.json").read_text("utf-8"))["variants"]
    if not by_mail:
        return 0
    about = json.loads((root / "submission_metadata.json").read_text("utf-8"))
    found = {by_mail.get(str(user["email"]).casefold()) for user in about["users"]}
    return found.pop() if len(found) == 1 else None


def _notebooks(folder: Path) -> list[Path]:
    hidden = (".ipynb_checkpoints", "__MACOSX")
    return sorted(path for path in files_below(folder, hidden) if path.name.endswith(".ipynb"))


def _tests(number: int, verdict: dict, title: str) -> list[dict]:
    """A test for each criterion; the first that is lost says why."""
    said, tests = False, []
    for place, share in enumerate(verdict["properties"], 1):
        explain = not share["passed"] and not said
        said = said or explain
        tests.append(
            {
                "name": f"{title}: {share['name']}",
                "number": f"{number}.{place}",
                "score": share["score"],
                "max_score": share["max_score"],
                "status": "passed" if share["passed"] else "failed",
                "output": _explanation(verdict) if explain else "",
                "output_format": "text",
                "tags": [verdict["id"]],
                "visibility": "visible",
            }
        )
    return tests


def _explanation(verdict: dict) -> str:
    """Status, misconception and message, as the feedback of the course has them: no hidden number."""
    said = ""
    if verdict["misconception"]:
        said = f"{verdict['misconception']}: {verdict['message']}"
    elif verdict["status"] == "error":
        said = ELSEWHERE
    elif verdict["status"] not in ("partial", "wrong"):  # there the message may be a finding
        said = verdict["message"]
    return f"{WORDS[verdict['status']]}. {said}".strip()


def _by_hand(context: Context) -> list[str]:
    """The questions that a person grades, which are no part of this score."""
    questions, people = [], context.released_tests.people
    for cell in context.release.cells:
        grading = cell.metadata.get("nbgrader", {})
        if grading.get("task") or grading.get("grade") and grading.get("solution") or test_of(cell) in people:
            questions.append(f"{grading['grade_id']} ({counted(grading['points'], 'point')})")
    return [f"Graded by hand, not included in this score: {', '.join(questions)}."] if questions else []


def _refused(context: Context, sentence: str) -> dict:
    """One sentence that says what to hand in, under a 0, since Gradescope takes no results without a score."""
    sentence = f"Not graded; this 0 does not count. {sentence}"
    maximum = sum((*context.released_tests.verdicts.values(), *context.released_tests.tests.values()))
    test = {"name": "Not graded", "score": 0.0, "max_score": maximum, "status": "failed", "output": sentence}
    return {"output": sentence, "output_format": "text", "stdout_visibility": "hidden", "tests": [test]}
