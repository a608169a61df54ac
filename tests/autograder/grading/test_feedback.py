"""The page that a student gets back."""

import re

import pytest
from nbconvert.filters.markdown_mistune import MarkdownWithMath
from nbgrader.api import Gradebook

from autograder.course.feedback.exporter import LONGEST, Formulas
from autograder.directory.course import generate_feedback

from .conftest import STAGE


@pytest.fixture(scope="module")
def pages(undisturbed):
    generate_feedback(undisturbed.course, STAGE)
    folder = undisturbed.course.root / "feedback"
    return {page.parts[-3]: page.read_text("utf-8") for page in folder.glob(f"*/{STAGE}/*.html")}


def rendered(text):
    return MarkdownWithMath(renderer=Formulas(escape=False)).render(text)


def test_the_verdicts_come_before_the_notebook_and_under_their_names(pages):
    for page in pages.values():
        begins = page.index('<div id="notebook">')
        assert 0 < page.index('<a href="#verdict-test_softmax">softmax</a>') < page.index("course-card") < begins
        assert "course-card" not in page[begins:]


def test_an_answer_that_waits_for_a_person_is_said_and_is_no_zero(pages):
    page = pages["no-scaling"]
    assert "of 20 points; 3 more wait for a person</h1>" in page
    assert "why the root</a></td><td>3 points, waiting for a person" in page


def test_an_answer_that_was_not_given_waits_for_nobody(pages):
    assert "waiting for a person" not in pages["half-untouched"]


def test_an_answer_that_was_not_given_is_said_in_its_own_section_and_not_by_an_instructor(pages):
    page = pages["half-untouched"]
    assert "Comment by your instructor" not in page
    assert "No response" not in page
    sections = {part.partition('"')[0]: part for part in page.split('<h2 id="verdict-')[1:]}
    missing = [name for name, section in sections.items() if "<p>No answer.</p>" in section]
    assert "why_the_root" in missing
    assert "test_expand_mask" in missing
    assert "test_softmax" not in missing


def test_an_instructors_comment_stands_in_the_section_of_its_exercise(graded):
    with Gradebook(graded.db_url, graded.course_id) as gradebook:
        gradebook.find_comment("softmax", STAGE, STAGE, "no-scaling").manual_comment = "Well subtracted."
        gradebook.db.commit()
    generate_feedback(graded, STAGE)
    page = (graded.root / "feedback" / "no-scaling" / STAGE / f"{STAGE}.html").read_text("utf-8")
    section = page[page.index('id="verdict-test_softmax"') :]
    assert re.search("Comment by your instructor:</strong> <p>Well subtracted.", section[: section.index("<h2 ", 9)])


def test_nothing_is_loaded_from_elsewhere_and_formulas_are_drawn(pages):
    for page in pages.values():
        assert not re.search(r"<(script|link|iframe)\b|src=\"http", page)
        assert "<math" in page
        assert "$$" not in page


def test_a_badge_is_its_words_with_its_link(pages):
    for page in pages.values():
        assert re.search(r'<a href="https://colab[^"]*">Open in Colab</a>', page)
        assert "[Open in Colab" not in page


def test_a_formula_is_mathml():
    assert "<mfrac>" in rendered(r"so $\frac{1}{2}$")
    assert 'display="block"' in rendered("$$x^2$$")


@pytest.mark.parametrize("formula", [r"\href{javascript:f()}{x}", "a & b", "x^" * LONGEST, "{" * 1500])
def test_a_formula_that_cannot_be_read_stands_as_it_was_typed(formula):
    assert "<code>" in rendered(f"${formula}$")


def test_a_formula_holds_no_markup():
    assert "<script" not in rendered(r"$\text{<script>f()</script>}$")
