"""Rubrics and earlier comments: on the formgrader's page, and nowhere that a student looks."""

import nbformat
import pytest
from bs4 import BeautifulSoup
from nbconvert.exporters import HTMLExporter
from nbgrader.api import Gradebook
from nbgrader.server_extensions.formgrader import handlers
from traitlets.config import Config

from autograder.build.rubric import rubric_of
from autograder.directory.course import generate_feedback
from autograder.files import write_whole
from autograder.grading.notebook import Notebook
from autograder.stripping.variants import chosen

STAGE, QUESTION = "01_attention", "why_the_root"
ASKED = {"assignment_id": STAGE, "notebook_id": STAGE, "submission_id": "any", "base_url": "", "index": 0, "total": 1}


@pytest.fixture
def page(course, monkeypatch):
    """`page(student)` is what the formgrader shows for grading by hand."""
    monkeypatch.chdir(course.root)

    def show(student):
        config = Config(course.config)
        config.HTMLExporter.template_name = "formgrade"
        config.HTMLExporter.extra_template_basedirs = [handlers.template_path]
        html, _ = HTMLExporter(config=config).from_filename(
            str(course.autograded_file(STAGE, student)), ASKED | {"student": student}
        )
        return html

    return show


@pytest.fixture
def rubric(course):
    """The rubric of the stage's question."""
    return rubric_of(chosen(Notebook(nbformat.read(course.source_file(STAGE), as_version=4)).named[QUESTION].source))


def comment(course, student, name, text):
    with Gradebook(course.db_url, course.course_id) as gradebook:
        gradebook.find_comment(name, STAGE, STAGE, student).manual_comment = text
        gradebook.db.commit()


def test_the_page_has_each_point_below_the_answer_and_the_model_answer(grade, page, rubric):
    grade("ann", essay="Because of the variance.")
    html = page("ann")
    assert html.index("Because of the variance.") < html.index('class="panel panel-info rubric"')
    for points, what in rubric.items:
        assert f'<span class="badge">{points:g}</span>{what}' in html
    assert "For d_k = 64" in html.replace("\n", " ")


def test_comments_of_others_are_offered_with_how_often_they_were_given(course, grade, page):
    for student in ("ann", "bob", "eve"):
        grade(student)
    for student in ("ann", "bob"):
        comment(course, student, QUESTION, 'Which "root"?\n\nAnd <why>?')
    comment(course, "eve", "softmax", "Which axis?")
    html = page("eve")
    buttons = BeautifulSoup(html, "html.parser").select(".rubric button")
    assert [(button["name"], button["value"], button.span.text) for button in buttons] == [
        ("softmax-comment", "Which axis?", "1"),
        (f"{QUESTION}-comment", 'Which "root"?\n\nAnd <why>?', "2"),
    ]


def test_nothing_of_it_reaches_a_student(course, grade, rubric):
    grade("ann")
    grade("bob")
    comment(course, "bob", QUESTION, "For bob alone.")
    generate_feedback(course, STAGE)
    seen = [course.release_file(STAGE), course.autograded_file(STAGE, "ann")]
    for path in [*seen, course.root / "feedback" / "ann" / STAGE / f"{STAGE}.html"]:
        text = path.read_text("utf-8")
        assert "rubric" not in text.lower()
        assert not [what for _, what in rubric.items if what in text]
        assert "For bob alone." not in text


def test_a_teachers_own_rubric_counts_and_other_points_are_said(course, grade, page):
    notebook = nbformat.read(course.source_file(STAGE), as_version=4)
    Notebook(notebook).named[QUESTION].source = "Seven.\n\nRubric:\n- 7 points: it says\n  “seven”\n"
    write_whole(course.source_file(STAGE), nbformat.writes(notebook).encode())
    grade("ann")
    html = page("ann")
    assert "Rubric: it adds up to 7, the question counts 3" in html
    assert '<span class="badge">7</span>it says “seven”' in html


def test_without_a_source_the_page_stands_as_it_is(course, grade, page):
    grade("ann", essay="Because of the variance.")
    course.source_file(STAGE).unlink()
    assert "Because of the variance." in page("ann")
    assert "rubric" not in page("ann")
