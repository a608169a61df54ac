"""Submissions from an LMS's zip: placed by student, never outside submitted/, and nothing silently dropped."""

import io
import re
import stat
import zipfile

import pytest

from autograder.course.collect import collect_zip
from autograder.directory.database import open_gradebook
from autograder.errors import CourseError
from autograder.exports import archives
from autograder.grading.handed_in import handed_in

STAGE = "01_attention"


@pytest.fixture
def collect(course, tmp_path):
    """`collect({name: content}, …)` makes a zip and collects it."""

    def run(members, **given):
        path = tmp_path / "lms.zip"
        path.write_bytes(zipped(members))
        return collect_zip(course, STAGE, path, **given)

    return run


def zipped(members):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def placed(course):
    folder = course.root / "submitted"
    return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*") if path.is_file()}


def known(course):
    """What the gradebook knows of people: (first name, last name, the LMS's id)."""
    with open_gradebook(course.db_url, course.course_id) as gradebook:
        return {s.id: (s.first_name, s.last_name, s.lms_user_id) for s in gradebook.students}


def at(student):
    return f"{student}/{STAGE}/{STAGE}.ipynb"


def test_canvas_names_are_read_late_anonymous_and_renamed_ones_too(course, collect):
    outcome = collect(
        {
            "doejane_101_9001_01_attention.ipynb": "jane",
            "oneil_bob_LATE_102_9002_Copy of my_1_work.ipynb": "bob",
            "anon_aB3_9003_01_attention-2.ipynb": "anon",
        }
    )
    assert placed(course) == {
        at("101"): "jane",
        at("102"): "bob",
        f"102/{STAGE}/late.txt": "Canvas: LATE\n",
        at("anon_aB3"): "anon",
    }
    assert outcome.left == ()
    assert known(course) == {
        "101": ("", "doejane", "101"),
        "102": ("", "oneil_bob", "102"),
        "anon_aB3": (None, None, None),
    }
    assert "marked it as late" in handed_in(course, STAGE, "102").flags[0]
    (course.root / "submitted" / "102" / STAGE / "timestamp.txt").write_text("2027-03-01 12:00:00 UTC")
    assert handed_in(course, STAGE, "102").flags == ()


def test_name_and_mark_go_to_the_student_who_is_placed(course, collect):
    outcome = collect({"eve_1_LATE_2_9001_01_attention-1.ipynb": "eve"})
    assert set(placed(course)) == {at("2"), f"2/{STAGE}/late.txt"}
    assert known(course) == {"2": ("", "eve_1", "2")}
    assert outcome.late == ("2",)


def test_what_a_zip_does_not_say_of_times_is_said(course, collect):
    outcome = collect({"doe_1_9_x.ipynb": "doe", "roe_LATE_2_9_x.ipynb": "roe"})
    said = " ".join(outcome.sentences)
    assert "Counted as on time, because this zip has no submission times: 1, 2." in said
    assert "Marked LATE in the zip, so flagged until timestamp.txt has the time: 2." in said
    dated = collect({"ann_2026-03-03-10-00-00.ipynb": "a"}, pattern=r"(?P<student_id>\w+?)_(?P<timestamp>[\d-]+)")
    assert (dated.undated, dated.late) == ((), ())


def test_moodle_folders_and_moodle_prefixes_are_read(course, collect):
    collect(
        {
            "Jane Doe_657737_assignsubmission_file_/01_attention.ipynb": "jane",
            "Bob O_Neil_657738_assignsubmission_file_whatever.ipynb": "bob",
            "Zoe_657739_assignsubmission_file/deep/er/x.ipynb": "zoe",
        }
    )
    assert placed(course) == {at("657737"): "jane", at("657738"): "bob", at("657739"): "zoe"}
    assert known(course) == {
        "657737": ("Jane", "Doe", None),
        "657738": ("Bob", "O_Neil", None),
        "657739": ("", "Zoe", None),
    }


def test_a_pattern_of_ones_own_is_matched_on_the_path_in_the_zip(course, collect):
    collect(
        {"group 3/ann/hw.ipynb": "ann", "group 3/bob/hw.ipynb": "bob"},
        pattern=r"[^/]+/(?P<student_id>\w+)/(?P<file_id>.*)",
    )
    assert placed(course) == {at("ann"): "ann", at("bob"): "bob"}


def test_a_time_in_the_name_is_kept_and_the_latest_wins(course, collect):
    names = {f"ann_2026-03-0{day}-10-00-00.ipynb": str(day) for day in (3, 7, 5)}
    collect(names, pattern=r"(?P<student_id>\w+?)_(?P<timestamp>[\d-]+)")
    assert placed(course)[at("ann")] == "7"
    assert "2026-03-07" in placed(course)[f"ann/{STAGE}/timestamp.txt"]


def test_of_two_notebooks_one_is_placed_and_the_other_is_named(course, collect):
    outcome = collect({"doe_1_9_01_attention.ipynb": "old", "doe_1_11_01_attention-1.ipynb": "new"})
    assert placed(course) == {at("1"): "new"}
    assert "doe_1_9_01_attention.ipynb: 1 has another notebook" in outcome.left[0]


def test_a_zip_that_a_student_handed_in_is_opened(course, collect):
    inner = zipped({"work/01_attention.ipynb": "inner", "__MACOSX/work/._x.ipynb": "junk"})
    outcome = collect({"doe_1_9_work.zip": inner})
    assert placed(course) == {at("1"): "inner"}
    assert outcome.left == ()


@pytest.mark.parametrize(
    "name",
    [
        "doe_1_9_roe_2_9_x.ipynb",
        "eve_2_1_9_x.ipynb",
        "eve_2_7_01_attention_1_9_x.ipynb",
        "Jane Doe_1_assignsubmission_file_Bob Roe_2_assignsubmission_file_x.ipynb",
    ],
)
def test_a_name_that_looks_like_anothers_is_left_to_a_person(course, collect, name):
    outcome = collect(
        {name: "whose?", "zoe_3_7_01_attention.ipynb": "zoe"} if "assign" not in name else {name: "whose?"}
    )
    assert at("1") not in placed(course)
    assert at("2") not in placed(course)
    assert re.search("it may be from (1|2) or (7 or )?(1|2)", outcome.left[0])


@pytest.mark.parametrize(
    "name",
    [
        "eve_2_1_9_01_attention.ipynb",
        "doe_1_9_01_attention_final-2.ipynb",
        "folder/doe_1_9_work/roe_2_9_x.ipynb",
        "Jane Doe_1_assignsubmission_file_/Bob Roe_2_assignsubmission_file_/x.ipynb",
    ],
)
def test_nobody_hands_in_under_the_name_of_another(course, collect, name):
    collect({name: "mine"})
    assert placed(course) == {at("1"): "mine"}


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


def test_an_archive_of_a_student_costs_nobody_else_a_file(course, collect, monkeypatch):
    monkeypatch.setattr(archives, "MAX_MEMBERS", 7)
    monkeypatch.setattr(archives, "MAX_INSIDE", 3)
    many = zipped({f"{number}.txt": "" for number in range(1009)} | {f"{number}.ipynb": "a" for number in range(11)})
    outcome = collect({"a_1_9_x.zip": many, "b_2_9_x.ipynb": "b", "c_3_9_x.zip": zipped({"c.ipynb": "c"})})
    assert placed(course) == {at("2"): "b", at("3"): "c"}
    assert "a_1_9_x.zip: it contains more than 3 notebooks" in outcome.left
    assert "a_1_9_x.zip: it contains no notebooks: 1009 files" in outcome.left
    assert len(outcome.left) == 3  # and of which notebook nobody knows whether student 1 means it


def test_a_list_of_members_that_is_too_long_is_not_read(course, collect, monkeypatch):
    monkeypatch.setattr(archives, "MAX_DIRECTORY", 499)
    long = zipped({f"{number}.ipynb": "a" for number in range(11)})
    outcome = collect({"a_1_9_x.zip": long, "b_2_9_x.zip": zipped({"b.ipynb": "b"})})
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


def test_a_claim_of_four_gigabytes_is_not_believed(course, collect, monkeypatch):
    monkeypatch.setattr(archives, "MAX_FILE", 997)
    content = b"0" * 4001
    lying = zipped({"c.ipynb": content})
    size = len(content).to_bytes(4, "little")
    lying = lying.replace(size, (13).to_bytes(4, "little"))
    outcome = collect({"a_1_9_x.zip": lying, "b_2_9_x.ipynb": "b"})
    assert placed(course) == {at("2"): "b"}
    assert len(outcome.left) == 1


def test_a_bomb_is_not_unpacked(course, collect, monkeypatch):
    monkeypatch.setattr(archives, "MAX_FILE", 997)
    monkeypatch.setattr(archives, "MAX_TOTAL", 1009)
    outcome = collect({"a_1_9_x.ipynb": "x" * 991, "b_2_9_x.ipynb": "x" * 983, "c_3_9_x.ipynb": "x" * 1013})
    assert list(placed(course)) == [at("1")]
    assert ["larger than" in reason for reason in outcome.left] == [True, True]


def test_a_second_collection_changes_nothing_and_a_newer_file_needs_update(course, collect):
    first = {"doe_1_9_x.ipynb": "first", "roe_2_9_x.ipynb": "roe"}
    collect(first)
    assert collect(first).same == ("1", "2")
    second = first | {"doe_1_9_x.ipynb": "second"}
    assert "--update replaces it" in collect(second).left[0]
    assert placed(course)[at("1")] == "first"
    assert collect(second, update=True).students == ("1",)
    assert placed(course) == {at("1"): "second", at("2"): "roe"}


def test_what_is_no_notebook_or_names_nobody_is_said_and_the_exit_code_is_1(course, command, tmp_path):
    path = tmp_path / "lms.zip"
    path.write_bytes(zipped({"doe_1_9_notes.pdf": "pdf", "stray.ipynb": "x", "roe_2_9_x.ipynb": "roe"}))
    result = command("collect", path, "1", code=1)
    assert "doe_1_9_notes.pdf: not a notebook" in result.output
    assert "stray.ipynb: its name does not identify a student" in result.output
    assert placed(course) == {at("2"): "roe"}


def test_a_pdf_beside_a_notebook_is_a_note_and_the_exit_code_is_0(course, command, tmp_path):
    path = tmp_path / "lms.zip"
    path.write_bytes(zipped({"doe_1_9_notes.pdf": "pdf", "doe_1_10_x.ipynb": "doe"}))
    result = command("collect", path, "1")
    assert "Left out: doe_1_9_notes.pdf: not a notebook, and 1 has handed one in." in result.output
    assert "Not placed" not in result.output
    path.write_bytes(zipped({"doe_1_9_more.pdf": "pdf"}))  # who has handed in a notebook before
    assert "and 1 has handed one in" in command("collect", path, "1").output


def test_of_two_notebooks_under_other_names_none_is_taken(course, collect):
    outcome = collect({"doe_1_9_a.ipynb": "a", "doe_1_10_b.ipynb": "b", "roe_2_9_x.ipynb": "roe"})
    assert placed(course) == {at("2"): "roe"}
    assert outcome.left == (
        f"1: found several notebooks (doe_1_9_a.ipynb, doe_1_10_b.ipynb), none of them named {STAGE}.ipynb",
    )


@pytest.mark.parametrize(
    ("content", "pattern", "sentence"),
    [
        (b"no zip at all", None, "is not a zip file"),
        (zipped({}), None, "is empty"),
        (zipped({"a_1_2_x.ipynb": ""}), "(", "not a regular expression"),
        (zipped({"a_1_2_x.ipynb": ""}), "(?P<who>.*)", "must name the student"),
        (None, None, "is not a file"),
    ],
)
def test_what_cannot_be_collected_is_one_sentence(course, tmp_path, content, pattern, sentence):
    if content is not None:
        (tmp_path / "lms.zip").write_bytes(content)
    with pytest.raises(CourseError, match=sentence):
        collect_zip(course, STAGE, tmp_path / "lms.zip", pattern)


def test_no_submissions_zip_is_left_in_the_course(course, collect):
    collect({"doe_1_9_x.ipynb": "x"})
    assert not (course.root / "downloaded").exists()
