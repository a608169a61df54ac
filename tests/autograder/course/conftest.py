"""A course with stage 01 and no submissions; and a way to put graded ones there without running anything."""

import copy

import nbformat
import pytest
from typer.testing import CliRunner

from autograder.catalogue import exercises_of
from autograder.cli import app
from autograder.files import write_whole
from autograder.grading.context import Context
from autograder.grading.gradebook import Writer
from autograder.grading.records import Records
from autograder.stripping.strip import solved_source

STAGE = "01_attention"


@pytest.fixture(scope="session")
def released(copy_of_course, tmp_path_factory):
    """A course directory with one stage, for all tests of a process: not to be written to."""
    return copy_of_course(tmp_path_factory.mktemp("released") / "course")


@pytest.fixture
def course(copy_of_course, tmp_path):
    """One for a test alone."""
    return copy_of_course(tmp_path / "course")


@pytest.fixture
def command(course):
    """`command("grade", …)` calls `course` for this course; `code` is the expected exit code."""

    def call(*words, code=0):
        done = CliRunner().invoke(app, [*map(str, words), "--course", str(course.root)], env={"COLUMNS": "200"})
        assert done.exit_code == code, (done.output, done.exception)
        return done

    return call


@pytest.fixture
def grade(course):
    """`grade(student, …)` puts a submission with a verdict into the course."""
    with Writer(course, STAGE) as writer:
        context = Context.of(course, STAGE)
        records = Records(course.private, STAGE, context.digest, context.judged_by)
        yield lambda student, **given: put(course, records, writer, student, **given)


def put(course, records, writer, student, mistakes=(), answers=None, essay=None, flags=(), repairs=(), seconds=0.5):
    """One submission: its file, its verdict, its autograded notebook, its row in the gradebook."""
    exercises = [verdict(exercise, mistakes) for exercise in exercises_of(STAGE)]
    submission = {
        "student": student,
        "score": sum(e["score"] for e in exercises),
        "max_score": sum(e["max_score"] for e in exercises),
        "status": "partial" if mistakes else "right",
        "seconds": seconds,
        "repairs": list(repairs),
        "flags": list(flags),
        "exercises": exercises,
    }
    notebook = written(course, answers or {}, essay, {e["id"]: e["score"] for e in exercises})
    data = nbformat.writes(notebook).encode()
    write_whole(course.submitted_file(STAGE, student), data)
    write_whole(course.autograded_file(STAGE, student), data)
    records.note_done(student, data, submission)
    writer.write(student, notebook, flagged=bool(flags))
    return submission


def verdict(exercise, mistakes):
    """What `--json` says of an exercise: right, but for a mistake `(id, name, sentence, lost properties)`."""
    made = next((mistake for mistake in mistakes if mistake[0] == exercise.id), None)
    lost = made[3] if made else ()
    criteria = [
        {"name": p.name, "passed": p.name not in lost, "score": p.points * (p.name not in lost), "max_score": p.points}
        for p in exercise.criteria
    ]
    return {
        "id": exercise.id,
        "score": sum(p["score"] for p in criteria),
        "max_score": exercise.points,
        "status": "partial" if made else "right",
        "misconception": made[1] if made else None,
        "message": made[2] if made else "",
        "properties": criteria,
    }


def written(course, answers, essay, scores):
    """The release, filled in: the reference solution where no answer is given."""
    notebook = copy.deepcopy(course.release(STAGE))
    solved = {e.id: solved_source(e.reference) for e in exercises_of(STAGE)}
    for cell in notebook.cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id", "")
        if name in solved:
            cell.source = answers.get(name, solved[name])
        elif name == "why_the_root" and essay:
            cell.source = essay
        elif name.removeprefix("test_") in scores:
            data = {"text/plain": f"{scores[name.removeprefix('test_')]:g}"}
            cell.outputs = [nbformat.v4.new_output("execute_result", data=data, execution_count=1)]
    return notebook
