"""A small class for stage 01 of a course, what grading it undisturbed gives, and ways to grade it otherwise."""

import json
import shutil
import time
from types import SimpleNamespace

import pytest
from sqlalchemy import create_engine, text

from autograder.course.demo.run import submission
from autograder.course.demo.submissions import CLASS, Handed
from autograder.directory.course import Course
from autograder.files import write_whole
from autograder.grading.pool import end_warm, kept_warm
from autograder.grading.run import grade_stage
from autograder.grading.task import close_workers
from tests import warm

STAGE = "01_attention"
QUICK = ("all-right", "right-loop", "no-scaling", "half-untouched", "syntax-error", "imported-answer")
ROWS = {
    "scores": """
        SELECT s.student_id, c.name, g.auto_score, g.manual_score, CAST(g.needs_manual_grade AS INTEGER)
        FROM grade g JOIN base_cell c ON c.id = g.cell_id JOIN submitted_notebook n ON n.id = g.notebook_id
        JOIN submitted_assignment s ON s.id = n.assignment_id""",
    "comments": """
        SELECT s.student_id, c.name, k.auto_comment, k.manual_comment
        FROM comment k JOIN base_cell c ON c.id = k.cell_id JOIN submitted_notebook n ON n.id = k.notebook_id
        JOIN submitted_assignment s ON s.id = n.assignment_id""",
    "notebooks": """
        SELECT s.student_id, s.timestamp, CAST(n.flagged AS INTEGER), n.late_submission_penalty
        FROM submitted_notebook n JOIN submitted_assignment s ON s.id = n.assignment_id""",
}


def hand_in(course, student, data):
    write_whole(course.submitted_file(STAGE, student), data)


@pytest.fixture(scope="session")
def class_of_nine(made_once, copy_of_course):
    """A course with nine ungraded submissions: one isn't a notebook, two are the same."""

    def make(folder):
        course = copy_of_course(folder / "course")
        release = course.release(STAGE)
        for handed in CLASS:
            if handed.student in QUICK:
                hand_in(course, handed.student, submission(handed, release))
        hand_in(course, "same-again", course.submitted_file(STAGE, "no-scaling").read_bytes())
        hand_in(course, "stripped", submission(next(h for h in CLASS if h.change), release))
        hand_in(course, "not-json", b"this is no notebook {")

    return Course.open(made_once("class-of-nine", make) / "course")


@pytest.fixture
def course(class_of_nine, tmp_path):
    """A copy of it, for one test."""
    return copied(class_of_nine, tmp_path / "course")


def copied(course, root):
    """A copy that shares the stripped packages: a worker on them serves one test after another."""
    shutil.copytree(course.root, root, ignore=shutil.ignore_patterns("packages"))
    (root / course.private.name / "packages").symlink_to((course.private / "packages").resolve())
    return Course.open(root)


@pytest.fixture(scope="session")
def undisturbed(made_once, class_of_nine, tmp_path_factory):
    """The same class graded in one go: its course, `--json` and gradebook."""

    def make(folder):
        outcome = grade_stage(copied(class_of_nine, folder / "course"), STAGE, spread=kept_warm)
        (folder / "verdicts.json").write_text(json.dumps(without_times(outcome)), "utf-8")

    made = made_once("undisturbed", make)
    course = copied(Course.open(made / "course"), tmp_path_factory.mktemp("undisturbed") / "course")
    verdicts = json.loads((made / "verdicts.json").read_text("utf-8"))
    return SimpleNamespace(course=course, verdicts=verdicts, rows=rows_of(course))


@pytest.fixture
def graded(undisturbed, tmp_path):
    """A copy of the graded course, for one test."""
    return copied(undisturbed.course, tmp_path / "graded")


def rows_of(course):
    """All that the gradebook says, without its internal ids."""
    engine = create_engine(course.db_url)
    with engine.connect() as connection:
        rows = {name: sorted(map(repr, connection.execute(text(query)))) for name, query in ROWS.items()}
    engine.dispose()
    return rows


def without_times(outcome):
    """Verdicts by student; a student that counts twice is an error."""
    verdicts = {s["student"]: {k: v for k, v in s.items() if k != "seconds"} for s in outcome["submissions"]}
    assert len(verdicts) == len(outcome["submissions"])
    return verdicts


@pytest.fixture(scope="session")
def tools():
    """The functions above, for the tests beside this file."""
    return SimpleNamespace(
        rows=rows_of, verdicts=without_times, hand_in=hand_in, solved=solved, start=start_grading, wait=wait_until
    )


def solved(course, **answers):
    """The bytes of a solved notebook, with other answers where they are given."""
    return submission(Handed("anybody", 20, answers), course.release(STAGE))


def start_grading(course, *options):
    """`course grade` as a process of its own; `.json` is where its verdicts go."""
    target = course.root / "verdicts.json"
    process = warm.start("course", "grade", STAGE, "--course", course.root, "--json", target, *options)
    process.outcome = lambda: json.loads(target.read_text("utf-8"))
    return process


def wait_until(condition, seconds=120):
    """Poll until `condition()` holds; fail when it never does."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.01)


@pytest.fixture(autouse=True, scope="session")
def no_worker_is_left():
    """What grades in one test grades in the next, of whichever file: one server serves them all."""
    yield
    end_warm()
    close_workers()
