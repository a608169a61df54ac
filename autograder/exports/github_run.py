"""What the workflow of a template repository starts: judge its notebook on the public answers, and report points.

This runs on the student's own machine, so there is nothing to protect. The exit code is 0 when all points are there, 1
when some are not, and 2 when there was nothing to judge.
"""

import json
import os
import sys
import tempfile
from pathlib import Path

import nbformat

from autograder.exports.github_classroom import GRADER
from autograder.grading.context import Context
from autograder.grading.reading_room import NotReadable, read
from autograder.grading.task import close_workers, grade_bytes
from autograder.judging.answer_key import public_file
from autograder.practice.card import WORDS
from autograder.repair.reading import MAX_BYTES
from autograder.sandbox.limits import Limits
from autograder.stripping.package import stripped_package

SUMMARY = "GITHUB_STEP_SUMMARY"  # GitHub's: a file whose Markdown is shown on the page of the run


def main(root: Path) -> int:
    """Judge the notebook of a repository, print its points; → the exit code."""
    settings = json.loads((root / GRADER / "settings.json").read_text("utf-8"))
    stage = settings["stage"]
    try:
        data = read(root, root / f"{stage}.ipynb", MAX_BYTES)
    except (NotReadable, OSError) as why:
        print(f"There is no {stage}.ipynb to judge: {why}", file=sys.stderr)
        return 2
    release = nbformat.read(root / GRADER / "release.ipynb", as_version=4)
    with tempfile.TemporaryDirectory() as scratch:
        package = stripped_package(stage, Path(scratch))
        context = Context(stage, release, public_file(stage), package, Limits(**settings["limits"]))
        try:
            submission = grade_bytes(context, data)["submission"]
        finally:
            close_workers()
    if submission["status"] == "ungradable":
        print(" ".join(submission["flags"]) or "The notebook could not be judged.", file=sys.stderr)
        return 2
    lines = [*table(submission)]
    print("\n".join(lines))
    if path := os.environ.get(SUMMARY):
        with open(path, "a", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
    return 0 if submission["score"] >= submission["max_score"] - 1e-9 else 1


def table(submission: dict) -> list[str]:
    """A table in Markdown, a row for each exercise, and the sum."""
    rows = ["| exercise | points | |", "|---|---|---|"]
    for verdict in submission["exercises"]:
        said = verdict["misconception"] or WORDS[verdict["status"]]
        rows.append(f"| {verdict['id']} | {verdict['score']:g} / {verdict['max_score']:g} | {said} |")
    return [*rows, "", f"Points on the public checks: {submission['score']:g} of {submission['max_score']:g}."]


if __name__ == "__main__":
    sys.exit(main(Path.cwd()))
