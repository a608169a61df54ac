"""An attack gets the same points and the same flags by `course grade`, by nbgrader's command, and by the exchange."""

import copy
import shutil

import nbformat
import pytest
from nbgrader.apps.api import NbGraderAPI
from nbgrader.auth import Authenticator
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange import ExchangeFactory
from nbgrader.utils import capture_log
from traitlets.config import Config

from autograder.course.grade import grade_round
from autograder.directory.course import Course
from autograder.directory.database import open_gradebook
from autograder.files import write_whole
from autograder.grading.records import noted

from .attack import CORPUS, load

STAGE = "01_attention"
CHOSEN = (
    "chain_of_functions",
    "edited_points",
    "hidden_cases_in_an_error",
    "pickled_notebook",
    "ready_made_in_a_container",
    "ready_made_well_hidden",
    "types_of_its_own",
)

pytestmark = [
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),  # an open file of nbgrader's
    pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning"),
]


@pytest.fixture(scope="module")
def handed_in(world):
    """Student → file: some attacks, and an honest submission."""
    files = {name: load(CORPUS / f"{name}.py").handed_in(world.solved, world.places) for name in CHOSEN}
    return files | {"honest": nbformat.writes(world.solved).encode()}


@pytest.fixture
def course_of(world, handed_in, tmp_path):
    """`course_of(name)`: a course of its own for an entry point, with everything handed in."""

    def make(name):
        shutil.copytree(world.course.root, tmp_path / name)
        for student, data in handed_in.items():
            write_whole(Course.open(tmp_path / name).submitted_file(STAGE, student), data)
        return Course.open(tmp_path / name)

    return make


def configured(course):
    config = Config(copy.deepcopy(course.config))
    config.CourseDirectory.root, config.CourseDirectory.assignment_id = str(course.root), STAGE
    return config


def by_course_grade(course, students):
    grade_round(course, STAGE, students)


def by_autograde(course, students):
    config = configured(course)
    api = NbGraderAPI(coursedir=CourseDirectory(config=config), config=config)
    for student in students:
        api.autograde(STAGE, student)


def by_the_exchange(course, students):
    config = configured(course)
    config.Exchange.root = str(course.root.parent / "exchange")
    for student in students:
        folder = course.root.parent / "exchange" / "course" / "inbound" / f"{student}+{STAGE}+2026-11-23 10:00:00 UTC+x"
        shutil.copytree(course.submitted_file(STAGE, student).parent, folder)
        shutil.rmtree(course.submitted_file(STAGE, student).parent)
    (course.root.parent / "exchange").chmod(0o777)
    make = ExchangeFactory(config=config).Collect
    app = make(coursedir=CourseDirectory(config=config), authenticator=Authenticator(config=config), config=config)
    assert capture_log(app)["success"]
    by_autograde(course, students)


def said_of(course, students):
    """Student → points and sentences as they are noted, and the flag in the gradebook."""
    found = {}
    with open_gradebook(course.db_url, course.course_id) as gradebook:
        for student in students:
            submission = noted(course.private, STAGE, student)
            row = gradebook.find_submission_notebook(STAGE, STAGE, student)
            found[student] = submission["score"], submission["flags"], submission["repairs"], row.score, row.flagged
    return found


def test_points_flags_and_repairs_are_the_same_at_every_entry_point(course_of, handed_in):
    found = {}
    for entry_point in (by_course_grade, by_autograde, by_the_exchange):
        course = course_of(entry_point.__name__)
        entry_point(course, [*handed_in])
        found[entry_point] = said_of(course, handed_in)
    first = found[by_course_grade]
    assert found == dict.fromkeys(found, first)
    for name in CHOSEN:
        attack = load(CORPUS / f"{name}.py")
        assert (first[name][0], first[name][4]) == (attack.gets, bool(first[name][1]))
        assert not attack.flagged or first[name][4]
    assert first["honest"][0:2] == (20, [])
    assert not first["honest"][4]
