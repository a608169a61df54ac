"""What the table of `course grade` says of an exercise."""

from autograder.cli.tables import LOST, score_lines, what_was_wrong
from autograder.exports.scores import GradebookScore


def submission(status, message="", lost=()):
    """One exercise that ended so."""
    properties = [{"name": name, "passed": False} for name in lost] + [{"name": "kept", "passed": True}]
    exercise = {"id": "softmax", "status": status, "misconception": None, "message": message, "properties": properties}
    return {"flags": [], "repairs": [], "exercises": [exercise]}


def test_a_syntax_error_has_its_line(undisturbed):
    (line,) = [line for line in what_was_wrong(undisturbed.verdicts["syntax-error"]) if "SyntaxError" in line]
    assert line.startswith("causal_mask: SyntaxError, line 1: ")


def test_an_error_that_is_no_syntax_error_is_said_as_before():
    assert what_was_wrong(submission("error", "The cell stopped with NameError: x")) == [
        "softmax: it stopped with an error"
    ]


def test_of_many_lost_criteria_the_first_are_named():
    names = ["values", "mask", "gradient", "dtype", "seed", "shape", "mode"]
    (line,) = what_was_wrong(submission("wrong", lost=names))
    assert line == f"softmax: lost: values, mask and {len(names) - LOST} more"
    assert what_was_wrong(submission("wrong", lost=names[:LOST])) == ["softmax: lost: values, mask"]


def test_written_answers_are_open_only_where_there_is_a_total_without_them():
    open_ = {
        name: GradebookScore(name, "", "", "", "", 20, 0, 0, 20, 26, ("why_the_root",), ungraded, False)
        for name, ungraded in (("ada", ()), ("no-notebook", ("softmax",)))
    }
    assert score_lines(open_) == ["Written answers still to be graded, not yet in the gradebook's totals: ada."]
