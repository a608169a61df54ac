"""expand_mask(mask): 2-D [L, S], 3-D [B, L, S] or 4-D → 4-D [B or 1, h or 1, L, S], for JAX."""

import course_lib.jax.attention as reference
from autograder.catalogue import exercise
from autograder.catalogue.attention.expand_mask import EXPAND_MASK as OF_TORCH
from autograder.catalogue.attention.expand_mask import mask_of
from autograder.catalogue.checks import is_true, matches, raises, unmoved
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise
from autograder.catalogue.jax_attention.expand_mask_mistakes import MISTAKES, OF_THREE, OF_TWO

ERROR = "a mask with fewer than two or more than four axes is a ValueError"
FOUR = ("four dimensions", "four, one for all heads")

JAX_EXPAND_MASK = Exercise(
    id="jax_expand_mask",
    title="Masks of any rank, on arrays and tracers",
    reference=reference.expand_mask,
    answer_key_of=OF_TORCH,
    cases=(
        *OF_TORCH.cases,
        Case("three dimensions, traced", lambda g: mask_of(2, 5, 7)(g) | {"ask": "jit"}, same_as="three dimensions"),
    ),
    criteria=(
        Criterion(
            "[L, S] serves every sample and head; four axes stay",
            0.75,
            matches("two dimensions"),
            matches("two dimensions, of numbers"),
            *map(matches, FOUR),
        ),
        Criterion("[B, L, S] serves every head", 0.5, matches("three dimensions"), matches("three, one query")),
        Criterion(
            "it works under jit",
            0.25,
            is_true("three dimensions", ["mask"], lambda mask: mask.ndim == 4, "the result doesn't have four axes"),
            unmoved("three dimensions", "three dimensions, traced", text="under jit the mask differs"),
        ),
        Criterion(
            ERROR,
            0.25,
            raises("five dimensions", "ValueError", "11", "13", "17"),
            raises("one dimension", "ValueError", "19"),
        ),
        exercise.common_criterion(0.25),
    ),
    mistakes=MISTAKES,
    right_variants=(
        right("by reshape", {OF_TWO: "mask.reshape(1, 1, *mask.shape)", OF_THREE: "jnp.expand_dims(mask, 1)"}),
    ),
)
