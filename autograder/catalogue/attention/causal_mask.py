"""causal_mask(size) → bool [size, size]."""

import numpy as np
import torch

import course_lib.model.masks as reference
from autograder.catalogue.checks import is_true, matches
from autograder.catalogue.exercise import Case, Exercise, Misconception, Property


def some_size(g):
    return {"size": int(torch.randint(11, 20, (), generator=g))}


def inverted(size):
    return torch.triu(torch.ones(size, size, dtype=torch.bool), diagonal=1)


def transposed(size):
    return torch.triu(torch.ones(size, size, dtype=torch.bool))


def sees_the_next(size):
    return torch.tril(torch.ones(size, size, dtype=torch.bool), diagonal=1)


def blind_to_itself(size):
    return torch.tril(torch.ones(size, size, dtype=torch.bool), diagonal=-1)


def everything_visible(size):
    return torch.ones(size, size, dtype=torch.bool)


def as_numbers(size):
    return torch.tril(torch.ones(size, size))


def as_bias(size):
    return torch.zeros(size, size).masked_fill(torch.triu(torch.ones(size, size), diagonal=1) == 1, -torch.inf)


def upside_down(size):
    return torch.tril(torch.ones(size, size, dtype=torch.bool)).flip(0)


def nothing_visible(size):
    return torch.zeros(size, size, dtype=torch.bool)


def axes_too_many(size):
    return torch.tril(torch.ones(1, 1, size, size, dtype=torch.bool))


def as_array(size):
    return np.tri(size, dtype=bool)


def by_comparison(size):
    position = torch.arange(size)
    return position[:, None] >= position[None, :]


def by_a_loop(n):
    mask = torch.zeros(n, n, dtype=torch.bool)
    for query in range(n):
        mask[query, : query + 1] = True
    return mask


def by_negation(size: int) -> torch.Tensor:
    return ~torch.ones(size, size).triu(1).bool()


BOOLEAN = is_true(
    "seven", ["mask", "tensor"], lambda mask, tensor: mask.dtype == bool and tensor, "the mask is not a boolean tensor"
)
WRONG_TRIANGLE = ("the triangle",)

CAUSAL_MASK = Exercise(
    id="causal_mask",
    title="The causal mask",
    reference=reference.causal_mask,
    cases=(
        Case("one", lambda g: {"size": 1}),
        Case("two", lambda g: {"size": 2}),
        Case("seven", lambda g: {"size": 7}),
        Case("some size", some_size),
    ),
    properties=(
        Property("the triangle", 1, matches("two", "mask"), matches("seven", "mask"), matches("some size", "mask")),
        Property("boolean", 0.5, BOOLEAN),
        Property("a sequence of one", 0.5, matches("one", "mask")),
    ),
    mistakes=(
        Misconception(
            "inverted mask",
            inverted,
            "Your mask marks what is hidden; in this course True means visible (PyTorch's layers use both habits).",
            "What may position 0 see? Which entry of row 0 must be True?",
            ("the triangle", "a sequence of one"),
        ),
        Misconception(
            "rows and columns exchanged",
            transposed,
            "Your triangle lies on the wrong side: every position sees the future and not the past.",
            "Row i belongs to query i. Which columns j may it see?",
            WRONG_TRIANGLE,
        ),
        Misconception(
            "diagonal one too high",
            sees_the_next,
            "Each position sees the next one too: the answer it should predict. Training is perfect, decoding fails.",
            "Which is the last column that row 0 may see?",
            WRONG_TRIANGLE,
        ),
        Misconception(
            "diagonal one too low",
            blind_to_itself,
            "No position sees itself, and the first sees nothing at all.",
            "May a position use its own input?",
            ("the triangle", "a sequence of one"),
        ),
        Misconception(
            "everything visible",
            everything_visible,
            "Your mask hides nothing.",
            "Which entries concern the future?",
            WRONG_TRIANGLE,
        ),
        Misconception(
            "numbers instead of booleans",
            as_numbers,
            "The triangle is right; its entries are numbers where the contract asks for booleans.",
            "What does `.bool()`, or a comparison, give?",
            ("boolean",),
        ),
        Misconception(
            "a bias instead of a mask",
            as_bias,
            "These are numbers to add to the scores (0 and −inf); asked for is a mask, True where visible.",
            "What is True here, and what is False?",
            ("the triangle", "boolean", "a sequence of one"),
        ),
        Misconception(
            "an array of NumPy",
            as_array,
            "The triangle is right, but it is an array of NumPy; the scores that it is to meet are tensors.",
            "Which function of torch makes the same triangle?",
            ("boolean",),
        ),
        Misconception(
            "nothing visible",
            nothing_visible,
            "Your mask hides everything.",
            "May a position use its own input?",
            ("the triangle", "a sequence of one"),
        ),
        Misconception(
            "upside down",
            upside_down,
            "Your triangle stands on its head: the first position sees everything, the last one only the first.",
            "Row i belongs to query i. Which columns j may it see?",
            WRONG_TRIANGLE,
        ),
        Misconception(
            "more than two axes",
            axes_too_many,
            "Your mask has axes for batch and heads already; asked for is [size, size], and expand_mask adds the rest.",
            "How many axes has [size, size]?",
            ("the triangle", "a sequence of one"),
        ),
    ),
    forbidden=("generate_square_subsequent_mask",),
    hints=(
        "Row i is the query, column j the key: visible when j ≤ i.",
        "`torch.tril` keeps the lower triangle.",
    ),
    right_variants=(by_comparison, by_a_loop, by_negation),
)
