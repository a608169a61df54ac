"""A hostile zip: nothing outside submitted/, nothing but plain files within bounds, and no cost to other students."""

import io
import random
import stat
import zipfile

import pytest

from autograder.course.collect import collect_zip
from autograder.exports.archives import Bounds

from .zips import STAGE, at, placed, zipped


@pytest.mark.parametrize("name", ["../../evil_1_2_x.ipynb", "/tmp/evil_1_2_x.ipynb", "a/../../evil_1_2_x.ipynb"])
def test_no_member_leaves_the_folder(course, collect, name):
    outcome = collect({name: "evil", "doe_1_9_x.ipynb": "good"})
    assert placed(course) == {at("1"): "good"}
    assert "points outside the archive" in outcome.left[0]
    assert not any("evil" in path.name for path in course.root.parent.rglob("*"))


@pytest.mark.parametrize("student", ["..", ".", "../x", ".course", "a/b"])
def test_no_student_id_is_a_path(course, collect, student):
    outcome = collect(
        {f"{student.replace('/', '~')}=x.ipynb": "evil"}, pattern=r"(?P<student_id>[^=]+)=(?P<file_id>.*)"
    )
    assert all(".." not in name.split("/")[0] and not name.startswith(".") for name in placed(course))
    assert len(outcome.left) + len(outcome.students) == 1


def test_an_archive_of_a_student_costs_nobody_else_a_file(course, collect):
    many = zipped({f"{number}.txt": "" for number in range(1009)} | {f"{number}.ipynb": "a" for number in range(11)})
    outcome = collect(
        {"a_1_9_x.zip": many, "b_2_9_x.ipynb": "b", "c_3_9_x.zip": zipped({"c.ipynb": "c"})},
        bounds=Bounds(members=7, inside=3),
    )
    assert placed(course) == {at("2"): "b", at("3"): "c"}
    assert "a_1_9_x.zip: it contains more than 3 notebooks" in outcome.left
    assert "a_1_9_x.zip: it contains no notebooks: 1009 files" in outcome.left
    assert len(outcome.left) == 3  # and of which notebook nobody knows whether student 1 means it


def test_a_list_of_members_that_is_too_long_is_not_read(course, collect):
    long = zipped({f"{number}.ipynb": "a" for number in range(11)})
    outcome = collect({"a_1_9_x.zip": long, "b_2_9_x.zip": zipped({"b.ipynb": "b"})}, bounds=Bounds(directory=499))
    assert placed(course) == {at("2"): "b"}
    assert outcome.left == ("a_1_9_x.zip: it contains more files than a submission may",)


def test_names_are_shown_and_not_obeyed(course, command, tmp_path):
    path = tmp_path / "lms.zip"
    path.write_bytes(zipped({"[bold]\x1b[2J\x9b2J.pdf": "pdf", "roe_2_9_[red]\u202ex.ipynb": "roe"}))
    result = command("collect", path, "1", code=1)
    assert "[bold]" in result.output
    assert not {"\x1b", "\x9b", "\u202e"} & set(result.output)
    assert placed(course) == {at("2"): "roe"}


def test_a_link_is_not_followed(course, tmp_path):
    member = zipfile.ZipInfo("doe_1_9_x.ipynb")
    member.create_system, member.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "lms.zip", "w") as archive:
        archive.writestr(member, "/etc/passwd")
    outcome = collect_zip(course, STAGE, tmp_path / "lms.zip")
    assert placed(course) == {}
    assert "it is a link" in outcome.left[0]


@pytest.mark.parametrize("kind", [stat.S_IFCHR, stat.S_IFBLK, stat.S_IFIFO, stat.S_IFSOCK])
def test_a_member_that_says_it_is_a_device_is_a_plain_file_of_its_bytes(course, tmp_path, kind):
    member = zipfile.ZipInfo("doe_1_9_x.ipynb")
    member.create_system, member.external_attr = 3, (kind | 0o6777) << 16
    with zipfile.ZipFile(tmp_path / "lms.zip", "w") as archive:
        archive.writestr(member, "doe")
    collect_zip(course, STAGE, tmp_path / "lms.zip")
    file = course.root / "submitted" / at("1")
    assert stat.S_ISREG(file.lstat().st_mode)
    assert not file.stat().st_mode & (stat.S_ISUID | stat.S_ISGID)
    assert placed(course) == {at("1"): "doe"}


def test_a_name_in_no_encoding_costs_its_own_student_alone(course, collect):
    broken = zipped({"ä.ipynb": "a"}).replace("ä".encode(), b"\xff\xfe")  # it says that it is UTF-8
    other = zipped({"??.ipynb": "b"}).replace(b"??", b"\x9b\x84")  # an old one, as Windows writes it
    outcome = collect({"a_1_9_x.zip": broken, "b_2_9_x.zip": other, "c_3_9_x.ipynb": "c"})
    assert placed(course) == {at("2"): "b", at("3"): "c"}
    assert outcome.left == ("a_1_9_x.zip: not a zip file, or a broken one",)


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_a_damaged_stream_costs_its_own_student_alone(course, collect, method):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        archive.writestr("a.ipynb", random.Random(7).randbytes(9973))
    damaged = bytearray(buffer.getvalue())
    damaged[60:97] = b"\xff" * 37
    outcome = collect({"a_1_9_x.zip": bytes(damaged), "b_2_9_x.ipynb": "b"})
    assert placed(course) == {at("2"): "b"}
    assert "a_1_9_x.zip/a.ipynb: could not be unpacked" in outcome.left[0]


@pytest.mark.parametrize("names", [("a.ipynb", "a.ipynb/b.ipynb"), ("a.ipynb/b.ipynb", "a.ipynb")])
def test_a_file_and_a_folder_of_one_name_cost_their_own_student_alone(course, collect, names):
    collect({"a_1_9_x.zip": zipped(dict.fromkeys(names, "a")), "b_2_9_x.ipynb": "b"})
    assert placed(course)[at("2")] == "b"


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_of_two_members_of_one_name_the_first_is_taken(course, tmp_path):
    path = tmp_path / "lms.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a_1_9_x.ipynb", "first")
        archive.writestr("a_1_9_x.ipynb", "second")
    outcome = collect_zip(course, STAGE, path)
    assert placed(course) == {at("1"): "first"}
    assert outcome.left == ("a_1_9_x.ipynb: could not be unpacked (File exists)",)


def test_a_path_of_a_thousand_folders_costs_its_own_student_alone(course, collect):
    outcome = collect({"a_1_9_x.zip": zipped({"d/" * 1000 + "a.ipynb": "a"}), "b_2_9_x.ipynb": "b"})
    assert placed(course) == {at("2"): "b"}
    assert "it is in too many folders" in outcome.left[0]


def test_a_claim_of_four_gigabytes_is_not_believed(course, collect):
    content = b"0" * 4001
    lying = zipped({"c.ipynb": content})
    size = len(content).to_bytes(4, "little")
    lying = lying.replace(size, (13).to_bytes(4, "little"))
    outcome = collect({"a_1_9_x.zip": lying, "b_2_9_x.ipynb": "b"}, bounds=Bounds(file=997))
    assert placed(course) == {at("2"): "b"}
    assert len(outcome.left) == 1


def test_a_bomb_is_not_unpacked(course, collect):
    outcome = collect(
        {"a_1_9_x.ipynb": "x" * 991, "b_2_9_x.ipynb": "x" * 983, "c_3_9_x.ipynb": "x" * 1013},
        bounds=Bounds(file=997, total=1009),
    )
    assert list(placed(course)) == [at("1")]
    assert ["larger than" in reason for reason in outcome.left] == [True, True]
