"""The term as files: one page, a table beside it, and a page for each student without other students' names."""

import hashlib
from pathlib import Path
from urllib.parse import quote

from autograder.directory.course import Course
from autograder.exports.cells import csv_bytes
from autograder.files import write_whole
from autograder.practice.card import WORDS
from autograder.report.page import template
from autograder.report.term import Term, read_term

LONGEST = 180  # characters of a file's name


def write_term(course: Course, output: Path | None = None) -> tuple[Path, Path, Path]:
    """Write the term's report; → the page, the table, the folder of students. `CourseError` while nothing is graded."""
    page = (output or course.root / "report" / "term.html").resolve()
    table, folder = page.with_suffix(".csv"), page.with_name(f"{page.stem}-students")
    term = read_term(course)
    shared = {"course": course.course_id, "term": term, "words": WORDS}
    write_whole(table, csv_bytes(term.rows()))
    for student in term.students:
        content = template("student.html.j2").render(**shared, student=student, verdicts=_verdicts(term, student))
        write_whole(folder / file_name(student), content.encode("utf-8", "replace"))
    current = {file_name(student) for student in term.students}
    for old in folder.glob("*.html"):  # of those whom nobody knows any more
        if old.name not in current:
            old.unlink()
    links = {student: quote(f"{folder.name}/{file_name(student)}") for student in term.students}
    content = template("term.html.j2").render(**shared, table=table.name, links=links)
    write_whole(page, content.encode("utf-8", "replace"))
    return page, table, folder


def file_name(student: str) -> str:
    """A file's name for a student, whatever the id: no two ids share one.

    >>> file_name("ada"), file_name("../b")
    ('ada.html', '..%2Fb.html')
    """
    name = quote(student, safe="@+ ", errors="surrogateescape")
    digest = hashlib.sha256(name.encode()).hexdigest()[:16]
    return (name if len(name) <= LONGEST else f"{name[:LONGEST]}-{digest}") + ".html"


def _verdicts(term: Term, student: str) -> dict[str, dict]:
    """Stage → the verdict that grading noted of this student."""
    return {stage.name: s for stage in term.stages for s in stage.data.submissions if s["student"] == student}
