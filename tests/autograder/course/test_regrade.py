"""`course regrade`: a request is kept with the verdict before and after, listed while it is open, and never lost."""

import pytest
from nbgrader.api import Gradebook

from autograder.course.regrade import answer, ask, requests
from autograder.course.roster import rename_student
from autograder.errors import CourseError

STAGE = "01_attention"
MISTAKE = ("scaled_dot_product", "no scaling", "Divide.", ("values",))


def by_hand(course, cell, points):
    with Gradebook(course.db_url, course.course_id) as gradebook:
        gradebook.find_grade(cell, STAGE, STAGE, "ada").manual_score = points
        gradebook.db.commit()


def test_a_request_is_listed_until_it_is_answered_with_both_verdicts(course, grade, command):
    grade("ada", mistakes=[MISTAKE])
    assert command("regrade").stdout == "No open requests.\n"
    command("regrade", "ada", 1, "scaled_dot_product", "--note", "I divide [bold] later")
    said = command("regrade").stdout
    assert "ada, 01_attention, scaled_dot_product: “I divide [bold] later” (5.5 of 8: no scaling), open since 2" in said
    by_hand(course, "test_scaled_dot_product", 7)
    command("regrade", "ada", 1, "scaled_dot_product", "--answer", "You do: see line 3", "--by", "ann")
    assert command("regrade").stdout == "No open requests.\n"
    said = command("regrade", "ada", "--all").stdout
    assert "(5.5 of 8: no scaling); ann: “You do: see line 3” (7 of 8: no scaling)." in said
    assert "ann: “You do: see line 3”" in command("show", "ada", "1", "scaled_dot_product").stdout
    (kept,) = requests(course, closed=True)
    assert (kept.before["score"], kept.after["score"], kept.answered_by) == (5.5, 7, "ann")
    assert kept.answered >= kept.asked


def test_a_written_question_has_no_verdict_and_a_second_request_may_follow_an_answer(course, grade):
    grade("ada")
    first = ask(course, STAGE, "ada", "why_the_root", "I said variance")
    assert (first.before["score"], first.before["said"]) == (0, "")
    by_hand(course, "why_the_root", 2)
    assert answer(course, STAGE, "ada", "why_the_root", "So you did", "ann").after["score"] == 2
    ask(course, STAGE, "ada", "why_the_root", "and the third point?")
    assert [request.note for request in requests(course)] == ["and the third point?"]
    assert len(requests(course, closed=True)) == 2


def test_a_student_takes_the_requests_to_another_id(course, grade):
    grade("ada")
    ask(course, STAGE, "ada", "softmax", "why?")
    rename_student(course, "ada", "a.lovelace")
    assert [request.student for request in requests(course)] == ["a.lovelace"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("eve", 1, "softmax", "--note", "x"), "No submission of 01_attention from eve: did you mean"),
        (("ada", 1, "sotfmax", "--note", "x"), "01_attention has no exercise sotfmax: did you mean softmax?"),
        (("ada", 1, "softmax", "--note", " "), "A request needs its reason"),
        (("ada", 1, "softmax"), "Give --note to ask, or --answer to answer."),
        (("ada", 1, "softmax", "--note", "x", "--answer", "y"), "Give --note to ask, or --answer to answer."),
        (("ada", 1, "softmax", "--answer", "no"), "ada has no open request about softmax in 01_attention"),
        (("ada", 1, "--note", "x"), "A request is about one exercise"),
    ],
)
def test_what_makes_no_sense_is_one_sentence(grade, command, words, said):
    grade("ada")
    grade("evelyn")
    assert said in command("regrade", *words, code=2).stderr


def test_two_open_requests_about_one_answer_are_one_too_many(course, grade):
    grade("ada")
    ask(course, STAGE, "ada", "softmax", "why?")
    with pytest.raises(CourseError, match="There is an open request already: ada, 01_attention, softmax: “why\\?”"):
        ask(course, STAGE, "ada", "softmax", "still: why?")


def test_who_is_not_graded_has_nothing_to_ask_about(course, grade):
    grade("ada")
    (course.root / "submitted" / "bob" / STAGE).mkdir(parents=True)
    with pytest.raises(CourseError, match="bob has no grade in 01_attention yet: run `course grade"):
        ask(course, STAGE, "bob", "softmax", "why?")
