"""A machine of a cluster that answers for another submission, or what cannot be: nothing of it is written down."""

import copy
import json

import pytest

from autograder.grading import verify_result as module
from autograder.grading.allowance import TooCostly
from autograder.grading.cluster import looked_through
from autograder.grading.context import Context
from autograder.grading.pool import kept_warm
from autograder.grading.run import grade_stage
from autograder.grading.task import grade_bytes
from autograder.grading.verify_result import InvalidResult, verified

STAGE = "01_attention"


@pytest.fixture(scope="module")
def graded(class_of_nine):
    """Of four submissions: student → (bytes, what an honest machine answers)."""
    context = Context.of(class_of_nine, STAGE)
    students = ("no-scaling", "all-right", "half-untouched", "not-json")
    data = {student: class_of_nine.submitted_file(STAGE, student).read_bytes() for student in students}
    return context, {student: (given, grade_bytes(context, given)) for student, given in data.items()}


def test_every_honest_result_passes_unchanged(graded):
    context, answers = graded
    for data, result in answers.values():
        assert verified(copy.deepcopy(result), context, data, ()) == result
    none = grade_bytes(context, b"", refused=("It is a link.",))
    assert verified(none, context, b"", ("It is a link.",)) == none


def test_the_answer_for_one_student_is_no_answer_for_another(graded):
    context, answers = graded
    for student, (data, _) in answers.items():
        for other, (_, result) in answers.items():
            if student != other:
                with pytest.raises(InvalidResult, match="not those of this submission|a notebook where none"):
                    verified(result, context, data, ())


def more_points(result):
    result["submission"]["exercises"][1]["properties"][0]["score"] += 3


def an_exercise_that_counts_more(result):
    exercise = result["submission"]["exercises"][1]
    exercise["score"] = exercise["max_score"] = 100.0


def the_sum_alone(result):
    result["submission"]["score"] = 20.0


def not_a_number(result):
    result["submission"]["score"] = float("nan")


def a_true_score(result):
    result["submission"]["max_score"] = True


def an_exercise_less(result):
    del result["submission"]["exercises"][0]


def an_exercise_twice(result):
    result["submission"]["exercises"].append(result["submission"]["exercises"][0])


def a_name(result):
    result["submission"]["student"] = "all-right"


def a_status(result):
    result["submission"]["status"] = "excellent"


def a_flag_that_is_none(result):
    result["submission"]["flags"] = [{"html": "<b>"}]


def no_notebook(result):
    result["notebook"] = None


def half_a_notebook(result):
    result["notebook"] = result["notebook"][: len(result["notebook"]) // 2]


def a_part_more(result):
    result["path"] = "/etc/passwd"


def a_list(result):
    result["submission"] = [result["submission"]]


def with_cells(change):
    def changed(result):
        notebook = json.loads(result["notebook"])
        for cell in notebook["cells"]:
            change(cell, cell.get("metadata", {}).get("nbgrader", {}).get("grade_id"))
        result["notebook"] = json.dumps(notebook)

    changed.__name__ = change.__name__
    return changed


@with_cells
def other_points_in_the_notebook(cell, name):
    if name == "test_scaled_dot_product":
        cell["outputs"][0]["data"]["text/plain"] = "8"


@with_cells
def points_twice(cell, name):
    if name == "test_scaled_dot_product":
        cell["outputs"] *= 2


@with_cells
def a_better_answer(cell, name):
    if name == "scaled_dot_product":
        cell["source"] = "from torch.nn.functional import scaled_dot_product_attention as scaled_dot_product"


@with_cells
def a_script_in_a_card(cell, name):
    if name == "test_softmax":
        cell["outputs"][0]["data"]["text/html"] += "<img src=x onerror=alert(1)>"


@with_cells
def a_script_in_an_output(cell, name):
    if cell["cell_type"] == "code" and name is None:
        data = {"text/html": "<script>alert(1)</script>"}
        cell["outputs"] = [{"output_type": "display_data", "data": data, "metadata": {}}]


@with_cells
def points_of_its_own_in_the_metadata(cell, name):
    if name == "test_softmax":
        cell["metadata"]["nbgrader"]["points"] = 100


FORGED = (
    more_points,
    an_exercise_that_counts_more,
    the_sum_alone,
    not_a_number,
    a_true_score,
    an_exercise_less,
    an_exercise_twice,
    a_name,
    a_status,
    a_flag_that_is_none,
    no_notebook,
    half_a_notebook,
    a_part_more,
    a_list,
    other_points_in_the_notebook,
    points_twice,
    a_better_answer,
    a_script_in_a_card,
    a_script_in_an_output,
    points_of_its_own_in_the_metadata,
)


@pytest.mark.parametrize("forge", FORGED, ids=lambda forge: forge.__name__)
def test_a_result_that_cannot_be_is_refused(graded, forge):
    context, answers = graded
    data, result = answers["no-scaling"]
    forged = copy.deepcopy(result)
    forge(forged)
    with pytest.raises(InvalidResult):
        verified(forged, context, data, ())


@pytest.mark.parametrize("answer", [None, 20, "right", [], {}, {"submission": {}}, b"\x80"])
def test_anything_else_is_refused(graded, answer):
    context, answers = graded
    with pytest.raises(InvalidResult):
        verified(answer, context, answers["all-right"][0], ())


def test_what_takes_too_long_to_compare_is_refused(graded, monkeypatch):
    def endless(data, context):
        raise TooCostly

    context, answers = graded
    monkeypatch.setattr(module, "sanitised", endless)
    with pytest.raises(InvalidResult, match="takes too long"):
        verified(answers["all-right"][1], context, answers["all-right"][0], ())


def test_who_was_answered_wrongly_is_not_graded_and_the_next_run_does_it(course, tools, undisturbed):
    def mixed_up(task, submissions, jobs):
        first = None
        for student, (context, data, _, refused, _) in submissions:
            result = task(context, data, refused=refused)
            first = first or result
            yield student, looked_through(first, context, data, refused)

    names = ["all-right", "no-scaling", "syntax-error"]
    outcome = grade_stage(course, STAGE, names, spread=mixed_up)["submissions"]
    assert [submission["status"] for submission in outcome] == ["right", "ungradable", "ungradable"]
    assert all("a machine of the cluster answered what cannot be" in s["flags"][0] for s in outcome[1:])
    assert all(row.startswith("('all-right', ") for row in tools.rows(course)["scores"])
    assert tools.verdicts(grade_stage(course, STAGE, spread=kept_warm)) == undisturbed.verdicts
    assert tools.rows(course) == undisturbed.rows
