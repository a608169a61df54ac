"""What both encoder blocks must do, the formula apart."""

from functools import partial

from autograder.catalogue.checks import Check, either, every, forgets, in_words, is_true, matches, moved, unmoved, where
from autograder.catalogue.encoder.block_cases import HIDDEN, PARAMETERS, VISIBLE, T
from autograder.catalogue.exercise import common_criterion
from autograder.catalogue.gradients import gradients_reach, gradients_whole

ALL_BUT_HIDDEN = [row for row in range(T) if row != HIDDEN]  # what the hidden token itself gets may change
NEITHER = [row for row in ALL_BUT_HIDDEN if row != VISIBLE]


def dropped_once(case: str) -> Check:
    """In training, each sub-layer's output is dropped or scaled up once, and nothing else is."""
    return where(
        matches(case, "plain"),
        in_words(
            "in training, dropout does not act exactly once on the output of each sub-layer", matches(case, "left")
        ),
    )


WIRING = either(matches("wiring"), matches("values"))
UNMIXED = (
    moved("values", "another second sample", at=lambda o: o[1], text="the output does not follow the input"),
    unmoved("values", "another second sample", at=lambda o: o[0], text="one sample changes the output of another"),
    unmoved(
        "values",
        "the first sample alone",
        at=lambda o: o[:1],
        text="a sample alone gives different numbers than inside a batch",
    ),
)
VALUES = (*UNMIXED, matches("values"), matches("faint"))
WHERE_UNMIXED = partial(where, UNMIXED[1])
HIDDEN_IS_HIDDEN = unmoved(
    "masked",
    "hidden token moved",
    at=lambda output: output[:, ALL_BUT_HIDDEN],
    text="changing a hidden token changes the other tokens' outputs",
)
SEEN_IS_SEEN = moved(
    "masked",
    "visible token moved",
    at=lambda output: output[:, NEITHER],
    text="changing a visible token leaves the other tokens' outputs unchanged",
)
MASK = (
    WHERE_UNMIXED(
        HIDDEN_IS_HIDDEN,
        unmoved(
            "a mask for each sample",
            "the second sample, its mask",
            at=lambda output: output[1:],
            at_other=lambda output: output,
            text="a sample under a mask [B, T, T] and under its own mask [T, T] gives different numbers",
        ),
    ),
    SEEN_IS_SEEN,
    unmoved("masked", "mask [B, T, T]", text="the same mask as [B, T, T] gives different values"),
    where(WIRING, either(matches("wiring, masked"), matches("masked"))),
    where(every(*map(matches, ("values", "faint", "masked"))), matches("a mask for each head")),
)
DROPOUT = (
    unmoved("values", "training, no dropout given", text="without a dropout given, training and eval mode differ"),
    is_true(
        "eval, dropout 0.5",
        ["output", "second"],
        lambda first, second: abs(first - second).max() == 0,
        "two calls in eval mode give different outputs",
    ),
    unmoved("values", "eval, dropout 0.5", "output", text="dropout changes the output in eval mode"),
    either(
        where(matches("wiring"), matches("training, dropout 1")),
        where(matches("values"), matches("training, dropout 1, own parts")),
    ),
    dropped_once("all ones, dropped"),
    moved(
        "values",
        "training, dropout 1 inside",
        text="the feed-forward applies no dropout: do you pass dropout to it?",
    ),
)
GRADIENTS = (
    WHERE_UNMIXED(gradients_reach("gradients", PARAMETERS)),
    where(matches("values"), gradients_whole("gradients", PARAMETERS), matches("gradients", "of_x")),
)
NOTHING_ELSE = common_criterion(0.5, forgets("values"))
