"""scaled_dot_product(q, k, v, mask=None) → (values, attention)."""

import numpy as np
import torch

import course_lib.model.attention as reference
from autograder.catalogue.attention.attention_cases import CASES, HIDDEN, HIDDEN_GRADIENT
from autograder.catalogue.attention.scaled_dot_product_mask_mistakes import OF_MASK
from autograder.catalogue.attention.scaled_dot_product_mistakes import (
    ARGUMENTS,
    FILLED,
    LOWEST,
    MISTAKES,
    SCORES,
    SHINES_THROUGH,
    WEIGHTS,
)
from autograder.catalogue.attention.shared import common_criterion
from autograder.catalogue.checks import finite, fits, is_true, matches, moved, unmoved, where
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Criterion, Exercise


def hides_what_it_should(attention, mask):
    hidden = np.broadcast_to(mask, attention.shape) == 0
    return attention.ndim == 4 and abs(attention[hidden]).max() < 1e-6


def sums_to_one(attention):
    return attention.shape == (2, 3, 5, 7) and (abs(attention.sum(-1) - 1) < 1e-4).all() and attention.min() >= 0


def hidden_key_has_no_weight(attention):
    return abs(attention[..., HIDDEN]).max() < 1e-6


def visible_keys_share_all(attention):
    return (abs(attention.sum(-1) - 1) < 1e-4).all()


def agrees_alone(case, part, alone, text):
    """A part of the inputs gives alone what it gives inside the whole."""
    return unmoved(case, alone, at=part, at_other=lambda whole: whole, text=text)


VALUES_HOLD = matches("batch and heads")
ANSWERS_TO_KEYS = (  # and to nothing else: what a function compares with itself is worth something only then
    moved("batch and heads", "other keys", "values", text="other keys give the same values"),
    unmoved(
        "batch and heads", "once more", "values", text="a second call with the same q, k and v gives different numbers"
    ),
)
HAS_AN_EFFECT = moved("masked", "its mask left out", "values", text="with a mask and without, the values are the same")
HIDES = "mask is respected"
SEES_NOTHING = "a query that sees nothing gives no NaN"
REACH = "gradients reach q, k and v"
GRADIENTS = ("gradient_q", "gradient_k", "gradient_v")


def by_einsum(query, key, value, mask=None):
    scores = torch.einsum("...ld,...sd->...ls", query, key) / key.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    attention = scores.softmax(-1)
    return torch.einsum("...ls,...sd->...ld", attention, value), attention


def more_in_between(query, key, value, dropout=None, mask=None):
    values, attention = by_einsum(query, key, value, mask)
    return (values if dropout is None else dropout(values)), attention


def through_a_wrapper(*arguments, **named):
    return by_einsum(*arguments, **named)


SCALED_DOT_PRODUCT = Exercise(
    id="scaled_dot_product",
    title="Scaled dot-product attention",
    reference=reference.scaled_dot_product,
    cases=CASES,
    criteria=(
        Criterion(
            "values",
            2.5,
            matches("published example (UvA)"),
            matches("published example (Neuromatch)", "values"),
            matches("one sequence"),
            VALUES_HOLD,
        ),
        Criterion(
            "each query's weights sum to 1",
            1,
            is_true(
                "batch and heads",
                ["attention"],
                sums_to_one,
                "the attention [..., L, S] does not sum to 1 over the keys",
            ),
        ),
        Criterion(
            HIDES,
            1.5,
            unmoved("masked", "hidden key moved", text="changing a hidden key and its value changes the output"),
            moved(
                "masked",
                "visible key moved",
                "values",
                text="changing a visible key and its value leaves the output unchanged",
            ),
            is_true("masked", ["attention"], hidden_key_has_no_weight, "a hidden key still has weight"),
            is_true(
                "masked", ["attention"], visible_keys_share_all, "the weights of the visible keys no longer sum to 1"
            ),
            agrees_alone(
                "a mask for each sample",
                lambda a: a[1:],
                "the second sample alone",
                "under a mask [B, 1, L, S] a sample gets other numbers than alone, under its own mask",
            ),
            *(
                fits(
                    case, ["attention"], ["mask"], hides_what_it_should, f"{case} {shape} does not hide what it should"
                )
                for case, shape in (("a mask for each head", "[B, h, L, S]"), ("a mask of keys", "[B, 1, 1, S]"))
            ),
            finite("scores far below zero", text="among scores far below 0, the result holds NaN or infinity"),
            is_true("scores far below zero", ["attention"], hidden_key_has_no_weight, SHINES_THROUGH),
            where(VALUES_HOLD, matches("masked"), matches("a mask for each sample"), matches("scores far below zero")),
        ),
        Criterion(
            "a mask may be boolean or 0/1",
            0.5,
            *ANSWERS_TO_KEYS,
            HAS_AN_EFFECT,
            unmoved("masked", "mask of integers", text="the same mask as integers gives different values"),
            unmoved("masked", "mask of floats", text="the same mask as floats gives different values"),
        ),
        Criterion(
            SEES_NOTHING,
            0.5,
            *ANSWERS_TO_KEYS,
            HAS_AN_EFFECT,
            is_true("a query that sees nothing", ["finite"], bool, "a fully hidden row gives NaN"),
        ),
        Criterion(
            "any leading dimensions",
            0.5,
            *ANSWERS_TO_KEYS,
            agrees_alone(
                "batch and heads",
                lambda a: a[1, 2],
                "one slice of it",
                "one head of one sample, alone, gives different numbers than inside the batch",
            ),
            agrees_alone(
                "a mask for each sample",
                lambda a: a[:, -1],
                "three axes",
                "one head of each sample, [B, L, d], gives different numbers than inside the batch",
            ),
            unmoved(
                "batch and heads",
                "five axes",
                at_other=lambda a: a[:, 0],
                text="with one more leading axis, of size 1, the numbers are others",
            ),
        ),
        Criterion(
            REACH,
            1,
            *(
                is_true("gradient", [name], lambda g: abs(g).max() > 1e-5, f"no gradient reaches {name[-1]}")
                for name in GRADIENTS
            ),
            where(matches("gradient", "values"), matches("gradient", *GRADIENTS)),
            where(matches("gradient under a mask", "values"), matches("gradient under a mask", *GRADIENTS)),
            where(
                is_true(HIDDEN_GRADIENT, ["finite"], bool, ""),
                is_true(HIDDEN_GRADIENT, ["finite gradient"], bool, "a fully hidden row makes the gradients NaN"),
            ),
        ),
        common_criterion("batch and heads"),
    ),
    mistakes=MISTAKES + OF_MASK,
    forbidden=("attention",),
    right_variants=(
        right("arguments by place alone", {ARGUMENTS: "q, k, v, /"}),
        right("minus infinity, then zero", {LOWEST: "-torch.inf", WEIGHTS: f"torch.nan_to_num({WEIGHTS})"}),
        right("by logsumexp", {WEIGHTS: "(scores - scores.logsumexp(-1, keepdim=True)).exp()"}),
        right(
            "renormalised after the softmax",
            {
                FILLED: "scores",
                WEIGHTS: f"{WEIGHTS} * (1 if mask is None else mask)",
                "return ": "attention = attention / attention.sum(-1, keepdim=True).clamp_min(1e-12)\n    return ",
            },
        ),
        right(
            "scaled before the product",
            {SCORES: "(q * q.shape[-1] ** -0.5) @ k.mT", FILLED: "scores + (1 - mask.to(scores.dtype)) * -1e9"},
        ),
        by_einsum,
        more_in_between,
        through_a_wrapper,
    ),
)
