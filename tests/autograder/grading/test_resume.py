"""Killed, stopped, disturbed: grading again ends where an undisturbed run ends, and does only what was not done."""

import os
import shutil
import signal

import pytest
from nbgrader.api import Gradebook

from autograder.files import write_whole
from autograder.grading import gradebook, records, run
from autograder.grading.pool import kept_warm
from autograder.grading.run import grade_stage
from autograder.sandbox import processes
from autograder.sandbox.session import Worker

STAGE = "01_attention"
pytestmark = pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")


class Killed(BaseException):
    """The process ends here."""


def notes(course):
    return {path: path.stat().st_mtime_ns for path in (course.private / "graded" / STAGE).glob("*.json")}


def below(process):
    return set(processes.descendants(process.pid))


def refuse(*_, **__):
    raise AssertionError("nothing was to be run")


@pytest.fixture
def no_worker(monkeypatch):
    """No cell runs, in this process or in one that it forks."""
    monkeypatch.setattr(Worker, "run", refuse)


@pytest.mark.parametrize("done", [0, 5])
def test_killed_after_some_submissions_it_goes_on_with_the_others(course, undisturbed, tools, done):
    grading = tools.start(course, "--jobs", "2")
    begun = course.private / "results"
    tools.wait(lambda: (len(notes(course)) >= done and begun.exists()) or grading.poll() is not None)
    family = below(grading)
    os.kill(grading.pid, signal.SIGKILL)
    grading.communicate()
    tools.wait(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in family))
    before = notes(course)
    again = tools.start(course, "--jobs", "1")
    said = again.communicate(timeout=300)
    assert again.returncode == 1, said  # one file of the class is no notebook
    assert tools.verdicts(again.outcome()) == undisturbed.verdicts
    assert tools.rows(course) == undisturbed.rows
    assert before.items() <= notes(course).items()


@pytest.mark.parametrize(
    ("owner", "step"),
    [
        (run, "write_whole"),
        (gradebook.Writer, "record"),
        (gradebook, "settle_students"),
        (records.Records, "note_done"),
    ],
)
def test_killed_between_two_files_it_loses_nothing(course, undisturbed, tools, monkeypatch, owner, step):
    def killed(*_, **__):
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(owner, step, killed)
        with pytest.raises(Killed):
            grade_stage(course, STAGE, spread=kept_warm)
    outcome = grade_stage(course, STAGE, spread=kept_warm)
    assert tools.verdicts(outcome) == undisturbed.verdicts
    assert tools.rows(course) == undisturbed.rows


def test_killed_in_the_second_run_of_a_page_nothing_is_lost_and_nothing_counts_twice(course, tools, tmp_path):
    """A page whose `scaled_dot_product` falls short through `softmax` is run again with the reference's."""
    wrong = "def softmax(logits, dim=-1):\n    return logits.sigmoid()"
    product = (
        "def scaled_dot_product(q, k, v, mask=None):\n    weights = softmax(q @ k.mT)\n    return weights @ v, weights"
    )
    tools.hand_in(course, "carried", tools.solved(course, softmax=wrong, scaled_dot_product=product))
    names = ["all-right", "carried", "syntax-error"]
    shutil.copytree(course.root, tmp_path / "other")
    other = type(course).open(tmp_path / "other")
    expected = tools.verdicts(grade_stage(other, STAGE, names, spread=kept_warm))

    grader = os.fork()
    if not grader:
        run_one, me = Worker.run, os.getpid()

        def killed(worker, cells, probes, clock, later=False):
            if later:
                os.kill(me, signal.SIGKILL)
                signal.pause()
            return run_one(worker, cells, probes, clock, later)

        Worker.run = killed
        grade_stage(course, STAGE, names)
        os._exit(0)
    _, status = os.waitpid(grader, 0)
    assert os.WIFSIGNALED(status)
    assert os.WTERMSIG(status) == signal.SIGKILL
    before = notes(course)
    assert course.private / "graded" / STAGE / "carried.json" not in before
    assert tools.verdicts(grade_stage(course, STAGE, names, spread=kept_warm)) == expected
    assert tools.rows(course) == tools.rows(other)
    assert before.items() <= notes(course).items()


def test_an_unchanged_class_starts_nothing(graded, undisturbed, tools, monkeypatch):
    outcome = grade_stage(graded, STAGE, spread=refuse)
    assert tools.verdicts(outcome) == undisturbed.verdicts


def test_only_what_changed_is_graded(graded, tools):
    before = notes(graded)
    tools.hand_in(graded, "half-untouched", tools.solved(graded))
    outcome = grade_stage(graded, STAGE, spread=kept_warm)
    after = notes(graded)
    assert [path.stem for path in after if after[path] != before[path]] == ["half-untouched"]
    assert tools.verdicts(outcome)["half-untouched"]["score"] == 20


def test_a_lost_gradebook_is_filled_from_what_was_kept(graded, undisturbed, tools, no_worker):
    (graded.root / "gradebook.db").unlink()
    outcome = grade_stage(graded, STAGE, jobs=2)
    assert tools.verdicts(outcome) == undisturbed.verdicts
    assert tools.rows(graded) == undisturbed.rows


def test_a_lost_notebook_is_written_again(graded, undisturbed, tools, no_worker):
    lost = graded.autograded_file(STAGE, "right-loop")
    content = lost.read_bytes()
    lost.unlink()
    grade_stage(graded, STAGE, jobs=1)
    assert lost.read_bytes() == content
    assert tools.rows(graded) == undisturbed.rows


def test_what_a_person_entered_stays_when_the_submission_changes(graded, tools):
    with Gradebook(graded.db_url) as book:
        grade = book.find_grade("test_causal_mask", STAGE, STAGE, "all-right")
        grade.manual_score, grade.extra_credit, grade.needs_manual_grade = 1.5, 0.25, False
        book.find_comment("why_the_root", STAGE, STAGE, "all-right").manual_comment = "see me"
        book.db.commit()
    changed = tools.solved(graded, causal_mask="def causal_mask(size):\n    return size\n", why_the_root="Because.")
    tools.hand_in(graded, "all-right", changed)
    outcome = grade_stage(graded, STAGE, spread=kept_warm)
    assert tools.verdicts(outcome)["all-right"]["score"] < 20
    with Gradebook(graded.db_url) as book:
        grade = book.find_grade("test_causal_mask", STAGE, STAGE, "all-right")
        assert (grade.auto_score, grade.manual_score, grade.extra_credit) == (0, 1.5, 0.25)
        assert grade.needs_manual_grade
        assert book.find_comment("why_the_root", STAGE, STAGE, "all-right").manual_comment == "see me"


def test_a_later_timestamp_moves_the_penalty_and_runs_nothing(graded, no_worker):
    with Gradebook(graded.db_url) as book:
        book.update_or_create_assignment(STAGE, duedate="2026-03-02 12:00:00")
    with (graded.root / "nbgrader_config.py").open("a") as config:
        config.write("\nc.LateSubmissionPlugin.penalty_method = 'zero'\n")
    stamp = graded.submitted_file(STAGE, "all-right").with_name("timestamp.txt")
    write_whole(stamp, b"2026-03-05 12:00:00 UTC")
    grade_stage(type(graded).open(graded.root), STAGE, jobs=1)
    with Gradebook(graded.db_url) as book:
        late = book.find_submission(STAGE, "all-right")
        assert (late.score, late.total_seconds_late, late.late_submission_penalty) == (20, 3 * 86400, 20)
        assert book.find_submission(STAGE, "right-loop").score == 20


def test_what_the_machinery_failed_to_grade_keeps_its_old_marks_and_is_tried_again(graded, undisturbed, tools):
    def broken(task, submissions, jobs):
        for student, _ in submissions:
            yield student, OSError("no space left")

    data = tools.solved(graded)
    tools.hand_in(graded, "no-scaling", data)
    failed = tools.verdicts(grade_stage(graded, STAGE, spread=broken))["no-scaling"]
    assert failed["status"] == "ungradable"
    assert "no space left" in failed["flags"][0]
    assert tools.rows(graded) == undisturbed.rows
    assert tools.verdicts(grade_stage(graded, STAGE, spread=kept_warm))["no-scaling"]["score"] == 20


def test_what_changes_while_it_is_graded_is_graded_again(course, tools):
    def slow(task, submissions, jobs):
        for student, arguments in submissions:
            if student == "no-scaling":
                tools.hand_in(course, student, tools.solved(course))
            yield student, task(*arguments)

    assert tools.verdicts(grade_stage(course, STAGE, ["no-scaling"], spread=slow))["no-scaling"]["score"] == 17.5
    assert tools.verdicts(grade_stage(course, STAGE, ["no-scaling"], spread=kept_warm))["no-scaling"]["score"] == 20


@pytest.mark.sandbox
def test_ctrl_c_ends_with_a_sentence_and_leaves_no_process(course, tools):
    endless = "def padding_mask(lengths, max_len=None):\n    while True:\n        pass\n"
    tools.hand_in(course, "all-right", tools.solved(course, padding_mask=endless))
    grading = tools.start(course, "--jobs", "2")
    tools.wait(lambda: len(notes(course)) >= 3)
    family = below(grading)
    os.kill(grading.pid, signal.SIGINT)
    said = grading.communicate(timeout=30)[1]
    assert grading.returncode == 130
    assert said.strip().splitlines() == ["Stopped. Finished results are saved; run the same command again to continue."]
    tools.wait(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in family))
