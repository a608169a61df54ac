"""causal_mask(size) → bool [size, size]."""

import torch

import course_lib.model.masks as reference
from autograder.catalogue.attention.causal_mask_mistakes import MISTAKES, TRIANGLE
from autograder.catalogue.attention.shared import boolean_and_kept
from autograder.catalogue.checks import matches
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise

CAUSAL_MASK = Exercise(
    id="causal_mask",
    title="The causal mask",
    reference=reference.causal_mask,
    cases=(
        Case("one", lambda g: {"size": 1}),
        Case("two", lambda g: {"size": 2}),
        Case("seven", lambda g: {"size": 7}),
        Case("some size", lambda g: {"size": int(torch.randint(11, 20, (), generator=g))}),
    ),
    criteria=(
        Criterion("the triangle", 1, matches("two", "mask"), matches("seven", "mask"), matches("some size", "mask")),
        Criterion("a sequence of one", 0.5, matches("one", "mask")),
        boolean_and_kept("seven"),
    ),
    mistakes=MISTAKES,
    forbidden=("generate_square_subsequent_mask", "causal_upper_left", "causal_lower_right", "CausalBias"),
    right_variants=(
        right("by comparison", {TRIANGLE: "torch.arange(size)[:, None] >= torch.arange(size)"}),
        right("by negation", {TRIANGLE: "~torch.ones(size, size).triu(1).bool()"}),
    ),
)
