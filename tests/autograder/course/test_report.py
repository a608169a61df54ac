"""The class report: what it says, how it is written, and what can go wrong."""

import csv
import re
from html.parser import HTMLParser

import pytest

from autograder.catalogue import find
from autograder.errors import CourseError
from autograder.report.attention import to_look_at
from autograder.report.data import ClassData, read_class
from autograder.report.page import with_code, write_report
from autograder.report.similar import Alike, near_identical
from autograder.report.winnowing import Pair, Passages

STAGE = "01_attention"
NO_SCALING = ("scaled_dot_product", "no scaling", "The scores are not divided by √d_k.", ("values",))
INVERTED = ("scaled_dot_product", "inverted mask", "Your mask is inverted.", ("values", "mask is respected"))
LONG = ("softmax", "scaled_dot_product", "padding_mask", "expand_mask")
MINE = '''
def padding_mask(lengths, max_len=None):
    """Mine."""
    longest = max(lengths) if max_len is None else max_len  # the longest
    rows = [[place < length for place in range(longest)] for length in lengths]
    return torch.tensor(rows)
'''
RENAMED = """
def padding_mask(sizes: list, max_len=None):
    n = max(sizes) if max_len is None else max_len

    table = [[j < s for j in range(n)] for s in sizes]
    return torch.tensor(table)
"""


def says(name):
    """The sentence of a mistake of `scaled_dot_product`, as it stands on a page."""
    return next(str(with_code(w.says)) for w in find("scaled_dot_product").mistakes if w.name == name)


def page_of(course, **given):
    page, table = write_report(course, STAGE, **given)
    with table.open(encoding="utf-8", newline="") as file:
        return page.read_text("utf-8"), list(csv.DictReader(file))


def test_misconceptions_stand_with_the_most_frequent_first_and_their_sentence(course, grade):
    grade("ann", mistakes=[INVERTED])
    for student in ("bob", "cy", "di"):
        grade(student, mistakes=[NO_SCALING])
    page, _ = page_of(course)
    assert page.index("no scaling") < page.index("inverted mask")
    assert says("no scaling") in page
    assert "75 %" in page


def test_one_misconception_is_one_row_whatever_else_a_verdict_says(course, grade):
    carried = (*NO_SCALING[:2], "Judged with the reference's softmax: start there. Divide.", NO_SCALING[3])
    grade("ann", mistakes=[NO_SCALING])
    grade("bob", mistakes=[carried])
    page, _ = page_of(course)
    assert page.count(says("no scaling")) == 1
    assert "ann, bob" in page


def test_where_to_look_first_is_said_of_partial_verdicts_too(course, grade):
    called = "It calls your softmax, which is not right yet: start there."
    grade("ann", mistakes=[("scaled_dot_product", None, f"{called} values: off by 2.", ("values",))])
    page, _ = page_of(course)
    assert f"{called} lost: values" in page


def test_answers_like_the_public_reference_stand_in_a_list_of_their_own(course, grade):
    grade("ann")
    grade("bob", answers=dict.fromkeys(LONG, MINE))
    page, _ = page_of(course)
    mine = page[page.index("Same as the public reference except") :]
    assert "ann" in mine[: mine.index("</table>")]
    assert "bob" not in mine[: mine.index("</table>")]


def test_whom_to_look_at_is_short_and_ranked_and_what_concerns_most_of_the_class_puts_nobody_there(course, grade):
    for number in range(17):
        grade(f"s{number:02}", flags=["Everybody's."], answers=dict.fromkeys(LONG, f"# {number}\nx = {number}"))
    grade("odd", flags=["Everybody's.", "Of this one alone."])
    attention = to_look_at(read_class(course, STAGE))
    (first,) = attention.first
    assert first.student == "odd"
    assert first.why[0] == "Of this one alone."
    assert attention.flags[0].what == "Everybody's."


def test_reasons_to_look_at_students_name_the_others_once_in_one_sentence_for_each_kind():
    students = ("ada", "bob", "cy", "di", "eve", "fay")
    pairs = tuple(
        Pair(("ada", other), (Passages(exercise, ("", ""), (frozenset(), frozenset()), 3, 1.0),))
        for other, exercise in (("bob", "softmax"), ("cy", "causal_mask"))
    )
    data = ClassData(STAGE, students, (), (), {}, (Alike(("ada", "bob"), ("softmax",), 40),), (), pairs)
    why = {look.student: look.why for look in to_look_at(data).first}
    assert why["ada"] == (
        "Same answers as bob (`softmax`).",
        "Shares passages with bob (`softmax`); cy (`causal_mask`).",
    )
    assert why["bob"] == ("Same answers as ada (`softmax`).", "Shares passages with ada (`softmax`).")


def test_a_class_of_one_has_a_report(course, grade):
    grade("ann")
    page, rows = page_of(course)
    assert "1 of 1 submissions graded" in page
    assert [row["student"] for row in rows] == ["ann"]


def test_the_page_needs_nothing_from_elsewhere_and_runs_nothing(course, grade):
    grade("ann", mistakes=[NO_SCALING])
    page, _ = page_of(course)
    assert not re.search(r"<script|<link|<img|<iframe|@import|\bon\w+=|src=", page)
    assert "default-src 'none'" in page


def test_every_picture_has_a_role_a_title_and_a_description_and_no_two_ids_are_equal(course, grade):
    grade("ann", mistakes=[NO_SCALING], seconds=0.7)
    grade("bob")
    page, _ = page_of(course)
    assert page.count("<svg") == page.count('role="img"') == page.count("<desc") == 3
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))


def test_what_a_student_controls_cannot_be_markup(course, grade):
    evil = "<script>alert(1)</script>"
    error = ("softmax", evil, f"The cell stopped with {evil}", ("values",))
    grade("<b>bob</b>".replace("/", ""), mistakes=[error], flags=[evil], repairs=[evil])
    page, _ = page_of(course)
    assert "<script" not in page
    assert "<b>" not in page
    assert "&lt;script&gt;" in page


def test_the_page_is_well_formed(course, grade):
    grade("ann", mistakes=[NO_SCALING], essay="Because the variance grows with the width of the keys, so divide.")
    page, _ = page_of(course)
    Balanced().check(page)


def test_formulas_in_the_table_are_neutralised(course, grade):
    grade("=cmd|x", flags=["@SUM(A1)"])
    _, rows = page_of(course)
    assert rows[0]["student"] == "'=cmd|x"
    assert rows[0]["flags"] == "'@SUM(A1)"


def test_an_ungraded_question_is_to_be_looked_at_and_a_graded_one_is_not(course, grade):
    grade("ann", essay="The variance of the product grows with the width.")
    grade("bob")
    page, rows = page_of(course)
    assert "Still to be graded by hand" in page
    assert [row["to_grade_by_hand"] for row in rows] == ["why_the_root", ""]


def test_flags_and_repairs_are_listed_by_kind(course, grade):
    grade("ann", repairs=["Lost cell ids were put back: `a`."], flags=["Two answers to softmax."])
    grade("bob", repairs=["Lost cell ids were put back: `b`, `c`."])
    page, _ = page_of(course)
    assert page.count("Lost cell ids were put back.") == 1
    assert "Two answers to softmax." in page


def test_renamed_copies_are_found_and_the_reference_is_not(course, grade):
    grade("ann", answers={"padding_mask": MINE})
    grade("bob", answers={"padding_mask": RENAMED})
    grade("cy")
    grade("di")
    _, rows = page_of(course)
    assert [row["same_answers_as"] for row in rows] == ["bob", "ann", "", ""]


def test_a_submission_that_changed_after_grading_is_named(course, grade):
    grade("ann")
    grade("bob")
    with course.submitted_file(STAGE, "bob").open("a") as file:
        file.write("\n")
    page, _ = page_of(course)
    assert re.search(r"Changed since, or graded by another version.*?bob</td>", page, re.DOTALL)


def test_a_submission_without_a_verdict_is_named_and_has_a_row(course, grade):
    grade("ann")
    course.submitted_file(STAGE, "zed").parent.mkdir(parents=True)
    page, rows = page_of(course)
    assert "1 of 2 submissions graded" in page
    assert rows[1]["status"] == "not graded"


def test_an_ungraded_stage_is_one_sentence_and_exit_code_2(course, command):
    with pytest.raises(CourseError, match="Nothing of 01_attention is graded yet"):
        write_report(course, STAGE)
    command("report", "1", code=2)
    assert not (course.root / "report").exists()


def test_the_command_writes_where_it_is_told(grade, command, tmp_path):
    grade("ann")
    target = tmp_path / "elsewhere" / "class.html"
    command("report", "1", "--output", target)
    assert sorted(path.name for path in target.parent.iterdir()) == ["class.csv", "class.html"]


def test_the_same_class_gives_the_same_bytes(course, grade):
    grade("ann", mistakes=[NO_SCALING])
    assert page_of(course) == page_of(course)


def test_a_damaged_verdict_is_as_none(course, grade):
    grade("ann")
    grade("bob")
    (course.private / "graded" / STAGE / "bob.json").write_text("{")
    page, _ = page_of(course)
    assert "1 of 2 submissions graded" in page


def test_another_answer_is_not_near_identical():
    other = MINE.replace("place < length", "place <= length")
    answers = [("ann", "padding_mask", "code", MINE), ("bob", "padding_mask", "code", other)]
    assert near_identical(answers, known=[]) == []


def test_tiny_answers_and_broken_ones_do_not_count():
    tiny, broken = "def causal_mask(n):\n    return torch.ones(n, n).tril().bool()", "def f(:\n" * 11
    answers = [(s, "causal_mask", "code", source) for s in ("ann", "bob") for source in (tiny, broken)]
    assert near_identical(answers, known=[]) == []


def test_copies_in_several_exercises_are_one_group():
    answers = [(s, e, "code", MINE) for s in ("ann", "bob") for e in ("padding_mask", "expand_mask")]
    (alike,) = near_identical(answers, known=[])
    assert alike.students == ("ann", "bob")
    assert alike.exercises == ("padding_mask", "expand_mask")


def test_the_same_prose_is_found():
    essay = "The variance of a dot product grows with the width of the keys, so divide by the root."
    answers = [("ann", "why_the_root", "markdown", essay), ("bob", "why_the_root", "markdown", essay.upper() + "\n")]
    assert near_identical(answers, known=[])[0].students == ("ann", "bob")


def test_a_thousand_answers_are_compared_by_hash_alone():
    answers = [(f"s{n}", "padding_mask", "code", MINE.replace("max_len", f"n{n % 499}")) for n in range(997)]
    (alike,) = near_identical(answers, known=[])
    assert len(alike.students) == 997


class Balanced(HTMLParser):
    """Every element that is opened is closed, in order."""

    VOID = ("meta", "br", "hr", "img", "input", "link")

    def check(self, page):
        self.open = []
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        """Nothing stays open."""

    def handle_endtag(self, tag):
        assert self.open.pop() == tag
