"""What comes from submitted/ is read in one place; trouble with one student is that student's."""

import os

import pytest

from autograder.grading.handed_in import MAX_STAMP, handed_in, timestamp
from autograder.grading.pool import kept_warm
from autograder.grading.reading_room import NotReadable, read
from autograder.grading.run import grade_stage

STAGE = "01_attention"
DATE = b"2026-11-21 10:00:00 UTC"


@pytest.fixture
def folder(course):
    """The directory of one student, with a notebook."""
    made = course.submitted_file(STAGE, "ada").parent
    made.mkdir(parents=True, exist_ok=True)
    (made / f"{STAGE}.ipynb").write_bytes(b"a notebook")
    return made


def test_a_plain_file_is_read_with_its_timestamp(course, folder):
    (folder / "timestamp.txt").write_bytes(DATE)
    given = handed_in(course, STAGE, "ada")
    assert (given.data, given.stamp, given.refused, given.flags) == (b"a notebook", DATE, (), ())


STAMPS = [b"9" * 40, b"9999-12-31 23:59:59 -1200", b"0001-01-01 00:00:00 +1400", b"soon", b"\xff\xfe"]


@pytest.mark.parametrize("stamp", STAMPS)
def test_a_timestamp_that_is_no_date_is_flagged_and_counts_as_none(course, folder, stamp):
    (folder / "timestamp.txt").write_bytes(stamp)
    given = handed_in(course, STAGE, "ada")
    assert (given.data, given.stamp) == (b"a notebook", b"")
    assert "contains no date. It counts as on time" in given.flags[0]
    assert timestamp(stamp) is None


def link(path, there):
    path.unlink(missing_ok=True)
    path.symlink_to(there)


def test_a_timestamp_that_is_a_pipe_a_device_or_too_long_holds_nobody_up(course, folder):
    path = folder / "timestamp.txt"
    for make in (os.mkfifo, lambda p: link(p, "/dev/zero"), lambda p: p.write_bytes(b"1" * (MAX_STAMP + 1))):
        path.unlink(missing_ok=True)
        make(path)
        given = handed_in(course, STAGE, "ada")
        assert (given.data, given.stamp, len(given.flags)) == (b"a notebook", b"", 1)


def test_links_are_refused_in_every_part_of_a_path(course, folder):
    other = course.submitted_file(STAGE, "bob").parent
    other.mkdir(parents=True)
    (other / f"{STAGE}.ipynb").write_bytes(b"of somebody else")
    link(folder / f"{STAGE}.ipynb", other / f"{STAGE}.ipynb")
    (folder.parents[1] / "eve").mkdir()
    (folder.parents[1] / "eve" / STAGE).symlink_to(other)
    (folder.parents[1] / "mallory").symlink_to(other.parent)
    for student in ("ada", "eve", "mallory"):
        assert "is a link; submit the file" in handed_in(course, STAGE, student).refused[0], student


def test_a_hard_link_and_a_directory_are_no_notebooks(course, folder):
    path = folder / f"{STAGE}.ipynb"
    path.unlink()
    os.link(course.private / "seed", path)
    assert "not a separate file" in handed_in(course, STAGE, "ada").refused[0]
    path.unlink()
    path.mkdir()
    assert handed_in(course, STAGE, "ada").refused


def test_a_file_is_not_read_beyond_its_limit(tmp_path):
    path = tmp_path / "sparse"
    with path.open("wb") as file:
        file.truncate(6 << 30)
    with pytest.raises(NotReadable, match="6,442,450,944 bytes; the limit is 100"):
        read(tmp_path, path, 100)


def test_a_renamed_notebook_is_graded_and_two_are_left_to_a_person(course, folder):
    (folder / f"{STAGE}.ipynb").rename(folder / f"{STAGE} (1).ipynb")
    given = handed_in(course, STAGE, "ada")
    assert given.data == b"a notebook"
    assert given.repairs == (f"The file is named {STAGE} (1).ipynb; it was graded as {STAGE}.ipynb.",)
    (folder / "copy.ipynb").write_bytes(b"another")
    assert "Found several notebooks" in handed_in(course, STAGE, "ada").refused[0]


def test_a_pdf_is_said_to_be_what_is_there(course, folder):
    (folder / f"{STAGE}.ipynb").unlink()
    (folder / "answers.pdf").write_bytes(b"%PDF")
    assert "found answers.pdf" in handed_in(course, STAGE, "ada").refused[0]


def test_one_students_trouble_is_nobody_elses(course, tools):
    tools.hand_in(course, "ada", tools.solved(course))
    strange = ["x" * 230, "two\nlines", os.fsdecode(b"\xff\xfe")]
    for student in [*strange, "late", "pipe"]:
        folder = course.root / "submitted" / student / STAGE
        folder.mkdir(parents=True)
        (folder / f"{STAGE}.ipynb").write_bytes(b"{}")
    (course.submitted_file(STAGE, "late").with_name("timestamp.txt")).write_bytes(b"9" * 40)
    pipe = course.submitted_file(STAGE, "pipe")
    pipe.unlink()
    os.mkfifo(pipe)
    outcome = grade_stage(course, STAGE, students=["ada", *strange, "late", "pipe"], spread=kept_warm)
    graded = {submission["student"]: submission for submission in outcome["submissions"]}
    assert graded["ada"]["status"] == "right"
    assert {graded[student]["status"] for student in [*strange, "late", "pipe"]} == {"ungradable"}
    assert all(graded[student]["flags"] for student in [*strange, "late", "pipe"])
