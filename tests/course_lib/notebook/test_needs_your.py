import pytest

from course_lib import needs_your
from course_lib.notebook.needs_your import NotRunYet


def test_an_unwritten_exercise_is_waited_for_by_name(capsys):
    with needs_your("softmax", "expand_mask"):
        raise NotImplementedError
    assert "waits for your softmax and expand_mask" in capsys.readouterr().out


class Unwritten:
    def __init__(self):
        raise NotImplementedError


def test_of_several_exercises_the_one_that_is_missing_is_named(capsys):
    with needs_your("softmax", "Unwritten"):
        Unwritten()
    assert "waits for your Unwritten. Write it, run its cell" in capsys.readouterr().out


def test_a_cell_that_was_not_run_is_named_and_not_an_exercise(capsys):
    with needs_your("softmax"):
        raise NotRunYet("the training cell of section 5.8: run it first.")
    assert capsys.readouterr().out == "This demonstration waits for the training cell of section 5.8: run it first.\n"


def test_what_works_is_left_alone(capsys):
    with needs_your("softmax"):
        result = 7
    assert result == 7
    assert capsys.readouterr().out == ""


def test_other_errors_are_the_students_to_see():
    with pytest.raises(ValueError, match="mine"), needs_your("softmax"):
        raise ValueError("mine")


def test_an_exercise_of_the_page_that_stopped_is_named_though_the_demonstration_does_not_name_it(capsys):
    page = {"__name__": "__main__", "needs_your": needs_your}
    exec("class Part:\n    def __init__(self):\n        raise NotImplementedError", page)
    exec("def Whole():\n    return Part()", page)
    exec("with needs_your('Whole'):\n    Whole()", page)
    assert "waits for your Part. Write it" in capsys.readouterr().out
