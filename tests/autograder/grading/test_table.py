"""What the table of `course grade` says of an exercise."""

from autograder.cli.tables import LOST, what_was_wrong


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
