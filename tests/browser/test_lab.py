"""Stage 01 in JupyterLab, as a student goes through it: run it, get it wrong, get it right, play, validate."""

import re
import shutil

import pytest

from autograder.catalogue import exercises_of, find
from autograder.course.demo.run import QUESTION
from autograder.course.demo.submissions import CLASS, IN_WORDS
from autograder.stripping.strip import solved_source

from .conftest import ROOT

pytestmark = pytest.mark.browser

STAGE, EXERCISE = "01_attention", "scaled_dot_product"
LABELLED = """() => jupyterapp.shell.currentWidget.content.widgets.forEach(cell => {
    cell.node.dataset.cell = (cell.model.getMetadata('nbgrader') || {}).grade_id || '' })"""
ACTIVATE = """async name => {
    const pages = jupyterapp.shell.currentWidget.content
    pages.activeCellIndex = pages.widgets.findIndex(cell => cell.node.dataset.cell === name)
    pages.mode = 'command'
    await pages.scrollToItem(pages.activeCellIndex)
    pages.activate() }"""


class Lab:
    """The notebook of stage 01, opened in JupyterLab and run from top to bottom."""

    def __init__(self, visit, root):
        shutil.copy(ROOT / "notebooks" / f"{STAGE}.ipynb", root)
        self.visit = visit(root)
        self.page = self.visit.page
        self.visit.open(f"/lab/tree/{STAGE}.ipynb")
        self.page.get_by_text("Python 3 (ipykernel) | Idle").wait_for()
        self.page.evaluate(LABELLED)

    def run_all(self) -> None:
        self.page.get_by_role("menuitem", name="Run", exact=True).click()
        self.page.get_by_role("menuitem", name="Run All Cells", exact=True).click()

    def paste(self, exercise: str, source: str) -> None:
        """Paste an answer over what stands in its cell, run it, and run the check below."""
        self.page.evaluate("text => navigator.clipboard.writeText(text)", source)
        self.page.evaluate(ACTIVATE, exercise)
        for keys in ("Enter", "Control+a", "Control+v", "Shift+Enter", "Shift+Enter"):
            self.page.keyboard.press(keys)

    def card(self, exercise: str):
        return self.page.locator(f"[data-cell=test_{exercise}] .course-card")

    def expect(self, exercise: str, status: str, text: str) -> None:
        """Wait until the card of an exercise has this status, and says this."""
        from playwright.sync_api import expect

        expect(self.card(exercise)).to_have_class(re.compile(rf"\b{status}\b"), timeout=self.visit.patience)
        expect(self.card(exercise)).to_contain_text(text)

    def photograph(self, name: str, exercise: str) -> None:
        self.page.evaluate(ACTIVATE, f"test_{exercise}")
        self.visit.photograph(name)


@pytest.fixture(scope="module")
def lab(visit, tmp_path_factory):
    lab = Lab(visit, tmp_path_factory.mktemp("student"))
    lab.run_all()
    lab.expect("expand_mask", "not_attempted", "Not attempted yet")  # the last one
    cards = {exercise.id: lab.card(exercise.id) for exercise in exercises_of(STAGE)}
    lab.at_first = {name: (card.get_attribute("class"), card.text_content()) for name, card in cards.items()}
    lab.photograph("lab-not-attempted", "softmax")
    return lab


def right(exercise: str) -> str:
    return solved_source(find(exercise).reference)


def test_run_all_shows_a_card_that_says_not_attempted_for_every_exercise(lab):
    for exercise in exercises_of(STAGE):
        kind, said = lab.at_first[exercise.id]
        assert "not_attempted" in kind.split()
        assert f"{exercise.id}: Not attempted yet, 0 of {exercise.points:g} points" in said


def test_no_image_is_broken_or_without_words(lab):
    assert lab.visit.images_without(".jp-NotebookPanel") == []


def test_a_wrong_answer_is_told_its_mistake(lab):
    lab.paste("softmax", right("softmax"))
    lab.paste(EXERCISE, next(handed.answers[EXERCISE] for handed in CLASS if handed.student == "no-scaling"))
    lab.expect(EXERCISE, "partial", "No scaling.")
    lab.expect(EXERCISE, "partial", "5 of 8 points")
    lab.photograph("lab-wrong-answer", EXERCISE)


def test_a_right_answer_gets_full_marks(lab):
    lab.paste("softmax", right("softmax"))
    lab.paste(EXERCISE, right(EXERCISE))
    lab.expect(EXERCISE, "right", "8 of 8 points")
    lab.photograph("lab-right-answer", EXERCISE)


def test_moving_a_slider_changes_its_picture(lab):
    slider, picture = lab.page.locator(".noUi-handle").first, lab.page.locator(".widget-html svg").first
    slider.scroll_into_view_if_needed()
    before, words = picture.inner_html(), picture.get_attribute("aria-label")
    box = slider.bounding_box()
    lab.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    lab.page.mouse.down()
    lab.page.mouse.move(box["x"] + 90, box["y"] + box["height"] / 2, steps=7)
    lab.page.mouse.up()
    lab.page.wait_for_function("before => document.querySelector('.widget-html svg').innerHTML !== before", arg=before)
    assert picture.get_attribute("aria-label") != words
    lab.visit.photograph("lab-slider")


@pytest.mark.parametrize(("theme", "kind"), [("JupyterLab Dark", "dark"), ("JupyterLab Light", "light")])
def test_of_each_figure_the_one_drawn_for_the_theme_is_shown(lab, theme, kind):
    lab.page.evaluate("theme => jupyterapp.commands.execute('apputils:change-theme', {theme})", theme)
    lab.page.locator(f"body[data-jp-theme-light={str(kind == 'light').lower()}]").wait_for(state="attached")
    seen = "images => images.map(image => getComputedStyle(image).display === 'none' ? '' : image.className)"
    assert set(lab.page.locator("img[class^=course-]").evaluate_all(seen)) == {"", f"course-{kind}"}


@pytest.fixture(scope="module")
def finished(lab):
    """The same page with every answer in it, run from top to bottom."""
    for exercise in exercises_of(STAGE):
        lab.paste(exercise.id, right(exercise.id))
    lab.paste(QUESTION, IN_WORDS)
    lab.run_all()
    lab.page.locator(".jp-OutputArea-output", has_text="largest difference").wait_for(state="attached")
    return lab


def test_with_every_answer_in_it_the_page_shows_full_marks(finished):
    for exercise in exercises_of(STAGE):
        finished.expect(exercise.id, "right", f"{exercise.points:g} of {exercise.points:g} points")


def test_a_guess_is_drawn_with_sliders_and_then_the_picture_is_shown(finished):
    page = finished.page
    guess = page.locator(".jp-CodeCell", has_text="Draw first.")
    guess.locator(".noUi-handle").first.focus()
    for _ in range(20):
        page.keyboard.press("ArrowUp")
    guess.get_by_text("together 1.00", exact=True).wait_for()
    guess.get_by_role("button", name="Look").click()
    guess.get_by_text("You guessed: 1.00, 0.00").wait_for()
    assert "0.53, 0.20, 0.07, 0.20" in guess.locator("img").first.get_attribute("alt")
    finished.visit.photograph("lab-guess")


def test_a_finished_notebook_validates(finished):
    finished.page.get_by_role("button", name="Validate").click()
    finished.page.locator(".jp-Dialog", has_text="Success!").wait_for()
    finished.visit.photograph("lab-validated")
    finished.page.keyboard.press("Escape")


def test_the_finished_page_has_no_broken_image_and_the_console_no_error(finished):
    assert finished.visit.images_without(".jp-NotebookPanel") == []
    assert finished.visit.complaints == []
