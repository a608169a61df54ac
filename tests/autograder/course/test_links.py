"""Entry points that take in files, and every kind of link: only a submitter's own plain files come through."""

import copy
import os
import stat

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
from autograder.grading.handed_in import handed_in

STAGE = "01_attention"
NOTEBOOK = f"{STAGE}.ipynb"
TIME = "2026-11-23 10:00:00 UTC"


def to_a_file(folder, notebook, seed):
    (folder / NOTEBOOK).symlink_to(notebook)
    (folder / "seed.txt").symlink_to(seed)


def hard(folder, notebook, seed):
    os.link(notebook, folder / NOTEBOOK)
    os.link(seed, folder / "seed.txt")


def in_a_folder(folder, notebook, seed):
    (folder / NOTEBOOK).symlink_to(notebook)
    (folder / "deep").mkdir()
    (folder / "deep" / "seed.txt").symlink_to(seed)
    os.link(seed, folder / "deep" / "other.txt")


def of_the_folder(folder, notebook, seed):
    folder.rmdir()
    folder.symlink_to(notebook.parent)


def below_the_folder(folder, notebook, seed):
    (folder / NOTEBOOK).symlink_to(notebook)
    (folder / "deep").symlink_to(seed.parent)


def pipes_and_devices(folder, notebook, seed):
    os.mkfifo(folder / NOTEBOOK)
    os.mkfifo(folder / "timestamp.txt")
    (folder / "zeros.txt").symlink_to("/dev/zero")


KINDS = [to_a_file, hard, in_a_folder, of_the_folder, below_the_folder, pipes_and_devices]


@pytest.fixture
def secrets(course):
    """What must come out nowhere: the seed, and what ann handed in."""
    ann = course.submitted_file(STAGE, "ann")
    ann.parent.mkdir(parents=True)
    ann.write_bytes(b'{"cells": [], "nbformat": 4, "metadata": {"secret": "of ann"}}')
    return course.private / "seed", ann


def linked(make, folder, secrets):
    """A folder of eve's with links in it."""
    folder.mkdir(parents=True)
    make(folder, secrets[1], secrets[0])


def plain_and_of_nobody_else(folder, secrets):
    """Whether only plain files with one name are below a folder, and none has a secret in it."""
    below = [path for path in folder.rglob("*") if not path.is_dir() or path.is_symlink()]
    assert all(stat.S_ISREG(path.lstat().st_mode) and path.stat().st_nlink == 1 for path in below)
    return not [path for path in below for secret in secrets if secret.read_bytes() in path.read_bytes()]


def nbgraders(course):
    config = Config(copy.deepcopy(course.config))
    config.CourseDirectory.root = str(course.root)
    return NbGraderAPI(coursedir=CourseDirectory(config=config), config=config)


@pytest.fixture
def collect(course, tmp_path):
    """`collect()` is nbgrader's command; → what it says."""

    def run():
        config = Config(copy.deepcopy(course.config))
        config.CourseDirectory.root, config.CourseDirectory.assignment_id = str(course.root), STAGE
        config.Exchange.root = str(tmp_path / "exchange")
        (tmp_path / "exchange").chmod(0o777)
        make = ExchangeFactory(config=config).Collect
        app = make(coursedir=CourseDirectory(config=config), authenticator=Authenticator(config=config), config=config)
        outcome = capture_log(app)
        assert outcome["success"], outcome
        return outcome["log"]

    return run


def inbound(tmp_path, student, when=TIME):
    """A folder of the exchange into which a student submitted."""
    return tmp_path / "exchange" / "course" / "inbound" / f"{student}+{STAGE}+{when}+x"


def entry(course, student):
    """The gradebook's score and flag."""
    with open_gradebook(course.db_url, course.course_id) as gradebook:
        found = gradebook.find_submission_notebook(STAGE, STAGE, student)
        return found.score, found.flagged


@pytest.mark.parametrize("make", KINDS)
def test_autograde_says_of_a_link_what_course_grade_says_and_lets_nothing_through(course, secrets, make):
    linked(make, course.submitted_file(STAGE, "eve").parent, secrets)
    (first,) = grade_round(course, STAGE, ["eve"]).outcome["submissions"]
    noted = entry(course, "eve")
    outcome = nbgraders(course).autograde(STAGE, "eve")
    assert (first["score"], first["status"], *noted) == (0, "ungradable", 0, True)
    assert not outcome["success"]
    assert all(flag in outcome["log"] for flag in first["flags"])
    assert entry(course, "eve") == noted
    assert plain_and_of_nobody_else(course.root / "autograded", secrets)


def test_a_file_with_two_names_in_a_thousand_folders_is_read(course, deep_below):
    place = course.submitted_file(STAGE, "eve")
    deep_below(place.parent)
    place.write_bytes(b"eve")
    os.link(place, place.with_name("copy.ipynb"))
    assert handed_in(course, STAGE, "eve").data == b"eve"


@pytest.mark.parametrize("make", KINDS)
def test_the_owner_of_what_a_link_leads_to_pays_nothing(course, secrets, make):
    linked(make, course.submitted_file(STAGE, "eve").parent, secrets)
    assert handed_in(course, STAGE, "eve").refused
    ann = handed_in(course, STAGE, "ann")
    assert (ann.data, ann.refused, ann.flags) == (secrets[1].read_bytes(), (), ())


def test_a_file_that_belongs_to_the_owner_of_its_folder_is_theirs_whatever_other_names_it_has(course, secrets):
    if os.geteuid():
        pytest.skip("only root can give files to others")
    folder = course.submitted_file(STAGE, "eve").parent
    linked(hard, folder, secrets)
    os.utime(folder, (0, 0))  # as if it were older
    for path in (secrets[1], secrets[1].parent):
        os.chown(path, 12345, 12345)
    os.link(secrets[1], course.root.parent / "elsewhere.ipynb")
    assert handed_in(course, STAGE, "eve").refused
    assert not handed_in(course, STAGE, "ann").refused


@pytest.mark.parametrize("make", KINDS)
def test_collect_takes_in_no_link_and_says_so_for_course_grade(course, secrets, collect, tmp_path, make):
    theirs = inbound(tmp_path, "ann") / NOTEBOOK
    theirs.parent.mkdir(parents=True)
    theirs.write_bytes(secrets[1].read_bytes())
    secrets[1].unlink()
    secrets[1].parent.rmdir()
    linked(make, inbound(tmp_path, "eve"), (secrets[0], theirs))
    collect()
    secrets = (secrets[0], theirs)
    assert plain_and_of_nobody_else(course.submitted_file(STAGE, "eve").parent, secrets)
    given = handed_in(course, STAGE, "eve")
    assert [sentence for sentence in given.refused if sentence.startswith("Left out when the submission was collected")]
    assert handed_in(course, STAGE, "ann").data == theirs.read_bytes()
    assert not handed_in(course, STAGE, "ann").flags


def test_collect_goes_on_past_names_that_are_nobodys(course, collect, tmp_path):
    for name in (f"..+{STAGE}+{TIME}+x", f"eve+{STAGE}+soon+x", f"+{STAGE}+{TIME}+x", f"bob+{STAGE}+{'9' * 40}+x"):
        folder = inbound(tmp_path, "").with_name(name)
        folder.mkdir(parents=True)
        (folder / NOTEBOOK).write_bytes(b"{}")
    inbound(tmp_path, "gone").symlink_to(tmp_path / "nowhere")
    (inbound(tmp_path, "ann") / "data").mkdir(parents=True)
    (inbound(tmp_path, "ann") / NOTEBOOK).write_bytes(b"{}")
    (inbound(tmp_path, "ann") / "data" / "words.txt").write_bytes(b"one two")
    (inbound(tmp_path, "ann") / ".ipynb_checkpoints").mkdir()
    assert "Not collected, because its name is not that of a submission" in collect()
    assert sorted(path.name for path in (course.root / "submitted").iterdir()) == ["ann", "gone"]
    assert (course.submitted_file(STAGE, "ann").parent / "data" / "words.txt").read_bytes() == b"one two"
    assert not handed_in(course, STAGE, "ann").flags


@pytest.mark.parametrize("make", KINDS[:3] + KINDS[4:])
def test_generate_feedback_returns_no_link(course, grade, secrets, make):
    grade("eve")
    folder = course.autograded_file(STAGE, "eve").parent
    graded = course.autograded_file(STAGE, "eve").read_bytes()
    course.autograded_file(STAGE, "eve").unlink()
    make(folder, secrets[1], secrets[0])
    (folder / NOTEBOOK).unlink()
    (folder / NOTEBOOK).write_bytes(graded)
    (folder / "plain.txt").write_bytes(b"mine")
    assert nbgraders(course).generate_feedback(STAGE, "eve")["success"]
    returned = course.root / "feedback" / "eve" / STAGE
    assert plain_and_of_nobody_else(returned, secrets)
    assert {path.name for path in returned.iterdir()} - {"deep"} == {f"{STAGE}.html", "plain.txt"}


def test_generate_feedback_does_not_render_a_link(course, grade, secrets):
    grade("eve")
    path = course.autograded_file(STAGE, "eve")
    path.unlink()
    path.symlink_to(secrets[1])
    assert not nbgraders(course).generate_feedback(STAGE, "eve")["success"]
    assert plain_and_of_nobody_else(course.root / "feedback", secrets)


def test_the_formgraders_list_waits_for_no_pipe(course, secrets):
    linked(pipes_and_devices, course.submitted_file(STAGE, "eve").parent, secrets)
    assert [one["timestamp"] for one in nbgraders(course).get_submissions(STAGE)] == [None, None]


def test_a_course_that_was_copied_is_closed_to_others_again(course):
    course.private.chmod(0o755)
    Course.open(course.root)
    assert stat.S_IMODE(course.private.stat().st_mode) == 0o750
