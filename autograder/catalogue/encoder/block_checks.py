"""What both encoder blocks must do, the formula apart."""

from autograder.catalogue.checks import (
    either,
    gradients_reach,
    gradients_whole,
    is_true,
    matches,
    moved,
    unmoved,
    where,
)
from autograder.catalogue.encoder.block_cases import HIDDEN, PARAMETERS, VISIBLE, T

ALL_BUT_HIDDEN = [row for row in range(T) if row != HIDDEN]  # what the hidden token itself gets may change
NEITHER = [row for row in ALL_BUT_HIDDEN if row != VISIBLE]

WIRING = either(matches("wiring"), matches("values"))
VALUES = (matches("values"), matches("faint"))
ONE_IS_HIDDEN_AND_ONE_SEEN = (
    unmoved(
        "masked",
        "hidden token moved",
        at=lambda output: output[:, ALL_BUT_HIDDEN],
        text="changing a token that is hidden from all others changes what these get",
    ),
    moved(
        "masked",
        "visible token moved",
        at=lambda output: output[:, NEITHER],
        text="changing a token that all others see changes nothing of what these get",
    ),
)
MASK = (
    *ONE_IS_HIDDEN_AND_ONE_SEEN,
    unmoved("masked", "mask [B, T, T]", text="the same mask as [B, T, T] gives other values"),
    unmoved(
        "a mask for each sample",
        "the second sample, its mask",
        at=lambda output: output[1:],
        at_other=lambda output: output,
        text="a sample under a mask [B, T, T] and under its own mask [T, T] gives other numbers",
    ),
    either(where(matches("wiring"), matches("wiring, masked")), where(matches("values"), matches("masked"))),
)
DROPOUT = (
    unmoved("values", "training, no dropout given", text="without dropout given, something drops"),
    is_true(
        "eval, dropout 0.5",
        ["output", "again"],
        lambda first, second: abs(first - second).max() == 0,
        "two calls in eval mode give different outputs",
    ),
    unmoved("values", "eval, dropout 0.5", "output", text="dropout changes the output in eval mode"),
    either(
        where(matches("wiring"), matches("training, dropout 1")),
        where(matches("values"), matches("training, dropout 1, own parts")),
    ),
    moved(
        "values",
        "training, dropout 1 inside",
        text="the feed-forward drops nothing of its own: is dropout handed on to it?",
    ),
)
AFTERWARDS = unmoved("values", "after another call", text="what an earlier call has seen changes the output")
SAMPLES = (
    moved("values", "another second sample", at=lambda o: o[1], text="the output does not follow the input"),
    unmoved("values", "another second sample", at=lambda o: o[0], text="one sample changes what another one gets"),
    unmoved(
        "values",
        "the first sample alone",
        at=lambda o: o[:1],
        text="a sample alone gives other numbers than inside a batch",
    ),
    AFTERWARDS,
)
GRADIENTS = (
    gradients_reach("gradients", PARAMETERS),
    where(matches("values"), gradients_whole("gradients", PARAMETERS), matches("gradients", "of_x")),
)
