"""An error is carried forward: in grading, the notebook is run once more with the reference's cell."""

from autograder.grading.run import grade_stage

STAGE = "01_attention"
COSINE = "def softmax(logits, dim=-1):\n    return logits.cos()"
UNSCALED = (
    "def scaled_dot_product(q, k, v, mask=None):\n    scores = q @ k.transpose(-2, -1)\n"
    "    if mask is not None:\n        scores = scores.masked_fill(mask == 0, -1e9)\n"
    "    attention = softmax(scores, dim=-1)\n    return attention @ v, attention"
)


def graded(course, tools, student, **answers):
    tools.hand_in(course, student, tools.solved(course, **answers))
    (submission,) = grade_stage(course, STAGE, students=[student])["submissions"]
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
