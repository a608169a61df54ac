"""Submissions from an LMS's zip: placed by student, and nothing silently dropped."""

import re

import pytest

from autograder.course.collect import collect_zip
from autograder.directory.database import open_gradebook
from autograder.errors import CourseError
from autograder.grading.handed_in import handed_in

from .zips import STAGE, at, placed, zipped


def known(course):
    """What the gradebook knows of people: (first name, last name, the LMS's id)."""
    with open_gradebook(course.db_url, course.course_id) as gradebook:
        return {s.id: (s.first_name, s.last_name, s.lms_user_id) for s in gradebook.students}


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
