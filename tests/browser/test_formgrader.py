"""The formgrader on a course of ours, as an instructor clicks through it: every page, a score by hand, a button."""

import pytest
from nbgrader.api import Gradebook

from autograder.course.demo.run import QUESTION, submission
from autograder.course.demo.submissions import CLASS
from autograder.directory.course import Course
from autograder.files import write_whole
from autograder.grading.run import grade_stage

pytestmark = pytest.mark.browser

STAGE = "01_attention"
STUDENTS = ("all-right", "no-scaling", "half-untouched")
PAGE = f"/formgrader/gradebook/{STAGE}/{STAGE}"


@pytest.fixture(scope="module")
def course(copy_of_course, tmp_path_factory) -> Course:
    """A course with three graded submissions."""
    course = copy_of_course(tmp_path_factory.mktemp("instructor") / "course")
    for handed in CLASS:
        if handed.student in STUDENTS:
            path = course.submitted_file(STAGE, handed.student)
            write_whole(path, submission(handed, course.release(STAGE)))
    grade_stage(course, STAGE)
    return course


@pytest.fixture(scope="module")
def formgrader(course, visit):
    """A browser on the JupyterLab that an instructor starts in the course directory."""
    return visit(course.root)


def marks(course: Course, student: str):
    """What the gradebook has of the written question: `(score by hand, score, comment)`."""
    with Gradebook(course.db_url, course.course_id) as gradebook:
        grade = gradebook.find_grade(QUESTION, STAGE, STAGE, student)
        comment = gradebook.find_comment(QUESTION, STAGE, STAGE, student)
        return grade.manual_score, grade.score, comment.comment


def row(page, name: str):
    """The row of a table that has `name` in a cell of its own."""
    return page.locator("tbody tr").filter(has=page.get_by_text(name, exact=True))


def open_submission(formgrader, course: Course, student: str) -> None:
    """The page on which one submission is graded by hand, with the scores that it fetches once it stands."""
    with Gradebook(course.db_url, course.course_id) as gradebook:
        formgrader.open(f"/formgrader/submissions/{gradebook.find_submission_notebook(STAGE, STAGE, student).id}/")
    formgrader.page.locator("#test_softmax[placeholder]").wait_for()


def test_lab_has_the_formgrader_in_its_menu(formgrader):
    formgrader.open("/lab")
    formgrader.page.get_by_role("menuitem", name="Nbgrader", exact=True).click()
    formgrader.page.get_by_role("menuitem", name="Formgrader", exact=True).click()
    frame = formgrader.page.frame_locator("iframe")
    frame.locator("tbody tr").filter(has_text=STAGE).wait_for()
    formgrader.photograph("formgrader-in-lab")


def test_manage_assignments_lists_the_stage_and_its_submissions(formgrader):
    formgrader.open("/formgrader/manage_assignments")
    line = row(formgrader.page, STAGE)
    line.wait_for()
    assert line.locator(".num-submissions").inner_text() == "3"
    formgrader.photograph("formgrader-assignments")


def test_manage_submissions_lists_the_students_with_the_scores_of_course_grade(formgrader):
    formgrader.open("/formgrader/manage_assignments")
    row(formgrader.page, STAGE).locator(".num-submissions a").click()
    formgrader.page.wait_for_url("**/manage_submissions/**")
    for student, score in (("all-right", "20"), ("no-scaling", "17.5"), ("half-untouched", "12")):
        line = row(formgrader.page, student)
        line.wait_for()
        assert line.locator(".score").inner_text() == f"{score} / 23"
    formgrader.photograph("formgrader-submissions")


def test_manage_students_lists_everybody(formgrader):
    formgrader.open("/formgrader/manage_students")
    for student in STUDENTS:
        formgrader.page.get_by_text(student).first.wait_for()
    formgrader.photograph("formgrader-students")


def test_a_score_by_hand_and_a_comment_reach_the_gradebook(formgrader, course):
    page = formgrader.page
    formgrader.open("/formgrader/gradebook")
    for _ in ("the assignment", "its notebook"):
        page.locator("tbody a", has_text=STAGE).click()
    page.wait_for_url(f"**{PAGE}")
    page.locator("tbody tr").nth(2).wait_for()
    formgrader.photograph("formgrader-gradebook")
    open_submission(formgrader, course, "no-scaling")
    score = page.locator(f"#{QUESTION}")
    score.scroll_into_view_if_needed()
    score.fill("2.5")
    with page.expect_response(lambda answer: answer.request.method == "PUT" and "/grade/" in answer.url):
        score.press("Tab")
    with page.expect_response(lambda answer: answer.request.method == "PUT" and "/comment/" in answer.url):
        page.locator(f"#{QUESTION}-comment").fill("And what is right in it?")
        page.locator(f"#{QUESTION}-comment").press("Tab")
    formgrader.photograph("formgrader-by-hand")
    assert marks(course, "no-scaling") == (2.5, 2.5, "And what is right in it?")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_rubric_stands_below_the_answer_and_a_click_says_again_what_was_said(formgrader, course, scheme):
    said, student = "And what is right in it?", {"light": "all-right", "dark": "half-untouched"}[scheme]
    with Gradebook(course.db_url, course.course_id) as gradebook:
        gradebook.find_comment(QUESTION, STAGE, STAGE, "no-scaling").manual_comment = said
        gradebook.db.commit()
    page = formgrader.page
    page.emulate_media(color_scheme=scheme)
    open_submission(formgrader, course, student)
    rubric = page.locator(".rubric", has_text="the friend is right")
    assert rubric.bounding_box()["y"] > page.locator(f"#{QUESTION}-comment").bounding_box()["y"]
    with page.expect_response(lambda answer: answer.request.method == "PUT" and "/comment/" in answer.url):
        rubric.locator("button", has_text=said).click()
    assert marks(course, student)[2] == said
    rubric.locator("summary").click()
    rubric.scroll_into_view_if_needed()
    formgrader.photograph(f"formgrader-rubric-{scheme}")
    page.emulate_media(color_scheme="light")


def test_the_page_for_grading_by_hand_shows_our_cards_and_their_scores(formgrader, course):
    open_submission(formgrader, course, "no-scaling")
    card = formgrader.page.locator(".course-card.partial")
    card.wait_for()
    assert "No scaling." in card.inner_text()
    assert formgrader.page.locator("#test_scaled_dot_product").get_attribute("placeholder") == "5.5"
    assert formgrader.images_without("#notebook") == []
    card.scroll_into_view_if_needed()
    formgrader.photograph("formgrader-card")


def test_formulas_are_drawn_without_a_network(formgrader, course):
    open_submission(formgrader, course, "no-scaling")
    formgrader.page.locator(".MathJax").first.wait_for()
    assert formgrader.page.locator("#notebook :text('$$')").count() == 0


def test_the_autograde_button_gives_the_same_score_and_keeps_what_was_entered(formgrader, course):
    with Gradebook(course.db_url, course.course_id) as gradebook:
        grade = gradebook.find_grade(QUESTION, STAGE, STAGE, "all-right")
        grade.manual_score, grade.needs_manual_grade = 3, False
        gradebook.db.commit()
    formgrader.open(f"/formgrader/manage_submissions/{STAGE}")
    line = row(formgrader.page, "all-right")
    line.locator(".autograde a").click()
    formgrader.page.locator(".modal", has_text="Successfully autograded").wait_for()
    formgrader.photograph("formgrader-autograded")
    with Gradebook(course.db_url, course.course_id) as gradebook:
        assert gradebook.find_submission(STAGE, "all-right").score == 23


def test_the_console_had_nothing_to_complain_of(formgrader, course):
    open_submission(formgrader, course, "half-untouched")
    formgrader.page.locator(".course-card").first.wait_for()
    assert formgrader.complaints == []
