from autograder.grading.run import grade_stage

STAGE = "01_attention"


def test_a_graded_answer_that_calls_a_wrong_one_points_to_it(course, tools):
    cosine = "def softmax(logits, dim=-1):\n    return logits.cos()"
    tools.hand_in(course, "cosine", tools.solved(course, softmax=cosine))
    (submission,) = grade_stage(course, STAGE, students=["cosine"])["submissions"]
    said = {exercise["id"]: exercise["message"] for exercise in submission["exercises"]}
    assert said["scaled_dot_product"].startswith("It calls your softmax, which is not right yet: look there first.")
    assert "your softmax" not in said["causal_mask"]
