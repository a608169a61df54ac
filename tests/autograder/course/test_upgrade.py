"""A newer version: what it changes is said, whose score would change is listed, and nothing is touched by asking."""

import json
from importlib.metadata import version

import nbformat

from autograder.course.points import set_points
from autograder.course.upgrade import would_change
from autograder.grading import context
from autograder.grading.records import Records
from autograder.versions import OURS

STAGE = "01_attention"


def refuse(task, submissions, jobs):
    raise AssertionError("nothing was to be graded")


def contents(course):
    return {p.relative_to(course.root): p.read_bytes() for p in course.root.rglob("*") if p.is_file()}


def test_doctor_names_the_version_that_made_the_course_and_that_nothing_changed(command):
    said = command("doctor").stdout
    assert f"was made by attention-workshop {version('attention-workshop')}; installed is" in said
    assert f"{STAGE}: unchanged since its hidden cases were drawn." in said


def test_doctor_names_files_and_packages_that_are_otherwise_now(course, command):
    path = course.private / "answers" / f"{STAGE}.parts.json"
    made = json.loads(path.read_text())
    made["packages"]["torch"] = "1.0"
    made["files"]["autograder/catalogue/attention/softmax.py"] = "another"
    path.write_text(json.dumps(made))
    said = command("doctor").stdout
    assert "changed since: torch 1.0 → " in said
    assert "autograder/catalogue/attention/softmax.py." in said


def test_a_dry_run_lists_whose_score_would_change_and_touches_nothing(course, grade, command):
    grade("ann")
    grade("bob", mistakes=[("scaled_dot_product", "no scaling", "Divide.", ("values",))])
    for path in (course.private / "graded" / STAGE).glob("*.json"):
        path.write_text(json.dumps(json.loads(path.read_text()) | {"judged": "by other files"}))
    before = contents(course)
    said = command("upgrade", "--dry-run", "--jobs", "1").stdout
    assert f"{STAGE}, bob: 17.5 → 20 (scaled_dot_product " in said
    assert "ann" not in said
    assert "1 score would change." in said
    assert contents(course) == before


def test_a_dry_run_says_which_scores_change_by_points_that_were_set_and_not_by_the_upgrade(course, grade, command):
    grade("ann")
    grade("bob", mistakes=[("scaled_dot_product", "no scaling", "Divide.", ("values",))])
    list(set_points(course, STAGE, "softmax", 1.5))
    said = command("upgrade", "--dry-run", "--jobs", "1").stdout
    assert f"{STAGE}, ann: 20 → 17.5 (softmax 4 → 1.5)" in said
    assert "1 of them by points that you set since they were graded, not by the upgrade." in said
    assert f"{STAGE}, bob: 17.5 → 17.5 (softmax 4 → 1.5, scaled_dot_product " in said


def test_a_dry_run_grades_nothing_where_nothing_changed(course, grade):
    grade("ann")
    assert would_change(course, spread=refuse) == []


def test_a_dry_run_grades_nothing_where_only_prose_and_the_versions_number_changed(course, grade, monkeypatch):
    grade("ann")
    release = nbformat.read(course.release_file(STAGE), as_version=4)
    next(cell for cell in release.cells if cell.cell_type == "markdown").source += "\n\nOne more sentence."
    nbformat.write(release, course.release_file(STAGE))
    newer = {name: number + "1" * (name == OURS) for name, number in context.versions().items()}
    before = context.Context.of(course, STAGE).digest
    monkeypatch.setattr(context, "versions", lambda: newer)
    assert context.Context.of(course, STAGE).digest != before
    assert would_change(course, spread=refuse) == []


def test_a_dry_run_grades_again_where_a_test_cell_or_a_package_changed(course, grade, monkeypatch):
    grade("ann")
    data = course.submitted_file(STAGE, "ann").read_bytes()

    def alike():
        now = context.Context.of(course, STAGE)
        return Records(course.private, STAGE, now.digest, now.judged_by).judged_alike("ann", data)

    assert alike()
    newer = {name: number + "1" * (name == "torch") for name, number in context.versions().items()}
    with monkeypatch.context() as patched:
        patched.setattr(context, "versions", lambda: newer)
        assert not alike()
    release = nbformat.read(course.release_file(STAGE), as_version=4)
    next(c for c in release.cells if c.metadata.get("nbgrader", {}).get("grade")).metadata.nbgrader.points = 7
    nbformat.write(release, course.release_file(STAGE))
    assert not alike()
