"""Several graders: answers divided, what is left, second marks that agree or do not."""

import pytest
from nbgrader.api import Gradebook

from autograder.course.queue import left
from autograder.course.roster import rename_student
from autograder.errors import CourseError
from autograder.grading.division import (
    Division,
    agreements,
    divide,
    mark_again,
    read_division,
    second_marks,
)
from autograder.report.page import write_report

STAGE, QUESTION = "01_attention", "why_the_root"
ESSAY = "The scores grow with d_k."
STUDENTS = ("ada", "bob", "cy", "di", "eve")


@pytest.fixture
def essays(course, grade):
    """Five students wrote something; nobody has marked it."""
    for student in STUDENTS:
        grade(student, essay=ESSAY)
    return course


def by_hand(course, **points):
    with Gradebook(course.db_url, course.course_id) as gradebook:
        for student, number in points.items():
            grade = gradebook.find_grade(QUESTION, STAGE, STAGE, student)
            grade.manual_score, grade.needs_manual_grade = number, False
        gradebook.db.commit()


def test_students_are_divided_evenly_and_the_queue_shows_what_is_left(essays, command):
    said = command("divide", 1, "--graders", "ann,ben").stdout
    assert "ann: 3 students." in said
    assert "ben: 2 students." in said
    mine = [task.student for task in left(essays, STAGE) if task.grader == "ann"]
    by_hand(essays, **{mine[0]: 2})
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in command("queue").stdout.splitlines()]
    assert [STAGE, "ann", "2", "0"] in rows
    assert [STAGE, "ben", "2", "0"] in rows
    said = command("queue", "--grader", "ann").stdout
    assert mine[0] not in said
    assert f"{STAGE}, {mine[1]}, {QUESTION}: /formgrader/submissions/" in said
    assert "2 left." in said


def test_who_hands_in_later_goes_to_the_grader_with_fewest_and_nobody_moves(essays, grade):
    before = divide(essays, STAGE, ["ann", "ben"], "student").of
    grade("zoe", essay=ESSAY)
    after = read_division(essays, STAGE).of
    assert after == before | {"zoe": "ben"}


def test_questions_go_to_one_grader_each_and_the_second_mark_to_the_next():
    division = Division("question", ("ann", "ben", "cleo"), {}, ("ada",)).extended(["q1", "q2", "q3", "q4"])
    assert division.of == {"q1": "ann", "q2": "ben", "q3": "cleo", "q4": "ann"}
    assert [division.second("ada", name) for name in division.of] == ["ben", "cleo", "ann", "ben"]
    assert division.second("bob", "q1") is None


def test_second_marks_are_blind_and_their_agreement_is_in_the_report(essays, command):
    command("divide", 1, "--graders", "ann,ben", "--double", 1)
    division = read_division(essays, STAGE)
    assert command("mark", "ada", 1, QUESTION).stdout.strip() == ESSAY
    first = {"ada": 2, "bob": 2, "cy": 1, "di": 0}
    second = {"ada": 2, "bob": 2, "cy": 0, "di": 0, "eve": 3}
    by_hand(essays, **first)
    for student, points in second.items():
        grader = division.second(student, QUESTION)
        command("mark", student, 1, QUESTION, points, "--grader", grader)
    (found,) = agreements(essays, STAGE)
    assert (found.answers, found.same, found.apart) == (4, 3, (("cy", 1, 0),))
    assert found.kappa == pytest.approx(
        (3 / 4 - 3 / 8) / (1 - 3 / 8)
    )  # by hand: 3 of 4 agree; by chance (2·2 + 1·0 + 1·2) / 16
    page = write_report(essays, STAGE)[0].read_text("utf-8")
    assert "cy (1, 0)" in page
    assert "0.60" in page
    with Gradebook(essays.db_url, essays.course_id) as gradebook:
        assert gradebook.find_grade(QUESTION, STAGE, STAGE, "cy").score == 1  # the first mark is the grade
    command("mark", "cy", 1, QUESTION, 1, "--grader", division.second("cy", QUESTION))  # thought better of it
    assert second_marks(essays, STAGE)["cy", QUESTION] == 1
    by_hand(essays, **dict.fromkeys(first, 2))
    for student in first:
        mark_again(essays, STAGE, student, QUESTION, division.second(student, QUESTION), 2)
    assert agreements(essays, STAGE)[0].kappa is None


def test_a_student_with_another_id_stays_with_the_grader_and_keeps_the_second_mark(essays):
    before = divide(essays, STAGE, ["ann", "ben"], "student", 1)
    mark_again(essays, STAGE, "ada", QUESTION, before.second("ada", QUESTION), 2)
    rename_student(essays, "ada", "a.lovelace")
    after = read_division(essays, STAGE)
    assert after.of == {"a.lovelace" if name == "ada" else name: grader for name, grader in before.of.items()}
    assert after.second("a.lovelace", QUESTION) == before.second("ada", QUESTION)
    assert second_marks(essays, STAGE) == {("a.lovelace", QUESTION): 2}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("divide", 1, "--graders", "ann"), "--graders is two or more different names"),
        (("divide", 1, "--graders", "ann,ann"), "--graders is two or more different names"),
        (("divide", 1, "--graders", "ann,"), "--graders is two or more different names"),
        (("divide", 1, "--graders", "ann,ben", "--by", "row"), "--by is question or student, not row."),
        (("divide", 1, "--graders", "ann,ben", "--double", 2), "--double is a share of the students"),
        (("divide", 1, "--graders", "ann,ben", "--by", "question"), "has 1 written question for 2 graders"),
        (("queue",), "Nothing is divided"),
        (("mark", "ada", 1, QUESTION, 1, "--grader", "ann"), "is not divided: run `course divide` first"),
        (("mark", "zoe", 1, QUESTION), "zoe has no graded answer to why_the_root"),
    ],
)
def test_what_makes_no_sense_is_one_sentence(essays, command, words, said):
    assert said in command(*words, code=2).stderr


def test_a_second_mark_that_is_not_ones_own_or_not_possible_is_refused(essays, command):
    division = divide(essays, STAGE, ["ann", "ben"], "student", 1)
    second = division.second("ada", QUESTION)
    with pytest.raises(CourseError, match=f"{second} gives the second mark of ada's why_the_root, not eve."):
        mark_again(essays, STAGE, "ada", QUESTION, "eve", 1)
    with pytest.raises(CourseError, match="Name the grader: --grader."):
        mark_again(essays, STAGE, "ada", QUESTION, "", 1)
    with pytest.raises(CourseError, match="counts 3 points: 4 is not possible"):
        mark_again(essays, STAGE, "ada", QUESTION, second, 4)
    with pytest.raises(CourseError, match="asks why_the_root"):
        mark_again(essays, STAGE, "ada", "softmax", second, 1)
    assert "eve is not one of the graders: ann, ben." in command("queue", "--grader", "eve", code=2).stderr


def test_a_second_mark_where_nothing_is_marked_twice_says_how_to_divide(essays, command):
    divide(essays, STAGE, ["ann", "ben"], "student")
    for grader in ((), ("--grader", "ben")):
        said = command("mark", "ada", 1, QUESTION, 2, *grader, code=2).stderr
        assert "ada's why_the_root is not marked twice: divide with --double." in said
