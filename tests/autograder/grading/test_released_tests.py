"""What becomes of a test cell: a verdict, a run of the instructor's own test, or a person, who is told why."""

import pytest
from nbformat.v4 import new_code_cell, new_notebook

from autograder.grading.notebook import Notebook
from autograder.grading.released_tests import UNHIDDEN, released_tests

CHECK = 'check("softmax", softmax)'


def cell(name, source, **grading):
    return new_code_cell(source, metadata={"nbgrader": {"grade_id": name, **grading}})


def answer(name="softmax"):
    return cell(name, "def softmax(): ...", grade=False, solution=True)


def graded(name, source, points=4):
    return cell(name, source, grade=True, solution=False, locked=True, points=points)


def what_of(*cells):
    return released_tests(Notebook(new_notebook(cells=list(cells))), ["softmax"])


@pytest.mark.parametrize("source", [CHECK, f"# below your answer\n{CHECK}\n", "check('softmax', softmax);"])
def test_a_check_alone_asks_for_a_verdict(source):
    found = what_of(answer(), graded("test_softmax", source, points=7))
    assert (found.verdicts, found.tests, found.people) == ({"softmax": 7}, {}, {})


def test_anything_that_calls_no_check_is_the_instructors_own():
    found = what_of(answer(), graded("test_softmax", "assert softmax"), graded("mine", "assert True", points=2))
    assert (found.verdicts, found.tests, found.people) == ({}, {"test_softmax": 4, "mine": 2}, {})


@pytest.mark.parametrize(
    ("cells", "why"),
    [
        ((answer(), graded("test_softmax", f"{CHECK}\nassert True")), "more than its `check`"),
        ((answer(), graded("test_softmax", f"{CHECK}\n{CHECK}")), "more than its `check`"),
        ((answer(), graded("test_softmax", f"score = {CHECK}")), "more than its `check`"),
        ((answer(), graded("test_softmax", 'check("sofmtax", softmax)')), "no exercise `sofmtax`"),
        ((answer(), graded("my_softmax", CHECK)), "must be named `test_softmax`"),
        ((graded("test_softmax", CHECK),), "no answer cell `softmax`"),
        ((answer("my_answer"), graded("test_softmax", CHECK)), "no answer cell `softmax`"),
    ],
)
def test_everything_else_waits_for_a_person_who_is_told_why(cells, why):
    found = what_of(*cells)
    ((_, said),) = found.people.items()
    assert why in said
    assert found.verdicts == found.tests == {}


def test_a_check_with_a_hidden_part_waits_for_a_person_too():
    hidden = graded("test_softmax", CHECK)
    hidden.metadata[UNHIDDEN] = f"{CHECK}\nassert softmax(1)"
    assert list(what_of(answer(), hidden).people) == ["test_softmax"]
