"""filter_logits(logits, temperature=1.0, top_k=None, top_p=None): which tokens may be drawn."""

import numpy as np
import torch

import course_lib.text.generating as reference
from autograder.catalogue.checks import is_true, matches, raises, where
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise, common_criterion
from autograder.catalogue.language_model.filter_logits_mistakes import BACK, BELOW, DROPPED, MISTAKES, SORTED

V = 11


def rows(g, *leading, **settings):
    """Logits [*leading, V], in each row all different by at least a tenth; 3 rows if nothing is said."""
    shape = leading or (3,)
    steps = 0.1 + 0.7 * torch.rand(*shape, V, generator=g)
    order = torch.rand(*shape, V, generator=g).argsort(dim=-1)
    return {"logits": steps.cumsum(-1).gather(-1, order) - 3} | settings


def equal_ones(g):
    inputs = rows(g)
    inputs["logits"][:, 2] = inputs["logits"][:, 7] = 9.0
    return inputs | {"temperature": 0}


def one_is_sure(g, by, **settings):
    inputs = rows(g)
    inputs["logits"][:, 4] += by
    return inputs | settings


def all_equal(g):
    """Four tokens with a probability of exactly a quarter."""
    return {"logits": torch.full((3, 4), 1.5), "top_p": 0.5}


def in_numpy_order(logits, temperature=1.0, top_k=None, top_p=None):
    if temperature < 0:
        raise ValueError(f"temperature {temperature} < 0")
    if top_k is not None and top_k <= 0:
        raise ValueError(f"top_k {top_k}")
    if top_p is not None and (top_p <= 0 or top_p > 1):
        raise ValueError(f"top_p {top_p}")
    flat = logits.reshape(-1, logits.shape[-1])
    result = torch.full_like(flat, float("-inf"))
    for row, numbers in enumerate(flat):
        order = numbers.argsort(descending=True).tolist()
        if temperature == 0:
            order = order[:1]
        order = order[: top_k or None]
        warm = numbers / (temperature or 1)
        total, held = 0.0, torch.softmax(warm[order], 0).tolist()
        for place, share in zip(order, held, strict=True):
            result[row, place] = warm[place]
            total += share
            if top_p is not None and top_p < 1 and total >= top_p:
                break
    return result.view_as(logits)


WARM = matches("temperature 0.5", "values"), matches("temperature 3", "values")
LARGEST = tuple(matches(case) for case in ("top_k 4", "top_k 1", "top_k 10", "top_k 20", "top_k of one row"))
LIKELIEST = tuple(matches(case) for case in ("top_p 0.6", "top_p 0.93", "top_p 0.3, one is sure", "top_p 1"))
TEMPERATURE, TOP_K, TOP_P = "divided by the temperature", "top_k: the k largest", "top_p: the smallest set that holds p"
ORDER, COLD, REFUSES = (
    "in this order, each row independently",
    "temperature 0: one token stays",
    "wrong values are refused",
)

FILTER_LOGITS = Exercise(
    id="filter_logits",
    title="Which tokens may be drawn",
    reference=reference.filter_logits,
    cases=(
        Case("temperature 0.5", lambda g: rows(g, temperature=0.5)),
        Case("temperature 3", lambda g: rows(g, temperature=3.0)),
        Case("top_k 4", lambda g: rows(g, top_k=4)),
        Case("top_k 1", lambda g: rows(g, top_k=1)),
        Case("top_k 10", lambda g: rows(g, top_k=V - 1)),
        Case("top_k 20", lambda g: rows(g, top_k=20)),
        Case("top_k of one row", lambda g: rows(g, 1, top_k=3)),
        Case("top_p 0.6", lambda g: rows(g, top_p=0.6)),
        Case("top_p 0.93", lambda g: rows(g, top_p=0.93)),
        Case("top_p 0.3, one is sure", lambda g: one_is_sure(g, by=90, top_p=0.3)),
        Case("top_p 1", lambda g: one_is_sure(g, by=9, top_p=1.0)),
        Case("top_p 0.5, all are equal", all_equal),
        Case("bfloat16", lambda g: rows(g, temperature=0.5, top_k=4, top_p=0.9, ask="bfloat16"), tolerance=0.1),
        Case("all three", lambda g: rows(g, 2, 5, temperature=1.7, top_k=6, top_p=0.7)),
        Case("temperature 2, top_p 0.6", lambda g: rows(g, 7, temperature=2.0, top_p=0.6)),
        Case("top_k 3, top_p 0.8", lambda g: rows(g, 7, temperature=2.0, top_k=3, top_p=0.8)),
        Case("temperature 0", lambda g: rows(g, 2, 3, temperature=0)),
        Case("temperature 0, equal ones", equal_ones),
        Case("temperature −0.5", lambda g: rows(g, temperature=-0.5)),
        Case("top_k 0", lambda g: rows(g, top_k=0)),
        Case("top_k −3", lambda g: rows(g, top_k=-3)),
        Case("top_p 0", lambda g: rows(g, top_p=0.0)),
        Case("top_p 1.5", lambda g: rows(g, top_p=1.5)),
        Case("temperature 0, top_k 0", lambda g: rows(g, temperature=0, top_k=0)),
        Case("temperature 0, top_p 1.5", lambda g: rows(g, temperature=0, top_p=1.5)),
    ),
    criteria=(
        Criterion(TEMPERATURE, 0.5, *WARM),
        Criterion(TOP_K, 0.5, *LARGEST),
        Criterion(
            TOP_P,
            0.75,
            *LIKELIEST,
            is_true(
                "top_p 0.5, all are equal",
                ["kept"],
                lambda kept: np.isin(kept.sum(axis=-1), (2, 4)).all(),  # two, and perhaps their equals
                "of four equally likely tokens, neither two nor all stay with top_p 0.5",
            ),
        ),
        Criterion(
            ORDER,
            0.5,
            is_true(
                "all three",
                ["kept"],
                lambda tokens: 0 < tokens.sum() < tokens.size,
                "with all three, all tokens are kept, or none",
            ),
            *(
                where(
                    WARM[0],
                    where(LARGEST[0], where(LIKELIEST[0], where(LIKELIEST[1], where(LIKELIEST[2], matches(case))))),
                )
                for case in ("all three", "temperature 2, top_p 0.6", "top_k 3, top_p 0.8")
            ),
        ),
        Criterion(
            COLD,
            0.25,
            matches("temperature 0"),
            is_true(
                "temperature 0, equal ones",
                ["kept"],
                lambda tokens: (tokens.sum(axis=-1) == 1).all() and tokens[:, [2, 7]].any(axis=-1).all(),
                "of two equally large logits not exactly one stays",
            ),
        ),
        Criterion(
            REFUSES,
            0.25,
            raises("temperature −0.5", "ValueError", "-0.5"),
            raises("top_k 0", "ValueError", "0"),
            raises("top_k −3", "ValueError", "-3"),  # of 0, indexing what is left complains, too
            raises("top_p 0", "ValueError", "0"),
            raises("top_p 1.5", "ValueError", "1.5"),
            raises("temperature 0, top_k 0", "ValueError", "0"),
            raises("temperature 0, top_p 1.5", "ValueError", "1.5"),
        ),
        common_criterion(
            0.25, is_true("bfloat16", ["is_bfloat16"], bool, "logits in bfloat16 come back in another dtype")
        ),
    ),
    mistakes=MISTAKES,
    right_variants=(
        in_numpy_order,
        right(
            "by ascending sums",
            {
                SORTED: "ordered, places = logits.sort(dim=-1)",
                DROPPED: "probabilities.cumsum(dim=-1) <= 1 - top_p",
                "dropped[..., 0] = False": "dropped[..., -1] = False",
            },
        ),
        right("where, and a very low number", {BELOW: "torch.where(logits < edge, -1e9, logits)"}),
        right(
            "the smallest that stays as an edge",
            {
                "logits.masked_fill(dropped.scatter(-1, places, dropped), -torch.inf)": "logits.masked_fill(logits < "
                "ordered.masked_fill(dropped, torch.inf).amin(dim=-1, keepdim=True), -torch.inf)"
            },
        ),
        right("back by a second sort", {BACK: "dropped.gather(-1, places.argsort(-1))"}),
    ),
)
