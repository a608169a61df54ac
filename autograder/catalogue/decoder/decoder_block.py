"""DecoderBlock(input_dim, num_heads, dim_feedforward, dropout=0.0), judged with injected weights."""

import numpy as np
import torch

import course_lib.model.decoder as reference
from autograder.catalogue.checks import fits, is_true, matches, moved, same_alone, unmoved, where
from autograder.catalogue.decoder import decoder_block_cases as draw
from autograder.catalogue.decoder import decoder_block_variants as right
from autograder.catalogue.decoder.decoder_block_misconceptions import MISCONCEPTIONS
from autograder.catalogue.exercise import Case, Exercise, Property

FELT = 1e-4  # a gradient above this is one: the smallest of 300 draws was 0.03


def lower_triangle(influence):
    """Nothing above the diagonal, something everywhere else."""
    return ((influence > FELT) == np.tri(len(influence), dtype=bool)).all()


def masked_triangle(influence, mask):
    """Each output follows exactly the tokens that the mask and causality show, and its own by the residual."""
    visible = (mask & np.tri(len(mask), dtype=bool)) | np.eye(len(mask), dtype=bool)
    return ((influence > FELT) == visible).all()


def sees_itself(uniform_influence):
    """A norm hides that all features grow alike, so this comes to a token through the attention alone."""
    return uniform_influence.diagonal().min() > FELT


LISTENS = moved(  # a relation means nothing of a block that hands its input on
    "values",
    "one token moved",
    "output",
    at=lambda a: a[:, [0, 1, 3, 4]],
    text="no token listens to another",
)

DECODER_BLOCK = Exercise(
    id="DecoderBlock",
    title="The decoder block",
    reference=reference.DecoderBlock,
    cases=(
        Case("parameters", lambda g: draw.inputs(g) | {"strict": True}, like="values"),
        Case("values", draw.inputs),
        Case("memory as long as the tokens", lambda g: draw.inputs(g, memory_len=draw.T)),
        Case("one sample alone", lambda g: draw.inputs(g, rows=slice(1, 2)), like="values"),
        Case("one token moved", lambda g: draw.one_moved(g, 2), like="values"),
        Case("another memory", draw.memory_moved, like="values"),
        Case("influence", lambda g: draw.inputs(g) | {"influence": True}),
        Case("masked", draw.masked),
        Case("masked, influence", lambda g: draw.masked(g) | {"influence": True}, like="masked"),
        Case("mask of integers", lambda g: draw.masked(g, torch.int64), like="masked"),
        Case("mask of floats", lambda g: draw.masked(g, torch.float32, axes=3), like="masked"),
        Case("padding in the tokens", draw.padded),
        Case("other tokens before the last", lambda g: draw.padded(g, moved=True), like="padding in the tokens"),
        Case("padding in the memory", draw.memory_masked),
        Case("hidden memory moved", lambda g: draw.memory_masked(g, moved=6), like="padding in the memory"),
        Case("visible memory moved", lambda g: draw.memory_masked(g, moved=3), like="padding in the memory"),
        Case("memory mask of floats", lambda g: draw.memory_masked(g, torch.float32), like="padding in the memory"),
        Case("silent sub-layers", draw.silent),
        Case("dropout, evaluated", lambda g: draw.inputs(g, dropout=0.5), like="values"),
        Case("dropout on the self-attention", lambda g: draw.only(g, "self_attn.o_proj")),
        Case("dropout on the cross-attention", lambda g: draw.only(g, "cross_attn.out_proj")),
        Case("dropout on the feed-forward", lambda g: draw.only(g, "linear_net.3")),
        Case("no dropout, training", draw.without_dropout, like="values"),
        Case("everything dropped", draw.all_dropped, like="silent sub-layers"),
        Case("gradients", lambda g: draw.inputs(g) | {"gradients": True}, like="values"),
        Case("fewer tokens", lambda g: draw.inputs(g) | {"fewer": 3}, like="values"),
    ),
    properties=(
        Property(
            "values",
            1,
            matches("parameters", "output"),
            matches("memory as long as the tokens", "output"),
            where(matches("values", "output"), matches("fewer tokens", "fewer")),
        ),
        Property(
            "each token sees itself and what came before",
            1,
            is_true(
                "influence",
                ["influence"],
                lower_triangle,
                "the Jacobian of the outputs by the inputs is no lower triangle",
            ),
            is_true("influence", ["uniform_influence"], sees_itself, "a token does not attend to itself"),
        ),
        Property(
            "the mask hides more than causality does",
            0.5,
            fits(
                "masked, influence",
                ["influence"],
                ["mask"],
                masked_triangle,
                "a hidden or a later token still has influence, or a visible one has none",
            ),
            unmoved(
                "padding in the tokens",
                "other tokens before the last",
                "output",
                at=lambda a: a[1, 4],
                text="with a mask [B, 1, 1, T], changing a hidden token changes the output",
            ),
            moved(
                "padding in the tokens",
                "other tokens before the last",
                "output",
                at=lambda a: a[0, 4],
                text="with a mask [B, 1, 1, T], changing a visible token changes nothing",
            ),
        ),
        Property(
            "a mask may be boolean or 0/1",
            0.5,
            LISTENS,
            unmoved("masked", "mask of integers", "output", text="the same mask as integers gives other values"),
            unmoved("masked", "mask of floats", "output", text="the same mask as floats gives other values"),
            unmoved(
                "padding in the memory",
                "memory mask of floats",
                "output",
                text="the same memory mask as floats gives other values",
            ),
        ),
        Property(
            "the memory is heard, its padding is not",
            1,
            moved("values", "another memory", "output", text="changing the memory changes nothing"),
            unmoved(
                "padding in the memory",
                "hidden memory moved",
                "output",
                text="changing hidden memory changes the output",
            ),
            moved(
                "padding in the memory",
                "visible memory moved",
                "output",
                at=lambda a: a[:, 0],
                text="changing visible memory changes nothing for the first token",
            ),
        ),
        Property("residuals, then norms", 0.5, matches("silent sub-layers", "output")),
        Property(
            "samples do not mix",
            0.5,
            LISTENS,
            same_alone("values", "one sample alone", 1, "output"),
        ),
        Property(
            "dropout while training, and only then",
            0.5,
            LISTENS,
            unmoved("values", "dropout, evaluated", "output", text="dropout still acts in eval mode"),
            is_true(
                "dropout, evaluated",
                ["output", "again"],
                lambda one, two: (one == two).all(),
                "two calls in eval mode differ",
            ),
            where(
                matches("silent sub-layers", "output"),
                *(
                    is_true(
                        f"dropout on the {part}",
                        ["random"],
                        bool,
                        f"nothing is dropped from the {part} while training",
                    )
                    for part in ("self-attention", "cross-attention", "feed-forward")
                ),
            ),
            is_true(
                "dropout, evaluated",
                ["dropouts"],
                lambda probabilities: (probabilities == 0.5).all(),
                "some part of the block has another dropout than the one asked for",
            ),
            unmoved("values", "no dropout, training", "output", text="dropout=0.0 still drops while training"),
            where(
                matches("silent sub-layers", "output"),
                is_true(
                    "everything dropped",
                    ["output", "again"],
                    lambda one, two: (one == two).all(),
                    "with dropout=1.0 something random is left",
                ),
                unmoved(
                    "silent sub-layers",
                    "everything dropped",
                    "output",
                    text="with dropout=1.0 something else is left than the residuals and the norms",
                ),
            ),
        ),
        Property(
            "gradients reach every parameter",
            0.5,
            is_true("gradients", ["unreached"], lambda n: n == 0, "some parameters get no gradient"),
            where(matches("values", "output"), matches("gradients", "of_x"), matches("gradients", "of_memory")),
        ),
    ),
    mistakes=MISCONCEPTIONS,
    forbidden=(
        "TransformerDecoderLayer",
        "TransformerDecoder",
        "TransformerEncoderLayer",
        "Transformer",
        "multi_head_attention_forward",
    ),
    hints=(
        "Three times the same sentence: x = norm(x + dropout(sub-layer(x))). Only the sub-layer changes.",
        "Causality and the mask: a token is seen when both allow it. Bring both to booleans with four axes.",
        "In the cross-attention, who asks? The tokens. Who answers? The memory.",
    ),
    right_variants=right.VARIANTS,
)
