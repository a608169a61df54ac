"""A variant per student: drawn from the course's seed and the id, equally difficult, the same at every entry point."""

import hashlib
import json
import os
import shutil
import zipfile
from collections import Counter

import nbformat
import numpy as np
import pytest
from nbgrader.auth import Authenticator
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange.abc.exchange import ExchangeError
from traitlets.config import Config

from autograder.catalogue import exercises_of
from autograder.course.exchange import ReleaseAssignment
from autograder.course.grade import grade_round
from autograder.course.nbgrader_commands import Autograde
from autograder.course.rubrics import panel
from autograder.directory.course import Course
from autograder.directory.variants import variant_of
from autograder.exports import gradescope_run
from autograder.exports.files import export_stages
from autograder.files import write_whole
from autograder.grading import pool, run
from autograder.grading.context import Context, Contexts
from autograder.grading.notebook import Notebook
from autograder.grading.submission import OTHER_VARIANT
from autograder.grading.task import close_workers, grade_bytes
from autograder.judging.answer_key.fair import is_fair
from autograder.stripping.strip import solved_source

STAGE = "01_attention"
ASKED = {0: "A friend says", 1: "A colleague doubles the width"}


@pytest.fixture(scope="module")
def drawn(made_once, copy_of_course):
    """A course with two variants, and twelve students in its list."""

    def make(folder):
        course = copy_of_course(folder / "course")
        path = course.root / "course.toml"
        path.write_text(path.read_text().replace("variants = 1", "variants = 2"))
        rows = [f"s{number},,,s{number}@example.org,{number}" for number in range(12)]
        (course.root / "roster.csv").write_text("\n".join(["id,first_name,last_name,email,lms_user_id", *rows]))
        for variant in range(2):
            Context.of_variant(course, STAGE, None, variant)

    return Course.open(made_once("two-variants", make) / "course")


@pytest.fixture
def course(drawn, tmp_path):
    return Course.open(shutil.copytree(drawn.root, tmp_path / "course"))


@pytest.fixture(autouse=True, scope="module")
def no_worker_is_left():
    yield
    close_workers()


@pytest.fixture
def pair(course):
    """Two students of the list, the first with variant 0, the second with variant 1."""
    of = {variant_of(course, STAGE, f"s{number}"): f"s{number}" for number in range(12)}
    return of[0], of[1]


def exported(course, to):
    return list(export_stages(course, to, [STAGE], None, None, course.root / "out"))


def page_of(course, student):
    return nbformat.read(course.root / "out" / f"{STAGE}-variants" / student / f"{STAGE}.ipynb", as_version=4)


def text_of(notebook):
    return "\n".join(cell.source for cell in notebook.cells)


def solved(page):
    """A page with the reference's answers in it."""
    answers = {exercise.id: solved_source(exercise.reference) for exercise in exercises_of(STAGE)}
    for cell in page.cells:
        cell.source = answers.get(cell.metadata.get("nbgrader", {}).get("grade_id"), cell.source)
    return nbformat.writes(page).encode()


def what_decides(context):
    """A digest of the page and the numbers that a verdict is made with."""
    return hashlib.sha256(text_of(context.release).encode() + context.answer_key_file.read_bytes()).hexdigest()


def test_without_the_switch_all_pages_are_the_same_and_the_export_says_so(released):
    assert {variant_of(released, STAGE, f"s{number}") for number in range(50)} == {0}
    assert Context.of(released, STAGE, student="s1").digest == Context.of(released, STAGE).digest
    with pytest.raises(Exception, match="set `variants` in course.toml to 2 or more"):
        list(export_stages(released, "variants", [STAGE], None, None, released.root / "out"))


def test_everyone_in_the_list_gets_a_page_that_differs_in_its_passages_alone(course, pair):
    said = exported(course, "variants")
    assert "12 pages, named after the students' ids" in said[0]
    pages = [page_of(course, student) for student in pair]
    for variant, page in enumerate(pages):
        nbformat.validate(page)
        assert ASKED[variant] in text_of(page)
        assert ASKED[1 - variant] not in text_of(page)
        assert "variant:" not in text_of(page)
        assert "Rubric" not in text_of(page)
    assert [(c.id, c.metadata) for c in pages[0].cells] == [(c.id, c.metadata) for c in pages[1].cells]
    assert sum(one.source != other.source for one, other in zip(*(page.cells for page in pages), strict=True)) == 1


def test_the_draw_is_the_courses_own_and_stays(course, drawn, tmp_path):
    ids = [f"s{number}" for number in range(200)]
    now = [variant_of(course, STAGE, student) for student in ids]
    assert now == [variant_of(drawn, STAGE, student) for student in ids]
    assert 60 < sum(now) < 140
    (course.private / "seed").write_text("0" * 32)
    assert now != [variant_of(course, STAGE, student) for student in ids]


def test_the_numbers_of_every_variant_are_others_and_as_fair(course, pair):
    keys = [Context.of(course, STAGE, student=student).answer_key for student in pair]
    for exercise in exercises_of(STAGE):
        assert all(is_fair(exercise, key[exercise.id]) for key in keys)
    drawn_numbers = [key["softmax"]["cases"]["a matrix"]["tensors"]["logits"] for key in keys]
    assert not np.array_equal(*drawn_numbers)


def test_the_reference_has_full_marks_in_every_variant_at_each_entry_point(course, pair, monkeypatch):
    exported(course, "variants")
    hand_in = {student: solved(page_of(course, student)) for student in pair}
    seen = {}

    def spread(entry_point):
        def inline(task, submissions, jobs):
            for student, arguments in submissions:
                seen[entry_point, student] = what_decides(arguments[0])
                yield student, task(*arguments)

        return inline

    for student, data in hand_in.items():
        write_whole(course.submitted_file(STAGE, student), data)
    outcome = grade_round(course, STAGE, list(pair), spread=spread("course grade")).outcome
    assert [(s["score"], s["repairs"]) for s in outcome["submissions"]] == [(20.0, []), (20.0, [])]
    assert not any(OTHER_VARIANT in s["flags"] for s in outcome["submissions"])

    for module, name in ((run, "local"), (pool, "kept_warm")):
        monkeypatch.setattr(module, name, spread("nbgrader autograde"))
    for path in (course.private / "graded" / STAGE).glob("*.json"):
        path.unlink()
    autograde(course)

    exported(course, "gradescope")
    for student, data in hand_in.items():
        results = on_gradescope(course, f"{student}@EXAMPLE.org", data, seen)
        assert sum(test["score"] for test in results["tests"]) == 20
    expected = {student: what_decides(Context.of(course, STAGE, student=student)) for student in pair}
    assert len(set(expected.values())) == 2
    entry_points = ("course grade", "nbgrader autograde", "Gradescope")
    assert seen == {(entry_point, student): expected[student] for entry_point in entry_points for student in pair}


def autograde(course):
    config = Config(course.config)
    config.CourseDirectory.root, config.CourseDirectory.assignment_id = str(course.root), STAGE
    Autograde(coursedir=CourseDirectory(config=config), config=config).start()


def on_gradescope(course, address, data, seen):
    """Gradescope's results for the student with this address."""
    root = course.root / address
    with zipfile.ZipFile(course.root / "out" / f"{STAGE}-gradescope.zip") as archive:
        names = [name for name in archive.namelist() if name.startswith("course/")]
        archive.extractall(root / "source", names)
    write_whole(root / "submission" / f"{STAGE}.ipynb", data)
    users = [{"email": address, "id": 1, "name": "Somebody"}]
    write_whole(root / "submission_metadata.json", json.dumps({"users": users}).encode())

    def noted(context, data):
        seen["Gradescope", address.partition("@")[0]] = what_decides(context)
        return grade_bytes(context, data)

    (root / "scratch").mkdir()
    os.chmod(root / "scratch", 0o755)
    return gradescope_run.results(root, root / "scratch", noted, lambda root: "limits")


def test_the_page_of_somebody_else_is_flagged_and_judged_on_the_students_own_numbers(course, pair):
    exported(course, "variants")
    contexts = Contexts(course, STAGE)
    for student, other in (pair, pair[::-1]):
        outcome = grade_bytes(contexts.of(student), solved(page_of(course, other)))
        assert OTHER_VARIANT in outcome["submission"]["flags"]
        assert outcome["submission"]["score"] == 20


def test_who_is_not_in_the_list_is_said_and_has_no_verdict_on_gradescope(course, pair):
    exported(course, "variants")
    data = solved(page_of(course, pair[0]))
    write_whole(course.submitted_file(STAGE, "ghost"), data)
    said = grade_round(course, STAGE, ["ghost"], spread=lambda task, all_, jobs: ((s, task(*a)) for s, a in all_)).said
    wanted = "Not in roster.csv, so without a page of their own, and graded in the variant that the id draws: ghost."
    assert wanted in said
    exported(course, "gradescope")
    results = on_gradescope(course, "ghost@example.org", data, {})
    assert "your e-mail address on Gradescope is not in the course's class list" in results["output"]
    assert [(test["name"], test["score"]) for test in results["tests"]] == [("Not graded", 0)]


def test_gradescope_needs_an_address_for_everyone(course):
    path = course.root / "roster.csv"
    path.write_text(path.read_text().replace("s7@example.org", ""))
    with pytest.raises(Exception, match="roster.csv has none for s7"):
        exported(course, "gradescope")


def test_without_a_list_no_page_is_written(course):
    (course.root / "roster.csv").unlink()
    with pytest.raises(Exception, match="there is no roster.csv; import it with `course roster`"):
        exported(course, "variants")


def test_entry_points_that_give_everyone_the_same_page_refuse(course, tmp_path):
    with pytest.raises(Exception, match="but a template repository gives every student the same page"):
        exported(course, "github-classroom")
    config = Config(course.config)
    config.CourseDirectory.root, config.CourseDirectory.assignment_id = str(course.root), STAGE
    config.Exchange.root = str(tmp_path / "exchange")
    make = {"coursedir": CourseDirectory(config=config), "authenticator": Authenticator(config=config)}
    with pytest.raises((ExchangeError, NbGraderException), match="the exchange gives every student the same page"):
        ReleaseAssignment(**make, config=config).start()


def test_the_rubric_is_that_of_the_students_question(course, pair):
    exported(course, "variants")
    answer = Notebook(nbformat.read(course.source_file(STAGE), as_version=4)).named["why_the_root"]
    for variant, student in enumerate(pair):
        cell = Notebook(page_of(course, student)).named["why_the_root"]
        shown = panel(cell, answer, Counter(), variant)
        assert shown.count('<span class="badge">1</span>') == 3
        assert ("√128" in shown) == (variant == 1)


def test_a_source_that_changed_since_the_release_is_one_sentence(course, pair):
    source = course.source_file(STAGE)
    source.write_text(source.read_text("utf-8").replace("A friend says", "A neighbour says"), "utf-8")
    with pytest.raises(
        Exception, match="have changed since its release; release it again with `nbgrader generate_assi"
    ):
        Context.of(course, STAGE, student=pair[1])
    source.write_text(source.read_text("utf-8").replace("<!-- end of variants -->", ""), "utf-8")
    with pytest.raises(Exception, match="without `end of variants` after it"):
        Context.of(course, STAGE, student=pair[1])
