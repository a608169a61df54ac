"""Grade files: what Canvas, Moodle and a spreadsheet are given, and who is never lost on the way."""

import csv

import pytest
from nbgrader.api import Gradebook

from autograder.errors import CourseError
from autograder.exports.cells import safe_cell
from autograder.exports.files import export_stages, table_name
from autograder.exports.roster import read_roster

STAGE = "01_attention"
NO_SCALING = ("scaled_dot_product", "no scaling", "Divide.", ("values",))
CANVAS = """\
Student,ID,SIS User ID,SIS Login ID,Section,01_attention (4711),Other (4712),Current Score
,,,,,Manual Posting,,
    Points Possible,,,,,23,10,(read only)
"Doe, Ann",101,S1,ann,A,,3,
"Roe, Bob",102,S2,bob@uni.example,A,5,3,
"Absent, Zoe",103,S3,zoe,B,7,3,
"""
WORKSHEET = """\
Identifier,Full name,Email address,Status,Grade,Maximum grade,Feedback comments
Participant 657737,Ann Doe,ann@uni.example,Submitted,,100,well done
Participant 657738,Zoe Absent,zoe@uni.example,No submission,-,100,
"""
GRADES = """\
First name,Last name,ID number,Email address,Assignment: 01_attention (Real),Last downloaded from this course
Ann,Doe,S1,ann@uni.example,-,1700000000
Bob,Roe,S2,bob@uni.example,-,1700000000
"""


def exported(course, tmp_path, to, roster=None, column=None):
    """(rows of the file, sentences)."""
    path = None
    if roster is not None:
        path = tmp_path / "roster.csv"
        path.write_text(roster, "utf-8-sig")
    sentences = list(export_stages(course, to, [STAGE], path, column, tmp_path / "out"))
    return rows_of(tmp_path / "out" / table_name(STAGE, to)), " ".join(sentences)


def rows_of(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def gradebook(course):
    return Gradebook(course.db_url, course.course_id)


def test_the_plain_table_adds_what_a_person_gave_and_takes_the_penalty_off(course, grade, tmp_path):
    grade("ann", mistakes=[NO_SCALING], essay="Because the variance grows.")
    with gradebook(course) as book:
        question = book.find_grade("why_the_root", STAGE, STAGE, "ann")
        question.manual_score, question.needs_manual_grade = 2.5, False
        book.find_submission_notebook(STAGE, STAGE, "ann").late_submission_penalty = 1.5
        book.db.commit()
    (header, row), _ = exported(course, tmp_path, "csv")
    found = dict(zip(header, row, strict=True))
    assert [found[n] for n in ("automatic", "by_hand", "raw_score", "score")] == ["17.5", "2.5", "20", "18.5"]
    assert found["to_grade_by_hand"] == ""


def test_the_plain_scores_are_those_of_nbgrader(course, grade, tmp_path):
    grade("ann", mistakes=[NO_SCALING])
    grade("bob")
    (header, *rows), _ = exported(course, tmp_path, "csv")
    with gradebook(course) as book:
        theirs = {s["student"]: s["score"] for s in book.submission_dicts(STAGE)}
    at = header.index("score")
    assert {row[1]: float(row[at]) for row in rows} == theirs


def test_a_student_without_a_submission_has_a_row_without_a_score(course, grade, tmp_path):
    grade("ann")
    with gradebook(course) as book:
        book.add_student("zoe", last_name="Absent")
    (header, _, row), sentences = exported(course, tmp_path, "csv")
    assert (row[1], row[header.index("score")], row[-1]) == ("zoe", "", "no")
    assert "zoe" in sentences


def test_what_a_person_still_has_to_grade_is_in_a_column_and_in_a_sentence(course, grade, tmp_path):
    grade("ann", essay="Because the variance grows.")
    for to in ("csv", "canvas", "moodle"):
        rows, sentences = exported(course, tmp_path, to)
        assert "why_the_root" in rows[-1]
        assert "to grade by hand: ann" in sentences


def test_canvas_gets_its_own_students_columns_and_assignment_back(course, grade, tmp_path):
    grade("ann", mistakes=[NO_SCALING])
    grade("bob")
    rows, _ = exported(course, tmp_path, "canvas", CANVAS)
    assert rows[0][:6] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "01_attention (4711)"]
    assert rows[1][0].strip() == "Points Possible"
    assert [row[:6] for row in rows[2:]] == [
        ["Doe, Ann", "101", "S1", "ann", "A", "17.5"],
        ["Roe, Bob", "102", "S2", "bob@uni.example", "A", "20"],
    ]


def test_canvas_takes_no_column_for_a_new_assignment_but_the_one_with_grades(course, grade, tmp_path):
    grade("ann")
    rows, _ = exported(course, tmp_path, "canvas")
    others = [name for name in rows[0][5:] if "Current Score" not in name]
    assert others == [STAGE]


def test_who_is_missing_from_the_roster_is_named_and_kept_in_a_file(course, grade, tmp_path):
    grade("ann")
    grade("stranger", mistakes=[NO_SCALING])
    rows, sentences = exported(course, tmp_path, "canvas", CANVAS)
    assert "not found in the roster" in sentences
    assert "stranger" in sentences
    assert "Absent, Zoe" in sentences
    assert all("stranger" not in row for row in rows)
    rest = rows_of(tmp_path / "out" / f"{STAGE}-canvas-not-in-roster.csv")
    assert [row[1] for row in rest[1:]] == ["stranger"]
    exported(course, tmp_path, "canvas", CANVAS + '"Ranger, S",104,S4,stranger,B,,,\n')
    assert not (tmp_path / "out" / f"{STAGE}-canvas-not-in-roster.csv").exists()


def test_a_student_who_fits_two_rows_is_given_to_neither(course, grade, tmp_path):
    grade("ann")
    twice = CANVAS + '"Doe, Anna",105,ann,x,B,,,\n'
    rows, sentences = exported(course, tmp_path, "canvas", twice)
    assert len(rows) == 2
    assert "found twice): ann" in sentences


def test_another_name_and_another_maximum_of_the_assignment_are_said(course, grade, tmp_path):
    grade("ann")
    rows, sentences = exported(course, tmp_path, "canvas", CANVAS, column="Other")
    assert rows[0][5] == "Other (4712)"
    assert "is worth 10 points, but the course says 23" in sentences
    _, sentences = exported(course, tmp_path, "canvas", CANVAS, column="A third")
    assert "no assignment “A third”" in sentences


def test_an_autograder_has_no_grades_that_could_be_final(course, tmp_path):
    with pytest.raises(CourseError, match="--only-final applies to grades"):
        list(export_stages(course, "gradescope", [STAGE], None, None, tmp_path, only_final=True))


def test_semicolons_come_back_as_semicolons(course, grade, tmp_path):
    grade("ann")
    path = tmp_path / "roster.csv"
    path.write_text("Student;ID;SIS Login ID;Section\nDoe Ann;101;ann;A\n", "utf-16")
    list(export_stages(course, "canvas", [STAGE], path, None, tmp_path))
    assert (tmp_path / f"{STAGE}-canvas.csv").read_text("utf-8").splitlines()[2].startswith("Doe Ann;101;ann;A;20;")


def test_the_grading_worksheet_of_moodle_comes_back_with_grades(course, grade, tmp_path):
    grade("657737", mistakes=[NO_SCALING])
    rows, sentences = exported(course, tmp_path, "moodle", WORKSHEET)
    assert rows[1][:7] == ["Participant 657737", "Ann Doe", "ann@uni.example", "Submitted", "17.5", "100", "well done"]
    assert rows[2][4] == "-"
    assert "is worth 100 points, but the course says 23" in sentences


def test_an_export_of_moodles_grades_is_matched_by_mail_or_id_number(course, grade, tmp_path):
    grade("ann")
    grade("s2", mistakes=[NO_SCALING])
    grade("stranger")
    rows, sentences = exported(course, tmp_path, "moodle", GRADES)
    assert rows[0][4] == "Assignment: 01_attention (Real)"
    assert [(row[2], row[4]) for row in rows[1:]] == [("S1", "20"), ("S2", "17.5")]
    assert "stranger" in sentences


def test_without_a_roster_moodle_gets_names_addresses_and_ids(course, grade, tmp_path):
    grade("ann")
    with gradebook(course) as book:
        book.update_or_create_student("ann", first_name="Ann", last_name="Doe", email="ann@uni.example")
    rows, _ = exported(course, tmp_path, "moodle")
    assert rows[1][:5] == ["ann", "ann@uni.example", "Ann", "Doe", "20"]


@pytest.mark.parametrize(
    ("to", "roster", "sentence"),
    [
        ("canvas", "name,mark\nann,3\n", "not from Canvas"),
        ("moodle", "name,mark\nann,3\n", "not from Moodle"),
        ("canvas", "", "is empty"),
        ("csv", CANVAS, "--roster is for canvas and moodle"),
        ("gradescope", CANVAS, "--roster is for canvas and moodle"),
        (
            "blackboard",
            None,
            "--to must be csv, canvas, moodle, gradescope, github-classroom, variants, moodle-feedback, "
            "canvas-feedback or feedback",
        ),
    ],
)
def test_what_cannot_be_used_is_one_sentence(course, grade, tmp_path, to, roster, sentence):
    grade("ann")
    with pytest.raises(CourseError, match=sentence):
        exported(course, tmp_path, to, roster)


def test_an_ungraded_stage_and_an_absent_roster_are_exit_code_2(command, tmp_path):
    for words in (["1"], [], ["1", "--roster", tmp_path / "none"]):
        command("export", *words, "--to", "canvas", code=2)


def test_the_command_writes_every_graded_stage(course, grade, command):
    grade("ann")
    command("export", "--to", "csv")
    assert rows_of(course.root / "export" / f"{STAGE}.csv")[1][1] == "ann"


@pytest.mark.parametrize("text", ["=1+1", "+cmd", "-cmd", "@SUM(A1)", "＝1"])
def test_a_formula_is_never_the_start_of_a_cell(text):
    assert safe_cell(text) == "'" + text


@pytest.mark.parametrize(("text", "safe"), [("\t=1", "'\t'=1"), ("\r=1", "'\r'=1"), (" =1", " '=1")])
def test_a_formula_behind_a_blank_is_none_either(text, safe):
    assert safe_cell(text) == safe


@pytest.mark.parametrize("text", ["-2.5", "+3", "-", "17", "a=b", "", "-7,5 %".replace(" ", "")])
def test_numbers_and_plain_text_stay_as_they_are(text):
    assert safe_cell(text) == text


def test_names_that_are_formulas_are_neutralised_in_every_format(course, grade, tmp_path):
    grade("=cmd|x")
    for to in ("csv", "canvas", "moodle"):
        rows, _ = exported(course, tmp_path, to)
        assert "'=cmd|x" in rows[-1]
        assert "=cmd|x" not in rows[-1]


def test_a_roster_of_another_encoding_is_read(tmp_path):
    (tmp_path / "r.csv").write_bytes("Student\tID\nMüller\t7\n".encode("cp1252"))
    assert read_roster(tmp_path / "r.csv").rows == [["Müller", "7"]]
