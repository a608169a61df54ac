"""A small class from its list to returned feedback, by way of Canvas and of Moodle, next to the exchange.

`tests/autograder/course/test_exchange.py` goes the exchange's own way. Here no entry point makes a ghost,
and no grade differs.
"""

import csv
import zipfile

import pytest
from nbgrader.api import Gradebook
from typer.testing import CliRunner

from autograder.cli import app
from autograder.course.demo.run import submission
from autograder.course.demo.submissions import CLASS
from autograder.directory.course import Course
from autograder.files import write_whole

pytestmark = pytest.mark.slow
STAGE = "01_attention"
HANDED = [handed for handed in CLASS if handed.student in ("all-right", "no-scaling", "half-untouched")]
PEOPLE = {
    "ann": ("Ann", "Doe", 101),
    "bob": ("Bob", "O'Neil", 102),
    "zoë": ("Zoë", "Yu Li", 103),
    "lazy": ("Lou", "Zy", 104),
}
DUE = "grace_days = 3\n[due]\n01_attention = 2027-03-01T12:00:00Z\n"
WHEN = {"ann": "2027-03-01 11:00", "bob": "2027-03-02 13:00", "zoë": "2027-03-06 12:30"}
GRACE = {"ann": "0", "bob": "2", "zoë": "3"}  # days used


def canvas(folder, work):
    """Canvas's gradebook, its zip, and times in a table of the teacher's own."""
    head = "Student,ID,SIS User ID,SIS Login ID,Section\nPoints Possible,,,,\n"
    rows = [
        f'"{last}, {first}",{number},{student},{student}@x,A\n' for student, (first, last, number) in PEOPLE.items()
    ]
    (folder / "list.csv").write_text(head + "".join(rows) + '"Student, Test",999,,test,A\n', "utf-8")
    with zipfile.ZipFile(folder / "lms.zip", "w") as archive:
        for student, page in work.items():
            first, last, number = PEOPLE[student]
            archive.writestr(f"{last}{first}_{number}_9{number}_{STAGE}-1.ipynb".replace(" ", "").lower(), page)
    times = [f"{student},{STAGE},{when}\n" for student, when in WHEN.items()]
    (folder / "times.csv").write_text("student,stage,time\n" + "".join(times), "utf-8")
    return ["--ids", "SIS User ID"], "canvas-feedback", {"ann": "doeann_101_9101_01_attention-1.html"}


def moodle(folder, work):
    """A class list, then the assignment's worksheet in German, which has the numbers and the times."""
    rows = [f"{student},{first},{last},{student}@x\n" for student, (first, last, _) in PEOPLE.items()]
    (folder / "list.csv").write_text("id,first_name,last_name,email\n" + "".join(rows), "utf-8")
    with zipfile.ZipFile(folder / "lms.zip", "w") as archive:
        for student, page in work.items():
            first, last, number = PEOPLE[student]
            archive.writestr(f"{first} {last}_{number}_assignsubmission_file_/{STAGE}.ipynb", page)
    lines = ["ID;Vollständiger Name;E-Mail-Adresse;Status;Bewertung;Zuletzt geändert (Abgabe)"]
    for student, (first, last, number) in PEOPLE.items():
        day, _, hour = WHEN.get(student, "").partition(" ")
        when = f"Montag, {day[-1]}. März 2027, {hour}" if day else "-"
        lines.append(f"Teilnehmer/in{number};{first} {last};{student}@x;;;{when}")
    (folder / "times.csv").write_text("\n".join(lines) + "\n", "utf-16")
    return [], "moodle-feedback", {"ann": "Ann Doe_101_assignfeedback_file_01_attention.html"}


def by_hand(folder, work):
    """Files put in place, as the exchange does: what the other entry points are held against."""
    rows = [f"{student},{first},{last},{student}@x\n" for student, (first, last, _) in PEOPLE.items()]
    (folder / "list.csv").write_text("id,first_name,last_name,email\n" + "".join(rows), "utf-8")
    for student, page in work.items():
        place = folder / "course" / "submitted" / student / STAGE
        write_whole(place / f"{STAGE}.ipynb", page)
        write_whole(place / "timestamp.txt", f"{WHEN[student]}:00 UTC".encode())
    return [], "feedback", {"ann": "ann.html"}


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_no_entry_point_makes_a_ghost_or_another_grade_and_feedback_finds_its_way_back(copy_of_course, tmp_path):
    outcomes = {}
    for entry_point in (by_hand, canvas, moodle):
        folder = tmp_path / entry_point.__name__
        folder.mkdir()
        course = copy_of_course(folder / "course")
        write_whole(course.root / "course.toml", DUE.encode())
        work = {s: submission(h, course.release(STAGE)) for s, h in zip(WHEN, HANDED, strict=True)}
        options, feedback, returned = entry_point(folder, work)
        course_command(course, "roster", folder / "list.csv", *options)
        if (folder / "lms.zip").exists():
            if entry_point is moodle:
                course_command(course, "roster", folder / "times.csv")
            course_command(course, "collect", folder / "lms.zip", 1)
            course_command(course, "lateness", "import", folder / "times.csv", *([1] if entry_point is moodle else []))
        course_command(course, "grade", 1, "--jobs", 1)
        course_command(course, "report")
        course_command(course, "report", 1)
        course_command(course, "export", 1, "--to", "csv")
        course_command(course, "export", 1, "--to", feedback)
        outcomes[entry_point.__name__] = grades(course)
        assert everybody(course) == {*PEOPLE}
        assert {path.name for path in (course.root / "submitted").iterdir()} == {*WHEN}
        assert pages(course, feedback) >= {*returned.values()}
        assert len(pages(course, feedback)) == len(WHEN)
    assert outcomes["canvas"] == outcomes["moodle"] == outcomes["by_hand"]
    assert {row[0]: row[2] for row in outcomes["canvas"]} == GRACE | {"lazy": ""}


def course_command(course: Course, *words) -> None:
    done = CliRunner().invoke(app, [*map(str, words), "--course", str(course.root)])
    assert done.exit_code == 0, (words, done.output, done.exception)


def everybody(course: Course) -> set[str]:
    """Whom the gradebook knows."""
    with Gradebook(course.db_url, course.course_id) as gradebook:
        return {student.id for student in gradebook.students}


def grades(course: Course) -> list[tuple[str, ...]]:
    """(student, score, grace days used, penalty) of everybody."""
    with (course.root / "export" / f"{STAGE}.csv").open(encoding="utf-8-sig", newline="") as file:
        parts = ("student_id", "score", "grace_days_used", "late_submission_penalty")
        return sorted(tuple(row[part] for part in parts) for row in csv.DictReader(file))


def pages(course: Course, to: str) -> set[str]:
    """The names of the pages that go back."""
    if to == "feedback":
        return {path.name for path in (course.root / "export" / f"{STAGE}-feedback").iterdir()}
    with zipfile.ZipFile(course.root / "export" / f"{STAGE}-{to}.zip") as archive:
        return {*archive.namelist()}
