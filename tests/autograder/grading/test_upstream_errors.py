"""An answer doesn't pay for the faults of others: another answer's error, or what a later cell does."""

import nbformat
import pytest

from autograder.grading.pool import kept_warm
from autograder.grading.run import grade_stage
from autograder.judging.upstream_errors import AT_ITS_PLACE
from autograder.sandbox.session import Worker

STAGE = "01_attention"
COSINE = "def softmax(logits, dim=-1):\n    return logits.cos()"
UNSCALED = (
    "def scaled_dot_product(q, k, v, mask=None):\n    scores = q @ k.transpose(-2, -1)\n"
    "    if mask is not None:\n        scores = scores.masked_fill(mask == 0, -1e9)\n"
    "    attention = softmax(scores, dim=-1)\n    return attention @ v, attention"
)


def graded(course, tools, student, **answers):
    tools.hand_in(course, student, tools.solved(course, **answers))
    (submission,) = grade_stage(course, STAGE, students=[student], spread=kept_warm)["submissions"]
    return {exercise["id"]: exercise for exercise in submission["exercises"]}


def test_one_slip_costs_its_own_exercise_and_not_those_that_stand_on_it(course, tools):
    verdicts = graded(course, tools, "cosine", softmax=COSINE)
    attention = verdicts["scaled_dot_product"]
    assert verdicts["softmax"]["score"] < verdicts["softmax"]["max_score"]
    assert (attention["status"], attention["score"]) == ("right", attention["max_score"])
    assert attention["message"].startswith(
        "Judged with the reference's softmax instead of yours, which is not right yet"
    )
    assert verdicts["causal_mask"]["message"] == ""


def test_a_mistake_of_its_own_stays_and_is_named_although_what_it_calls_is_wrong_too(course, tools):
    verdicts = graded(course, tools, "both", softmax=COSINE, scaled_dot_product=UNSCALED)
    assert verdicts["scaled_dot_product"]["misconception"] == "no scaling"
    assert 0 < verdicts["scaled_dot_product"]["score"] < verdicts["scaled_dot_product"]["max_score"]


def test_the_replaced_answer_is_not_judged_by_what_replaced_it(course, tools):
    assert graded(course, tools, "wrong", softmax=COSINE)["softmax"]["status"] in ("wrong", "partial")


WITH_A_HELPER = (
    "from math import sqrt\n\n\ndef raised(x):\n    return x.exp()\n\n\n"
    "def softmax(logits, dim=-1):\n    return raised(logits) / raised(logits).sum()"
)
BY_A_HELPER = (
    "def scaled_dot_product(query, key, value, mask=None):\n"
    "    scores = query @ key.transpose(-2, -1) / sqrt(query.size(-1)) + 0 * raised(query * 0).mean()\n"
    "    if mask is not None:\n        scores = scores.masked_fill(mask == 0, -1e9)\n"
    "    attention = softmax(scores, dim=-1)\n    return attention @ value, attention"
)


def test_what_stands_beside_a_wrong_answer_stays_when_it_is_replaced(course, tools):
    verdicts = graded(course, tools, "helped", softmax=WITH_A_HELPER, scaled_dot_product=BY_A_HELPER)
    assert verdicts["softmax"]["score"] < verdicts["softmax"]["max_score"]
    assert verdicts["scaled_dot_product"]["status"] == "right"


STABLE = (
    "SETTINGS = {'stable': True}\n\n\ndef softmax(logits, dim=-1):\n"
    "    shifted = logits - logits.amax(dim, keepdim=True) if SETTINGS['stable'] else logits\n"
    "    return shifted.exp() / shifted.exp().sum(dim, keepdim=True)"
)
EXPERIMENTS = ("SETTINGS['stable'] = False", "torch.set_default_device('meta')", "torch.exp = lambda x: x")


def graded_above(course, tools, student, experiment, softmax):
    """The verdict on softmax, with an experiment in the last cell of the page, and the graded page."""
    notebook = nbformat.reads(tools.solved(course, softmax=softmax), as_version=4)
    notebook.cells.append(nbformat.v4.new_code_cell(experiment))
    tools.hand_in(course, student, nbformat.writes(notebook).encode())
    (submission,) = grade_stage(course, STAGE, students=[student], spread=kept_warm)["submissions"]
    return submission["exercises"][0], course.autograded_file(STAGE, student).read_text("utf-8")


@pytest.mark.parametrize("number", range(len(EXPERIMENTS)))
def test_an_experiment_further_down_takes_no_point_from_a_right_answer(course, tools, number):
    verdict, _ = graded_above(course, tools, f"experiment-{number}", EXPERIMENTS[number], STABLE)
    assert (verdict["status"], verdict["score"]) == ("right", verdict["max_score"])
    assert verdict["message"] == (AT_ITS_PLACE if number == 0 else "")  # torch's own state is simply brought back


class CountingWorker(Worker):
    """A worker that keeps the clock of each run."""

    clocks = ()

    def run(self, cells, probes, clock, *more):
        self.clocks = (*self.clocks, clock)
        return super().run(cells, probes, clock, *more)


def grade_here(course, data):
    """Grade bytes in this process; → the outcome, and the clocks of its runs."""
    from autograder.grading.context import Context
    from autograder.grading.submission import grade, sanitised

    context = Context.of(course, STAGE)
    notebook, _, _ = sanitised(data, context)
    with CountingWorker(context.stripped_package, context.limits) as worker:
        return grade(notebook, context, worker), worker.clocks


def test_all_runs_share_one_clock_and_there_are_two_at_most(course, tools):
    _, clocks = grade_here(course, tools.solved(course, softmax=COSINE, scaled_dot_product=UNSCALED))
    assert len(clocks) == 2
    assert clocks[0] is clocks[1]


def test_after_a_timeout_nothing_is_run_again(course, tools):
    with (course.root / "nbgrader_config.py").open("a") as config:
        config.write("\nc.Limits.cell_seconds = 1\n")
    endless = "def causal_mask(size):\n    while True:\n        pass\n"
    patient = type(course).open(course.root)
    graded, clocks = grade_here(
        patient, tools.solved(course, softmax=COSINE, scaled_dot_product=UNSCALED, causal_mask=endless)
    )
    assert graded.timed_out
    assert len(clocks) == 1


def test_a_right_page_with_experiments_is_run_once(course, tools):
    _, clocks = grade_here(course, tools.solved(course, softmax=STABLE + "\n\n\nprint(softmax(torch.ones(3)))"))
    assert len(clocks) == 1
