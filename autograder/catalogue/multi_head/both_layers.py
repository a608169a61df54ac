"""What is looked for in both attention layers."""

from collections.abc import Callable

import torch

from autograder.catalogue.attention.scaled_dot_product_mistakes import (
    FILLED,
    LOWEST,
    ROOT,
    SCORES,
    SHINES_THROUGH,
    WEIGHTS,
)
from autograder.catalogue.checks import Check, forgets, matches, moved, raises, unmoved, where
from autograder.catalogue.edits import Rewrite, right
from autograder.catalogue.exercise import Case, Criterion, common_criterion
from autograder.catalogue.gradients import gradients_flow
from autograder.catalogue.multi_head.both_layers_mistakes import EMBED_DIM, NUM_HEADS
from course_lib.model.attention import scaled_dot_product

UNDIVIDED = f"{EMBED_DIM} features for {NUM_HEADS} heads"
FAR_BELOW = "scores far below 0"
REFUSED = "heads that do not divide embed_dim are refused"


def cases_of_refusal(**widths: int) -> tuple[Case, ...]:
    """The constructor gets an embed_dim that num_heads does not divide."""
    arguments = widths | {"embed_dim": EMBED_DIM, "num_heads": NUM_HEADS}
    return (Case(UNDIVIDED, lambda g: {"arguments": arguments, "ask": "refusal"}),)


def cases_of_masks(what: str, hidden: int, visible: int, masked: Callable, far_below: Callable) -> tuple[Case, ...]:
    """`masked(g, moved, kind)`: one token or key moved; a mask of another kind; and where all scores are low."""
    return (
        Case("masked", masked),
        Case(f"hidden {what} moved", lambda g: masked(g, hidden), same_as="masked"),
        Case(f"visible {what} moved", lambda g: masked(g, visible), same_as="masked"),
        Case("mask of integers", lambda g: masked(g, kind=torch.int64), same_as="masked"),
        Case("mask of floats", lambda g: masked(g, kind=torch.float32), same_as="masked"),
        Case(FAR_BELOW, far_below),
        Case(f"{FAR_BELOW}, hidden {what} moved", lambda g: far_below(g, hidden), same_as=FAR_BELOW),
    )


def parameters_and_refusal() -> tuple[Criterion, ...]:
    """What is asked of the constructor."""
    return (
        Criterion("parameters of the contract", 0.5, matches("parameters")),
        Criterion(REFUSED, 0.5, raises(UNDIVIDED, "ValueError", str(EMBED_DIM), str(NUM_HEADS))),
    )


def gradients_and_side_effects(
    parameters: tuple[str, ...], inputs: tuple[str, ...], free: tuple[str, ...] = ()
) -> tuple[Criterion, ...]:
    """What is asked of a call besides its result; a `free` parameter may get no gradient."""
    flow = gradients_flow(0.5, parameters, inputs, matches("values"), matches("masked"), free=free)
    return (flow, common_criterion(0.5, forgets("values")))


def same_whatever_the_kind() -> tuple[Check, ...]:
    """A mask of 0 and 1 does what one of booleans does."""
    return tuple(
        unmoved("masked", f"mask of {kind}", text=f"the same mask as {kind} gives different values")
        for kind in ("integers", "floats")
    )


def mask_is_respected(points: float, what: str, **at: Callable) -> Criterion:
    """Nobody gets anything from a token or key, `what`, that is hidden; `at` what is looked at, and where it is."""
    return Criterion(
        "mask is respected",
        points,
        unmoved("masked", f"hidden {what} moved", **at, text=f"changing a hidden {what} changes what others get"),
        moved("masked", f"visible {what} moved", **at, text=f"changing a visible {what} leaves the output unchanged"),
        unmoved(FAR_BELOW, f"{FAR_BELOW}, hidden {what} moved", **at, text=SHINES_THROUGH),
        where(matches("values"), matches("masked")),
    )


OTHER_ATTENTION = tuple(  # right ways to write what both layers call
    right(name, {}, calling=(scaled_dot_product, Rewrite(name, edits)))
    for name, edits in {
        "scaled before the product, filled with −9e15": {f" / {ROOT}": "", "= q @": f"= q / {ROOT} @", LOWEST: "-9e15"},
        "by einsum, with an additive mask": {
            SCORES: f'torch.einsum("bhld,bhsd->bhls", q, k) / {ROOT}',
            FILLED: "scores + torch.zeros(mask.shape).to(scores).masked_fill(~mask.bool(), -torch.inf)",
        },
        "masked after the softmax, in double precision": {
            FILLED: "scores",
            WEIGHTS: "torch.softmax(scores.double(), -1) * (1 if mask is None else mask)",
            "    return": "    attention = (attention / attention.sum(-1, keepdim=True)).to(v.dtype)\n    return",
        },
    }.items()
)
