"""The pages that the course writes, looked at by axe-core: nothing serious, in light and in dark."""

import pytest

from autograder.course.demo.run import submission
from autograder.course.demo.submissions import CLASS, Handed
from autograder.directory.course import generate_feedback
from autograder.files import write_whole
from autograder.grading.run import grade_stage
from autograder.report.page import write_report
from autograder.report.term_page import write_term

axe = pytest.importorskip("tests.browser.axe")
pytestmark = pytest.mark.browser

STAGE = "01_attention"
STUDENTS = ("all-right", "no-scaling", "half-untouched", "syntax-error")
LOOP = """\
def padding_mask(lengths, max_len=None):
    longest = max(lengths) if max_len is None else max_len
    table = []
    for length in lengths:
        table.append([place < length for place in range(longest)])
    return torch.tensor(table, dtype=torch.bool)
"""
FAULTY = """\
<main><p id="faint" style="color: #999">faint</p><p id="fine" style="color: #111">fine</p>
<div style="background: #111"><p id="dark" style="color: rgb(20 20 20 / .9)">dark on dark</p></div>
<div style="background: #111"><p id="fine-there" style="color: #999">fine on dark</p></div>
<img id="wordless" src="data:,"></main>"""
ALIKE = [Handed(student, 0, {"padding_mask": LOOP}) for student in ("one", "two")]


@pytest.fixture(scope="module")
def pages(copy_of_course, tmp_path_factory):
    """Name → file, of a course with four graded submissions and grace days."""
    course = copy_of_course(tmp_path_factory.mktemp("accessible") / "course")
    write_whole(course.root / "course.toml", b"grace_days = 3\n")
    for handed in (*CLASS, *ALIKE):
        if handed.student in STUDENTS or handed in ALIKE:
            write_whole(course.submitted_file(STAGE, handed.student), submission(handed, course.release(STAGE)))
    grade_stage(course, STAGE)
    generate_feedback(course, STAGE)
    report, _ = write_report(course, STAGE)
    term, _, folder = write_term(course)
    feedback = course.root / "feedback" / "no-scaling" / STAGE / f"{STAGE}.html"
    similar = report.with_name(f"{STAGE}-similar.html")
    return {
        "report": report,
        "similar": similar,
        "term": term,
        "student": folder / "no-scaling.html",
        "feedback": feedback,
    }


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["report", "similar", "term", "student", "feedback"])
def test_axe_finds_nothing_serious(chromium, pages, name, scheme):
    page = chromium.new_page(color_scheme=scheme)
    page.goto(pages[name].as_uri())
    found = axe.serious(page)
    page.close()
    assert found == set()


def test_what_is_serious_is_found(chromium):
    page = chromium.new_page()
    page.set_content(FAULTY)
    found = {(rule, element) for rule, element in axe.serious(page) if "id=" in element}
    page.close()
    assert sorted(rule for rule, _ in found) == ["color-contrast", "color-contrast", "image-alt"]
    assert not any("fine" in element for _, element in found)
