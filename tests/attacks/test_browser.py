"""Feedback, and the page on which an instructor grades by hand, run nothing that a submission wrote."""

import shutil

import nbformat
import pytest
from nbconvert.exporters import HTMLExporter
from nbgrader.server_extensions.formgrader import handlers

from autograder.directory.course import Course, generate_feedback
from autograder.files import write_whole
from autograder.grading.run import grade_stage

from .attack import attacks
from .pages import Page

STAGE = "01_attention"
HOSTILE = [attack for attack in attacks() if attack.kind == "the instructor's browser"]
NAMES = [attack.name.replace(" ", "-") for attack in HOSTILE]
CONFIG = "\nc.Limits.cell_seconds = 19\n"


@pytest.fixture(scope="module")
def feedback(world, tmp_path_factory):
    """A course in which everybody is hostile, graded, with feedback; the honest submission is `nobody`'s."""
    root = tmp_path_factory.mktemp("hostile") / "course"
    shutil.copytree(world.course.root, root)
    with (root / "nbgrader_config.py").open("a") as config:
        config.write(CONFIG)
    course = Course.open(root)
    for name, attack in zip(NAMES, HOSTILE, strict=True):
        write_whole(course.submitted_file(STAGE, name), attack.handed_in(world.solved, world.places))
    write_whole(course.submitted_file(STAGE, "nobody"), nbformat.writes(world.solved).encode())
    grade_stage(course, STAGE, students=[*NAMES, "nobody"], sandbox="bubblewrap")
    generate_feedback(course, STAGE)
    return course


def returned(course: Course, student: str) -> str:
    """The page that a student gets back."""
    return (course.root / "feedback" / student / STAGE / f"{STAGE}.html").read_text("utf-8")


def graded_by_hand(course: Course, student: str) -> str:
    """The page of the formgrader, made as its server makes it."""
    exporter = HTMLExporter(template_name="formgrade", extra_template_basedirs=[handlers.template_path])
    resources = {"assignment_id": STAGE, "notebook_id": STAGE, "submission_id": "1", "index": 0, "total": 1}
    resources |= {"base_url": "", "student": student, "first_name": "", "last_name": "", "notebook_path": ""}
    return exporter.from_filename(str(course.autograded_file(STAGE, student)), resources=resources)[0]


@pytest.mark.parametrize("made", [returned, graded_by_hand])
@pytest.mark.parametrize("student", NAMES)
def test_a_page_holds_no_script_handler_or_link_of_the_submission(feedback, made, student):
    honest, hostile = Page(made(feedback, "nobody")), Page(made(feedback, student))
    assert [script for script in hostile.scripts if "owned" in script or "document.title" in script] == []
    assert len(hostile.scripts) == len(honest.scripts)
    assert hostile.handlers == honest.handlers
    assert hostile.frames == honest.frames
    assert (hostile.links, hostile.formulas) == (honest.links, honest.formulas)


@pytest.fixture(scope="module")
def browser():
    """A browser without a screen."""
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as engine:
        try:
            browser = engine.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        except playwright.Error as error:
            pytest.skip(f"chromium cannot run here: {str(error)[:200]}")
        yield browser
        browser.close()


@pytest.mark.parametrize("made", [returned, graded_by_hand])
def test_a_browser_that_opens_the_pages_and_follows_every_link_is_not_owned(feedback, browser, made):
    wanted = []
    page = browser.new_page()
    page.on("dialog", lambda dialog: dialog.dismiss())
    page.route("**/*", lambda route: wanted.append(route.request.url) or route.abort())
    for student in NAMES:
        page.set_content(made(feedback, student), wait_until="domcontentloaded")
        page.evaluate("for (const a of document.querySelectorAll('a[href], summary')) a.click()")
        page.wait_for_timeout(50)
        assert page.title() != "owned"
    page.close()
    assert [url for url in wanted if "owned" in url or "127.0.0.1" in url] == []


def test_the_browser_would_have_noticed(browser):
    page = browser.new_page()
    page.set_content("<title>a</title><img src=x onerror=\"document.title='owned'\">")
    page.wait_for_timeout(50)
    assert page.title() == "owned"
    page.close()
