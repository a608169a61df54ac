"""An exercise, whole: what a student writes, how it is probed, and what is looked for."""

import torch

from autograder.catalogue.checks import matches
from autograder.catalogue.edits import mistake
from autograder.catalogue.exercise import Case, Criterion, Exercise


def keep_top_k(logits, k):
    """logits [..., V] → probabilities [..., V]: softmax over the k largest of each row, 0 elsewhere."""
    # BEGIN SOLUTION
    #: The k-th largest logit of a row is its threshold: hide what lies below.
    threshold = logits.topk(k, dim=-1).values[..., -1:]  # [..., 1]
    return logits.masked_fill(logits < threshold, float("-inf")).softmax(dim=-1)
    # END SOLUTION


def probe(student, logits, k):
    """logits [..., V], k → weights [..., V]."""
    return {"weights": student(logits, k)}


EXERCISE = Exercise(
    id="keep_top_k",
    title="Keep the k most likely",
    reference=keep_top_k,
    cases=(
        Case("a row", lambda g: {"logits": torch.randn(7, generator=g), "k": 3}),
        Case("a batch", lambda g: {"logits": torch.randn(2, 5, 11, generator=g), "k": 3}),
    ),
    criteria=(Criterion("values", 2, matches("a row")), Criterion("row by row", 1, matches("a batch"))),
    mistakes=(
        mistake("smallest kept", {"logits.topk": "-(-logits).topk", " < ": " > "}).because("Wrong end.", "Which?"),
        mistake("one threshold", {"logits.topk": "logits.flatten().topk"}).because("Rows compete.", "Whose k?"),
    ),
)
