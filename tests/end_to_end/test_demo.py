"""`course demo`: the made-up class gets what it deserves, in the JSON, the gradebook and the feedback."""

import json

import nbformat
import pytest
from nbgrader.api import Gradebook

from autograder.course.demo.submissions import CLASS
from autograder.sandbox.sandbox import UNPROTECTED

STAGE, TIMED_OUT = "01_attention", "infinite-loop"


def scores_in_gradebook(root):
    with Gradebook(f"sqlite:///{root / 'gradebook.db'}") as gradebook:
        return {
            submission.student_id: sum(grade.auto_score or 0 for n in submission.notebooks for grade in n.grades)
            for submission in gradebook.assignment_submissions(STAGE)
        }


@pytest.mark.parametrize("handed", CLASS, ids=[handed.student for handed in CLASS])
def test_each_student_gets_what_they_deserve(demo, handed):
    submission = demo.by_student[handed.student]
    assert (submission["score"], submission["max_score"]) == (handed.expected, 20)


def test_the_gradebook_holds_the_same_scores(demo):
    assert scores_in_gradebook(demo.root) == {handed.student: handed.expected for handed in CLASS}


@pytest.mark.parametrize(
    ("student", "exercise", "status", "known_mistake"),
    [
        ("no-scaling", "scaled_dot_product", "partial", "no scaling"),
        ("softmax-over-queries", "scaled_dot_product", "partial", "softmax over the queries"),
        ("inverted-mask", "scaled_dot_product", "partial", "inverted mask"),
        ("half-untouched", "expand_mask", "not_attempted", None),
        ("syntax-error", "causal_mask", "error", None),
        ("infinite-loop", "padding_mask", "timeout", None),
        ("imported-answer", "scaled_dot_product", "forbidden", None),
        ("ready-made-attention", "scaled_dot_product", "forbidden", None),
        ("patched-the-check", "scaled_dot_product", "wrong", None),
    ],
)
def test_what_was_wrong_is_said(demo, student, exercise, status, known_mistake):
    (verdict,) = (e for e in demo.by_student[student]["exercises"] if e["id"] == exercise)
    assert (verdict["status"], verdict["misconception"]) == (status, known_mistake)
    assert verdict["message"]


def test_the_json_has_the_fields_of_the_contract(demo):
    assert demo.outcome.keys() == {"stage", "versions", "seconds", "submissions", "tried_again"}
    for submission in demo.outcome["submissions"]:
        assert submission.keys() == {
            *("student", "score", "max_score", "status", "seconds", "repairs", "flags", "exercises")
        }
        for exercise in submission["exercises"]:
            assert exercise.keys() == {
                *("id", "score", "max_score", "status", "misconception", "message", "properties")
            }
            assert all(share.keys() == {"name", "passed", "score", "max_score"} for share in exercise["properties"])


def test_stripped_metadata_is_repaired_and_reported(demo):
    assert demo.by_student["stripped-metadata"]["repairs"]
    assert not set(demo.by_student["stripped-metadata"]["flags"]) - {UNPROTECTED}


def test_every_student_has_feedback_without_hidden_numbers(demo):
    pages = {page.parts[-3]: page.read_text("utf-8") for page in demo.root.glob(f"feedback/*/{STAGE}/*.html")}
    assert pages.keys() == {handed.student for handed in CLASS}
    assert "No scaling." in pages["no-scaling"]
    assert "is off by" not in pages["no-scaling"]


def test_a_written_answer_waits_for_a_person_and_an_empty_one_does_not(demo):
    with Gradebook(f"sqlite:///{demo.root / 'gradebook.db'}") as gradebook:
        written = gradebook.find_grade("why_the_root", STAGE, STAGE, "all-right")
        assert (written.auto_score, written.needs_manual_grade) == (None, True)
        empty = gradebook.find_grade("why_the_root", STAGE, STAGE, "half-untouched")
        assert (empty.auto_score, empty.needs_manual_grade) == (0, False)
        assert gradebook.find_comment("why_the_root", STAGE, STAGE, "half-untouched").auto_comment == "No response."


def test_the_release_is_the_committed_notebook(demo, command):
    from autograder.course.init import SOLUTIONS

    command("nbgrader", "generate_assignment", STAGE, "--force", cwd=demo.root)
    committed = SOLUTIONS.parent / "notebooks" / f"{STAGE}.ipynb"
    assert (demo.root / "release" / STAGE / f"{STAGE}.ipynb").read_bytes() == committed.read_bytes()


def test_stock_commands_agree_with_course_grade(demo, command):
    some = ("no-scaling", "patched-the-check")
    before = scores_in_gradebook(demo.root)
    for student in some:
        command("nbgrader", "autograde", STAGE, "--student", student, "--force", cwd=demo.root)
    assert scores_in_gradebook(demo.root) == before
    command("nbgrader", "generate_feedback", STAGE, "--student", "no-scaling", "--force", cwd=demo.root)
    assert "No scaling." in (demo.root / "feedback" / "no-scaling" / STAGE / f"{STAGE}.html").read_text("utf-8")


def test_validate_tells_a_finished_notebook_from_an_unfinished_one(demo, command):
    for student, verdict in (("right-einsum", "Success"), ("no-scaling", "failed")):
        path = demo.root / "submitted" / student / STAGE / f"{STAGE}.ipynb"
        done = command("nbgrader", "validate", path, cwd=demo.root)
        assert verdict in done.stdout + done.stderr


def times(root):
    """When each graded notebook was written, except those that timed out, which are tried again."""
    return {p: p.stat().st_mtime_ns for p in root.glob("autograded/**/*.ipynb") if TIMED_OUT not in p.parts}


def test_a_second_run_grades_nothing_and_keeps_what_a_person_entered(demo, command):
    with Gradebook(f"sqlite:///{demo.root / 'gradebook.db'}") as gradebook:
        grade = gradebook.find_grade("why_the_root", STAGE, STAGE, "no-scaling")
        grade.manual_score, grade.needs_manual_grade = 2.5, False
        gradebook.db.commit()
    graded = times(demo.root)
    command("course", "grade", STAGE, "--json", demo.root / "again.json", cwd=demo.root)
    again = json.loads((demo.root / "again.json").read_text("utf-8"))["submissions"]
    for before, after in zip(demo.outcome["submissions"], again, strict=True):
        assert before["score"] == after["score"]
        timed = {"seconds": 0}  # another test may have graded it meanwhile
        assert before | timed == after | timed or before["student"] == TIMED_OUT
    assert times(demo.root) == graded
    with Gradebook(f"sqlite:///{demo.root / 'gradebook.db'}") as gradebook:
        assert gradebook.find_grade("why_the_root", STAGE, STAGE, "no-scaling").manual_score == 2.5


def test_the_graded_notebook_is_an_ordinary_one(demo):
    path = demo.root / "autograded" / "right-with-a-warning" / STAGE / f"{STAGE}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    cells = {cell.id: cell for cell in notebook.cells}
    assert any("homemade" in output.get("text", "") for output in cells["softmax"].outputs)
    assert cells["test_softmax"].outputs[0].data["text/plain"] == "4"
