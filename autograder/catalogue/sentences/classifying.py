"""What is asked of both classifiers: the cases, and the criteria with their shares."""

import torch

from autograder.catalogue import exercise
from autograder.catalogue.checks import (
    finite,
    forgets,
    is_true,
    matches,
    moved,
    same_in_training,
    shaped_as_expected,
    unmoved,
    where,
)
from autograder.catalogue.exercise import Case, Criterion
from autograder.catalogue.gradients import gradients_reach, gradients_whole
from autograder.catalogue.weights import drawn, encoder_block, linear, stack

VOCABULARY, CLASSES, DIM, HEADS, LAYERS, LONGEST = 17, 5, 6, 3, 2, 9
B, T = 3, 7
LENGTHS = (5, 7, 3)
SHORT = 2  # a row with padding
PADDED = 1  # the row that is all padding where one is
ARGUMENTS = {
    "vocab_size": VOCABULARY,
    "num_classes": CLASSES,
    "model_dim": DIM,
    "num_heads": HEADS,
    "num_layers": LAYERS,
    "max_len": LONGEST,
}
SIZES = {
    "embedding.table": (VOCABULARY, DIM),
    "positions.table.weight": (LONGEST, DIM),
    **stack("encoder.layers", LAYERS, encoder_block(DIM, 4 * DIM)),
    **linear("output_net", DIM, CLASSES),
}
FORBIDDEN = ("Transformer", "TransformerEncoderLayer", "multi_head_attention_forward")

PARAMETERS, VALUES = "parameters of the contract", "logits of every sentence"
UNHEARD, UNMASKED = "padding does not affect the result", "no mask, and every token counts"
ORDER, ALONE, KINDS = "positions are added, or not", "a sentence of padding alone", "a mask of 0 and 1"
DROPOUT, REACH = "dropout in training, and only as asked", "gradients reach every parameter"


def cases(more_sizes=None):
    """Sentences [3, 7], with other padding, another order, other masks; `more_sizes` of parameters."""

    def sentences(
        g, mask=None, padding=False, exchanged=False, whole=False, zero=False, blank=None, length=T, cut=None, **more
    ):
        weights = drawn(g, SIZES | (more_sizes or {}))
        weights["embedding.table"][0] = 1.0  # padding is heard by who listens
        tokens = torch.randint(1, VOCABULARY, (B, length), generator=g)
        tokens[:, 2], tokens[:, 3] = 5, 11
        other = torch.randint(1, VOCABULARY, (B, length), generator=g)
        real = torch.arange(length) < torch.tensor(LENGTHS)[:, None]
        if mask is not None and not whole:
            tokens = torch.where(real, tokens, other if padding else 0)
        if exchanged:
            tokens[:, [2, 3]] = tokens[:, [3, 2]]
        if zero:
            tokens[:, 1] = 0
        if blank is not None:
            real[blank] = False
        inputs = {"tokens": tokens}
        if mask is not None:
            inputs["mask"] = (torch.ones_like(real) if whole else real).to(mask)
        if cut is not None:
            inputs = {name: value[cut : cut + 1, : LENGTHS[cut]] for name, value in inputs.items()}
        dropout = {"dropout": more.pop("dropout")} if "dropout" in more else {}
        return {"arguments": ARGUMENTS | dropout, "weights": weights} | inputs | more

    def case(name, like="no mask", **settings):
        return Case(name, lambda g: sentences(g, **settings), same_as=like)

    return (
        case("parameters", None, ask="parameters"),
        case("no mask", None),
        case("a token 0", zero=True),
        case("a token 0, a mask of ones", mask=torch.bool, whole=True, zero=True),
        case("exchanged", exchanged=True),
        case("without positions", add_positions=False),
        case("exchanged without positions", add_positions=False, exchanged=True),
        case("as long as may be", None, length=LONGEST),
        case("masked", mask=torch.bool),
        case("other padding", mask=torch.bool, padding=True),
        case("one sentence alone", mask=torch.bool, cut=SHORT),
        case("masked by integers", mask=torch.int64),
        case("masked by floats", mask=torch.float32),
        case("a sentence of padding", mask=torch.bool, blank=PADDED),
        case("in training", mask=torch.bool, training=True),
        case("dropout, evaluated", dropout=0.5),
        case("a dropout of 1, training", dropout=1.0, training=True, ask="reached"),
        case("after another call", ask="afterwards"),
        case("gradients", mask=torch.bool, ask="reached"),
    )


def criteria(
    parameters, values, unheard, unmasked, order, alone, kinds, dropout, reach, kept, of_padding, more_sizes=None
):
    """The criteria, with their shares. What is compared with fixed numbers needs the contract's parameters.

    `of_padding`: what else holds of the logits if one sentence is all padding.
    """
    names = (*SIZES, *(more_sizes or {}))
    fits = matches("parameters")
    right = where(fits, matches("no mask"), matches("as long as may be"))
    padding_unheard = unmoved("masked", "other padding", text="the content of the padding changes the logits")

    def where_right(*checks):
        return where(fits, where(matches("no mask"), *checks))

    def none_in_the_blocks(gradients):
        """No gradient of what dropout takes away, if it takes everything."""
        return max(gradients[sorted(names).index(name)] for name in names if name.endswith("o_proj.bias")) < 1e-6

    return (
        Criterion(PARAMETERS, parameters, fits),
        Criterion(VALUES, values, shaped_as_expected("no mask"), right),
        Criterion(
            UNHEARD,
            unheard,
            padding_unheard,
            unmoved(
                "masked",
                "one sentence alone",
                text="a sentence alone, without its padding, gives other logits",
                at=lambda logits: logits[SHORT : SHORT + 1],
                at_other=lambda logits: logits,
            ),
            where_right(matches("masked")),
        ),
        Criterion(
            UNMASKED,
            unmasked,
            unmoved("a token 0", "a token 0, a mask of ones", text="a mask of ones gives other logits than no mask"),
            where(padding_unheard, where_right(matches("a token 0"))),
        ),
        Criterion(
            ORDER,
            order,
            moved("no mask", "exchanged", text="the order of the words makes no difference"),
            unmoved(
                "without positions",
                "exchanged without positions",
                text="without positions, the order of the words still matters",
            ),
            where_right(matches("without positions")),
        ),
        Criterion(
            ALONE,
            alone,
            finite("a sentence of padding", text="a sentence of padding alone gives NaN"),
            where_right(where(matches("masked"), *of_padding)),
        ),
        Criterion(
            KINDS,
            kinds,
            unmoved("masked", "masked by integers", text="the same mask as integers gives different logits"),
            unmoved("masked", "masked by floats", text="the same mask as floats gives other logits"),
        ),
        Criterion(
            DROPOUT,
            dropout,
            same_in_training("masked"),
            unmoved("no mask", "dropout, evaluated", text="dropout still acts in eval mode"),
            is_true(
                "a dropout of 1, training", ["gradients"], none_in_the_blocks, "`dropout` does not reach the encoder"
            ),
        ),
        Criterion(
            REACH,
            reach,
            where(fits, gradients_reach("gradients", names)),
            where_right(where(matches("masked"), gradients_whole("gradients", names))),
        ),
        exercise.common_criterion(kept, forgets("no mask")),
    )
