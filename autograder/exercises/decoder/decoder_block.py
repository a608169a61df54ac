"""DecoderBlock(input_dim, num_heads, dim_feedforward, dropout=0.0), judged with injected weights."""

import numpy as np
import torch

import course_lib.decoder as reference
from autograder.exercise import Case, Exercise, Property
from autograder.exercises.decoder import decoder_block_variants as right
from autograder.exercises.decoder.decoder_block_mistakes import MISCONCEPTIONS
from autograder.exercises.decoder.weights import decoder_block
from autograder.exercises.weights import drawn
from autograder.properties import fits, is_true, matches, moved, unmoved

B, T, S, DIM, HEADS, HIDDEN_WIDTH = 2, 5, 7, 6, 3, 11
FELT = 1e-4  # a gradient above this is one: the smallest of 300 draws was 0.03


def inputs(g, dropout=0.0, rows=slice(None), memory_len=S):
    """Weights, tokens [2, 5, 6] and a memory [2, 7, 6]."""
    arguments = {"input_dim": DIM, "num_heads": HEADS, "dim_feedforward": HIDDEN_WIDTH, "dropout": dropout}
    weights = drawn(g, decoder_block(DIM, HIDDEN_WIDTH))
    x, memory = torch.randn(B, T, DIM, generator=g), torch.randn(B, memory_len, DIM, generator=g)
    return {"arguments": arguments, "weights": weights, "x": x[rows], "memory": memory[rows]}


def masked(g, kind=torch.bool, axes=2):
    """A mask that hides token 1 from all the others; it shows later tokens, which causality hides."""
    case = inputs(g)
    mask = torch.rand(T, T, generator=g) < 0.5
    mask[:, 0] = mask[:, 4] = True
    mask[:, 1] = False
    mask = mask | torch.eye(T, dtype=torch.bool)
    if axes == 3:
        mask = mask.expand(B, T, T).clone()
    return case | {"mask": mask.to(kind)}


def padded(g, moved=False):
    """A mask [2, 1, 1, 5] of padding: the sentences have 5 and 3 tokens.

    When `moved`, the first four tokens of the first sentence are others, and so is padding in the second.
    """
    case = inputs(g)
    if moved:
        case["x"][0, :4] = 2 * torch.randn(4, DIM, generator=g)
        case["x"][1, 3] = 2 * torch.randn(DIM, generator=g)
    return case | {"mask": (torch.arange(T) < torch.tensor([[5], [3]]))[:, None, None]}


def memory_masked(g, kind=torch.bool, moved=None):
    """A mask [2, 1, 7] of padding in the memory; the rows at `moved` are others."""
    case = inputs(g)
    if moved is not None:
        case["memory"][:, moved] = 2 * torch.randn(B, DIM, generator=g)
    return case | {"memory_mask": (torch.arange(S) < torch.tensor([[5], [4]]))[:, None].to(kind)}


def memory_moved(g):
    case = inputs(g)
    return case | {"memory": case["memory"] + torch.randn(B, S, DIM, generator=g)}


def silent(g):
    """Sub-layers that give zero: what is left are the residuals and the norms."""
    case = inputs(g)
    for name in ("self_attn.o_proj", "cross_attn.out_proj", "linear_net.3"):
        for part in ("weight", "bias"):
            case["weights"][f"{name}.{part}"].zero_()
    return case


def deaf_feed_forward(g, dropout):
    """A feed-forward whose hidden layer is zero whatever is dropped inside it."""
    case = inputs(g, dropout=dropout)
    case["weights"]["linear_net.0.weight"].zero_()
    case["weights"]["linear_net.0.bias"].fill_(-1)
    return case


def lower_triangle(influence):
    """Nothing above the diagonal, something everywhere else."""
    size = len(influence)
    later = [(i, j) for i in range(size) for j in range(i + 1, size)]
    earlier = [(i, j) for i in range(size) for j in range(i + 1)]
    return all(influence[at] < FELT for at in later) and all(influence[at] > FELT for at in earlier)


def masked_triangle(influence, mask):
    """Each output follows exactly the tokens that the mask and causality show, and its own by the residual."""
    visible = (mask & np.tri(T, dtype=bool)) | np.eye(T, dtype=bool)
    return ((influence > FELT) == visible).all()


def sees_itself(uniform_influence):
    """A norm hides that all features grow alike, so this comes to a token through the attention alone."""
    return uniform_influence.diagonal().min() > FELT


LISTENS = is_true(  # a relation means nothing of a block that hands its input on
    "influence",
    ["influence"],
    lambda influence: (influence * (1 - np.eye(T))).max() > FELT,
    "no token listens to another",
)

DECODER_BLOCK = Exercise(
    id="DecoderBlock",
    title="The decoder block",
    reference=reference.DecoderBlock,
    cases=(
        Case("parameters", lambda g: inputs(g) | {"strict": True}, like="values"),
        Case("values", inputs),
        Case("memory as long as the tokens", lambda g: inputs(g, memory_len=T)),
        Case("one sample alone", lambda g: inputs(g, rows=slice(1, 2)), like="values"),
        Case("another memory", memory_moved, like="values"),
        Case("influence", lambda g: inputs(g) | {"influence": True}),
        Case("masked", masked),
        Case("masked, influence", lambda g: masked(g) | {"influence": True}, like="masked"),
        Case("mask of integers", lambda g: masked(g, torch.int64), like="masked"),
        Case("mask of floats", lambda g: masked(g, torch.float32, axes=3), like="masked"),
        Case("padding in the tokens", padded),
        Case("other tokens before the last", lambda g: padded(g, moved=True), like="padding in the tokens"),
        Case("padding in the memory", memory_masked),
        Case("hidden memory moved", lambda g: memory_masked(g, moved=6), like="padding in the memory"),
        Case("visible memory moved", lambda g: memory_masked(g, moved=3), like="padding in the memory"),
        Case("memory mask of floats", lambda g: memory_masked(g, torch.float32), like="padding in the memory"),
        Case("silent sub-layers", silent),
        Case("dropout, evaluated", lambda g: inputs(g, dropout=0.5), like="values"),
        Case("dropout, training", lambda g: deaf_feed_forward(g, 0.5) | {"training": True}),
        Case("no dropout, training", lambda g: inputs(g) | {"training": True}, like="values"),
        Case("gradients", lambda g: inputs(g) | {"gradients": True}, like="values"),
    ),
    properties=(
        Property("values", 1, matches("parameters", "output"), matches("memory as long as the tokens", "output")),
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
            unmoved(
                "values",
                "one sample alone",
                "output",
                at=lambda a: a[1:2],
                at_other=lambda a: a,
                text="one sample alone gives other numbers than inside the batch",
            ),
        ),
        Property(
            "dropout while training, and only then",
            0.5,
            unmoved("values", "dropout, evaluated", "output", text="dropout still acts in eval mode"),
            is_true(
                "dropout, evaluated",
                ["output", "again"],
                lambda one, two: (one == two).all(),
                "two calls in eval mode differ",
            ),
            is_true(
                "dropout, training",
                ["output", "again"],
                lambda one, two: abs(one - two).max() > 1e-3,
                "with dropout, two calls while training are the same",
            ),
            unmoved("values", "no dropout, training", "output", text="dropout=0.0 still drops while training"),
        ),
        Property(
            "gradients reach every parameter",
            0.5,
            is_true("gradients", ["unreached"], lambda n: n == 0, "some parameters get no gradient"),
        ),
    ),
    misconceptions=MISCONCEPTIONS,
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
