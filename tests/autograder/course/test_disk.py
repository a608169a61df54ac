"""A full disk, and a course that nobody may write to: one sentence, nothing half-written, the rest as it was."""

import errno
import os
import shutil
import zipfile
from pathlib import Path

import pytest

from autograder.course.collect import collect_zip
from autograder.files import write_whole
from autograder.grading.run import grade_stage

STAGE = "01_attention"


@pytest.fixture
def refused(monkeypatch):
    """From now on no file below a directory takes a byte; `refused(directory, number)`."""

    def refuse(directory: Path, number: int):
        original = Path.write_bytes

        def write_bytes(path, data):
            if not path.is_relative_to(directory):
                return original(path, data)
            original(path, data[:7])
            raise OSError(number, os.strerror(number), str(path))

        monkeypatch.setattr(Path, "write_bytes", write_bytes)

    return refuse


def files(directory: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in directory.rglob("*") if path.is_file() and path.suffix != ".lock"}


def test_half_a_file_is_not_left(tmp_path, refused):
    write_whole(tmp_path / "kept", b"as it was")
    refused(tmp_path, errno.ENOSPC)
    with pytest.raises(OSError, match="No space"):
        write_whole(tmp_path / "kept", b"something else")
    assert files(tmp_path) == {str(tmp_path / "kept"): b"as it was"}


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS])
def test_grading_stops_with_one_sentence_and_loses_nothing(course, command, refused, number):
    for student in ("ann", "bob"):
        write_whole(course.submitted_file(STAGE, student), b"no notebook")
    words = ("grade", "1", "--jobs", "1", "--sandbox", "limits")
    assert "2 submissions" in command(*words, code=1).stdout  # neither is a notebook
    before = files(course.root)
    refused(course.root, number)
    stopped = command(*words, "--again", code=1)
    assert f"{os.strerror(number)}. Anything written before is kept" in stopped.stderr
    assert "Traceback" not in stopped.output
    assert files(course.root).keys() - {str(course.private / "log")} == before.keys()  # the log says why


def test_collecting_leaves_no_half_of_a_notebook(course, tmp_path, monkeypatch):
    with zipfile.ZipFile(tmp_path / "lms.zip", "w") as archive:
        archive.writestr("ann_1_9_x.ipynb", "ann's")
        archive.writestr("bob_2_9_x.ipynb", "bob's")
    original = shutil.copy

    def copy(source, target, **given):
        original(source, target, **given)
        if "/2/" in str(target):
            Path(target).write_text("b")
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(shutil, "copy", copy)
    with pytest.raises(OSError, match="No space"):
        collect_zip(course, STAGE, tmp_path / "lms.zip")
    assert [path.read_text() for path in course.root.glob("submitted/*/*/*.ipynb")] == ["ann's"]


def test_a_sparse_notebook_of_six_gigabytes_is_refused_unread(course):
    path = course.submitted_file(STAGE, "ann")
    path.parent.mkdir(parents=True)
    with path.open("wb") as file:
        file.truncate(6 << 30)
    write_whole(course.submitted_file(STAGE, "bob"), b"no notebook")
    ann, bob = grade_stage(course, STAGE, sandbox="limits")["submissions"]
    assert (ann["status"], bob["status"]) == ("ungradable", "ungradable")
    assert "the limit is" in ann["flags"][0]
    assert "the most" not in bob["flags"][0]
