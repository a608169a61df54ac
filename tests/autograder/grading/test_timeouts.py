"""A submission that times out next to others, perhaps because of them, runs again alone; a second timeout is kept."""

import json

import pytest

from autograder.cli.tables import summary_lines
from autograder.grading.context import Context
from autograder.grading.pool import kept_warm
from autograder.grading.records import Records, noted
from autograder.grading.run import grade_stage
from autograder.grading.task import grade_bytes
from autograder.sandbox import processes

STAGE = "01_attention"
pytestmark = pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")


class Busy:
    """Runs tasks here, and says of some students that they ran out of time in the first rounds."""

    def __init__(self, slow: dict[str, int], disputed: bool = True):
        self.slow, self.disputed, self.rounds = dict(slow), disputed, []

    def __call__(self, task, submissions, jobs):
        self.rounds.append((jobs, []))
        for student, arguments in submissions:
            result = task(*arguments)
            self.rounds[-1][1].append(student)
            if self.slow.get(student, 0) > 0:
                self.slow[student] -= 1
                result |= {"timed_out": True, "disputed": self.disputed}
                result["submission"]["score"] = 0.0
                result["submission"]["exercises"][0]["status"] = "timeout"
            yield student, result


def test_who_timed_out_beside_others_is_run_alone_and_that_counts(course):
    busy = Busy({"right-loop": 1})
    outcome = grade_stage(course, STAGE, ["all-right", "no-scaling", "right-loop"], spread=busy)
    assert busy.rounds == [(3, ["all-right", "no-scaling", "right-loop"]), (1, ["right-loop"])]
    assert {s["student"]: s["score"] for s in outcome["submissions"]}["right-loop"] == 20


def test_who_was_alone_already_is_not_run_twice(course):
    busy = Busy({"all-right": 1})
    outcome = grade_stage(course, STAGE, ["all-right"], spread=busy)
    assert busy.rounds == [(1, ["all-right"])]
    assert any("Timed out on their own: all-right" in line for line in summary_lines(outcome))


def test_who_was_late_by_itself_is_not_run_twice(course):
    busy = Busy({"right-loop": 1}, disputed=False)
    outcome = grade_stage(course, STAGE, ["all-right", "no-scaling", "right-loop"], spread=busy)
    assert len(busy.rounds) == 1
    assert {s["student"]: s["score"] for s in outcome["submissions"]}["right-loop"] == 0


def test_a_timeout_is_not_remembered(course):
    slow = Busy({"all-right": 2})
    assert grade_stage(course, STAGE, ["all-right", "no-scaling"], spread=slow)["submissions"][0]["score"] == 0
    later = Busy({})
    assert grade_stage(course, STAGE, ["all-right", "no-scaling"], spread=later)["submissions"][0]["score"] == 20
    assert later.rounds == [(1, ["all-right"])]


def test_two_timeouts_that_others_may_have_caused_are_not_kept(tmp_path):
    records = Records(tmp_path, STAGE, "context")
    assert [records.late_again("aa", late) for late in (True, False, True, True, True)] == [
        False,
        False,
        False,
        True,
        True,
    ]


def test_again_grades_what_has_not_changed(graded):
    nothing, everything = Busy({}), Busy({})
    grade_stage(graded, STAGE, spread=nothing)
    assert nothing.rounds == []
    grade_stage(graded, STAGE, ["all-right"], spread=everything, again=True)
    assert everything.rounds == [(1, ["all-right"])]


def test_a_process_for_each_job_and_one_for_who_is_alone(course, monkeypatch):
    jobs = []

    def watched(task, submissions, at_once):
        jobs.append(at_once)
        return kept_warm(task, submissions, at_once)

    monkeypatch.setattr("autograder.grading.run.local", watched)
    grade_stage(course, STAGE, ["all-right", "right-loop"], jobs=7)
    assert jobs == [2]


# From here on a cell may take one second; one server with that limit serves them all, when they run one after another.


@pytest.mark.parametrize(
    ("body", "asleep", "disputed"),
    [
        ("while True:\n        pass", True, False),
        ("import time; time.sleep(997)", True, False),
        ("import time; time.sleep(997)", False, True),
    ],
    ids=["at work", "asleep", "nobody knows"],
)
def test_an_endless_answer_is_late_by_itself_at_work_or_asleep(course, tools, monkeypatch, body, asleep, disputed):
    monkeypatch.setattr(processes, "asleep", lambda pids: asleep)
    with (course.root / "nbgrader_config.py").open("a") as config:
        config.write("\nc.Limits.cell_seconds = 1\n")
    context = Context.of(type(course).open(course.root), STAGE)
    endless = f"def causal_mask(size):\n    {body}\n"
    result = grade_bytes(context, tools.solved(course, causal_mask=endless))
    assert (result["timed_out"], result["disputed"]) == (True, disputed)


def test_a_timeout_is_taken_for_no_later_hand_in_of_the_same_file(course, tools):
    with (course.root / "nbgrader_config.py").open("a") as config:
        config.write("\nc.Limits.cell_seconds = 1\n")
    endless = "def causal_mask(size):\n    while True:\n        pass\n"
    tools.hand_in(course, "endless", tools.solved(course, causal_mask=endless))
    patient = type(course).open(course.root)
    graded = grade_stage(patient, STAGE, ["endless", "all-right"], spread=Busy({}))["submissions"]
    assert [exercise["status"] for exercise in graded[0]["exercises"]].count("timeout") == 1
    kept = [json.loads(path.read_text()) for path in (course.private / "results").rglob("*.json")]
    assert [result["timed_out"] for result in kept] == [False]
    assert noted(course.private, STAGE, "endless")["score"] == graded[0]["score"]  # for the report
    again = Busy({})
    grade_stage(patient, STAGE, ["endless", "all-right"], spread=again)
    assert again.rounds[0] == (1, ["endless"])


def test_a_second_timeout_is_kept_until_the_file_changes(course, tools):
    with (course.root / "nbgrader_config.py").open("a") as config:
        config.write("\nc.Limits.cell_seconds = 1\n")
    endless = "def causal_mask(size):\n    while True:\n        pass\n"
    tools.hand_in(course, "endless", tools.solved(course, causal_mask=endless))
    patient, rounds, said = type(course).open(course.root), [], []
    for again in (False, False, False, True):
        busy = Busy({})
        outcome = grade_stage(patient, STAGE, ["endless"], spread=busy, again=again)
        rounds.append(busy.rounds)
        said.append(next(line for line in summary_lines(outcome) if line.startswith("Timed out")))
    assert rounds == [[(1, ["endless"])], [(1, ["endless"])], [], [(1, ["endless"])]]
    assert "The next `course grade` tries again" in said[0]
    assert all("kept until the file changes" in line for line in said[1:])
    tools.hand_in(course, "endless", tools.solved(course, causal_mask=endless + "    # once more\n"))
    busy = Busy({})
    outcome = grade_stage(patient, STAGE, ["endless"], spread=busy)
    assert (busy.rounds, outcome["tried_again"]) == ([(1, ["endless"])], ["endless"])
