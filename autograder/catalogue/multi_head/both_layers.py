"""What is looked for in both attention layers."""

from collections.abc import Callable

from autograder.catalogue.attention.scaled_dot_product_wrong import SHINES_THROUGH
from autograder.catalogue.checks import (
    KEPT,
    Check,
    dtypes_kept,
    gradients_reach,
    gradients_whole,
    matches,
    nothing_else_changes,
    raises,
    unmoved,
    where,
)
from autograder.catalogue.exercise import Case, Promise, Property
from autograder.catalogue.multi_head.both_layers_wrong import EMBED_DIM, NUM_HEADS

UNDIVIDED = f"{EMBED_DIM} features for {NUM_HEADS} heads"
REFUSED = "heads that do not divide embed_dim are refused"


def cases_of_refusal(**widths: int) -> tuple[Case, ...]:
    """The constructor gets an embed_dim that num_heads does not divide."""
    arguments = widths | {"embed_dim": EMBED_DIM, "num_heads": NUM_HEADS}
    return (Case(UNDIVIDED, lambda g: {"arguments": arguments, "ask": "refusal"}),)


def parameters_and_refusal() -> tuple[Property, ...]:
    """What is asked of the constructor."""
    return (
        Property("parameters of the contract", 0.5, matches("parameters")),
        Property(REFUSED, 0.5, raises(UNDIVIDED, "ValueError", str(EMBED_DIM), str(NUM_HEADS))),
    )


def gradients_and_side_effects(parameters: tuple[str, ...], free: tuple[str, ...] = ()) -> tuple[Property, ...]:
    """What is asked of a call besides its result; a `free` parameter may get no gradient."""
    return (
        Property(
            "gradients reach every parameter",
            0.5,
            gradients_reach("gradients", parameters, free=free),
            where(matches("values"), gradients_whole("gradients", parameters)),
        ),
        Property(
            KEPT,
            0.5,
            nothing_else_changes(),
            dtypes_kept(),
            unmoved("values", "after another call", text="what an earlier call has seen changes the output"),
        ),
    )


def same_whatever_the_kind() -> tuple[Check, ...]:
    """A mask of 0 and 1 does what one of booleans does."""
    return tuple(
        unmoved("masked", f"mask of {kind}", text=f"the same mask as {kind} gives other values")
        for kind in ("integers", "floats")
    )


def nothing_shines_through(hidden: str, at: Callable) -> Check:
    """Also where the scores of all keys are far below 0, what is `hidden` has no part in the output."""
    return unmoved("scores far below 0", f"scores far below 0, {hidden} moved", at=at, text=SHINES_THROUGH)


def promise_of_refusal(sentence: str) -> Promise:
    return Promise(sentence, REFUSED, "an error without the numbers")
