"""`course report` without a stage: the class over all stages, what persists, who has not begun, a page for each."""

import csv
import re
from datetime import datetime

import pytest
from nbgrader.api import Gradebook

from autograder.directory.course import generate_feedback
from autograder.errors import CourseError
from autograder.practice.card import WORDS
from autograder.report.data import ClassData
from autograder.report.page import template
from autograder.report.summary import summarise
from autograder.report.term import StageOfTerm, Term
from autograder.report.term_page import file_name, write_term

INVERTED = ("scaled_dot_product", "inverted mask", "Your mask is inverted.", ("values", "mask is respected"))
STATUS = {None: "not_attempted", "ungradable": "ungradable"}


def stage(name, **students):
    """A stage in which each student has a known mistake; None: the release as it was, "ungradable": no notebook."""
    submissions = tuple(
        {
            "student": student,
            "score": 1.0,
            "max_score": 2.0,
            "status": "partial",
            "seconds": 0.1,
            "repairs": [],
            "flags": [],
            "exercises": [_exercise("causal_mask", STATUS.get(named, "partial"), None if named in STATUS else named)],
        }
        for student, named in students.items()
    )
    data = ClassData(name, tuple(students), submissions, (), {})
    return StageOfTerm(data, summarise(data))


def _exercise(name, status, named):
    found = {"misconception": named or None, "message": "", "properties": []}
    return {"id": name, "score": 0.0, "max_score": 1.0, "status": status} | found


def test_behind_are_those_who_have_not_begun_what_half_of_the_class_has_whatever_their_points():
    stages = (
        stage("01_attention", ann="", bob="", cy="off by one", di=""),
        stage("02_multi_head", ann="", bob="", cy="off by one", di=None),
        stage("03_positions", ann=""),  # ahead of the class, which puts nobody behind
    )
    term = Term(stages, dict.fromkeys(("ann", "bob", "cy", "di", "zoe"), ""))
    assert [one.name for one in term.reached()] == ["01_attention", "02_multi_head"]
    assert term.behind == (("zoe", ("01_attention", "02_multi_head")), ("di", ("02_multi_head",)))


def test_a_file_that_is_no_notebook_is_not_started_and_has_a_dash_and_no_total():
    term = Term((stage("01_attention", ann="", bob="", cy="ungradable"),), dict.fromkeys(("ann", "bob", "cy"), ""))
    assert term.stages[0].begun == {"ann", "bob"}
    assert term.behind == (("cy", ("01_attention",)),)
    links = dict.fromkeys(term.students, "x.html")
    page = template("term.html.j2").render(course="c", term=term, words=WORDS, table="term.csv", links=links)
    row = page[page.rindex(">cy</a>") :]
    assert row.index('data-label="01">–<') < row.index('data-label="total">–<')
    assert "not begun" not in page


CHOSEN = (  # two took PyTorch, two JAX, and di looked into both
    stage("01_attention", ann="", bob="", di=""),
    stage("02_multi_head", ann="", bob=None, di=None),
    stage("21_jax_attention", cy="", eve="", di=""),
    stage("22_jax_model", cy="", eve="", di=None),
)


def test_who_chose_one_track_is_not_behind_in_the_other():
    term = Term(CHOSEN, dict.fromkeys(("ann", "bob", "cy", "di", "eve"), ""))
    assert term.not_begun("ann") == ()
    assert term.not_begun("eve") == ()
    assert [one.name for one in term.reached("ann")] == ["01_attention"]
    assert [one.name for one in term.reached("eve")] == ["21_jax_attention", "22_jax_model"]
    assert term.behind == ()


def test_who_stops_before_the_second_track_of_a_class_that_does_both_is_behind():
    term = Term(
        (stage("01_attention", ann="", bob="", cy=""), stage("21_jax_attention", ann="", bob="", cy=None)),
        dict.fromkeys(("ann", "bob", "cy"), ""),
    )
    assert term.behind == (("cy", ("21_jax_attention",)),)


@pytest.mark.parametrize(("stages", "shown"), [(CHOSEN, True), (CHOSEN[:2], False), (CHOSEN[2:], False)])
def test_the_pages_name_the_tracks_where_a_course_has_both_and_only_there(stages, shown):
    term = Term(stages, dict.fromkeys(("ann", "bob", "cy", "di", "eve"), ""))
    given = {"course": "c", "term": term, "words": WORDS}
    links = dict.fromkeys(term.students, "x.html")
    page = template("term.html.j2").render(**given, table="term.csv", links=links)
    student = template("student.html.j2").render(
        **given, student="di", verdicts={stages[0].name: stages[0].data.submissions[-1]}
    )
    for title in ("PyTorch", "JAX"):
        assert (title in page) is shown
    assert ("started by 3 of 5" in page) is shown
    assert ("PyTorch" in student) is shown


def test_a_misconception_persists_when_it_is_met_in_two_stages_and_names_who_had_it_again():
    stages = (
        stage("01_attention", ann="off by one", bob="off by one", cy="transposed"),
        stage("02_multi_head", ann="off by one", bob="", cy=""),
    )
    (found,) = Term(stages, dict.fromkeys(("ann", "bob", "cy"), "")).persistent
    assert (found.name, found.students, found.again) == ("off by one", ("ann", "bob"), ("ann",))


def test_the_page_the_table_and_a_page_for_each_student_that_names_nobody_else(course, grade, command):
    grade("ann", mistakes=[INVERTED])
    grade("<bob>")
    with Gradebook(course.db_url, course.course_id) as gradebook:
        gradebook.add_student("zoe", first_name="Zoe", last_name="Absent")
    command("report")
    page, table = course.root / "report" / "term.html", course.root / "report" / "term.csv"
    folder = course.root / "report" / "term-students"
    text = page.read_text("utf-8")
    assert "2 of 3" in text
    assert "&lt;bob&gt;" in text
    assert not re.search(r"<script|<link|<img|<bob", text)
    with table.open(encoding="utf-8", newline="") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    assert rows["zoe"]["stages_not_begun"] == "01_attention"
    assert rows["zoe"]["name"] == "Absent, Zoe"
    assert float(rows["ann"]["01_attention score"]) < float(rows["<bob>"]["01_attention score"])
    hers = (folder / "ann.html").read_text("utf-8")
    assert "inverted mask" in hers
    assert "bob" not in hers
    linked = re.search(r'href="([^"]*bob[^"]*)"', text)[1]
    assert linked == "term-students/%253Cbob%253E.html"
    assert (folder / "%3Cbob%3E.html").exists()


def test_grace_days_stand_in_the_term_in_the_students_page_in_show_and_in_feedback(course, grade, command):
    grade("ann")
    (course.root / "course.toml").write_text("grace_days = 3\n[due]\n01_attention = 2027-03-01T12:00:00\n")
    with Gradebook(course.db_url, course.course_id) as gradebook:
        gradebook.add_student("zoe")
        gradebook.find_submission("01_attention", "ann").timestamp = datetime(2027, 3, 2, 13)
        gradebook.db.commit()
    command("report")
    folder = course.root / "report"
    with (folder / "term.csv").open(encoding="utf-8", newline="") as file:
        assert {row["student"]: row["grace_days_left"] for row in csv.DictReader(file)} == {"ann": "1", "zoe": "3"}
    page = (folder / "term.html").read_text("utf-8")
    assert 'data-label="grace days left">1 of 3<' in page
    assert 'data-label="grace days left">3 of 3<' in page
    said = "Grace days: 2 used here, 1 of 3 left."
    assert said in (folder / "term-students" / "ann.html").read_text("utf-8")
    assert said in command("show", "ann", "1", "softmax").stdout
    generate_feedback(course, "01_attention")
    assert said in (course.root / "feedback" / "ann" / "01_attention" / "01_attention.html").read_text("utf-8")
    command("report", "1")
    with (folder / "01_attention.csv").open(encoding="utf-8", newline="") as file:
        (row,) = csv.DictReader(file)
    assert (row["grace_days_used"], row["grace_days_left"]) == ("2", "1")


def test_the_page_of_somebody_whom_nobody_knows_any_more_is_taken_away(course, grade):
    grade("ann")
    left = course.root / "report" / "term-students" / "left.html"
    left.parent.mkdir(parents=True)
    left.write_text("of last year")
    write_term(course)
    assert [path.name for path in left.parent.iterdir()] == ["ann.html"]


def test_a_term_without_a_verdict_is_one_sentence(course):
    with pytest.raises(CourseError, match="No stage of this course is graded yet"):
        write_term(course)


def test_two_students_never_share_a_file():
    long = ["é" * 90 + letter for letter in "ab"]
    names = [file_name(student) for student in (*long, "a/b", "a%2Fb", "..", "ann")]
    assert len(set(names)) == len(names)
    assert all("/" not in name and len(name) < 255 for name in names)
