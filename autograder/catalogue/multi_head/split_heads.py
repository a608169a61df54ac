"""split_heads(x, num_heads): [B, T, h·d] → [B, h, T, d]."""

import torch

import course_lib.model.heads as reference
from autograder.catalogue.checks import fits, is_true, matches
from autograder.catalogue.exercise import Case, Exercise, Misconception, Property
from autograder.catalogue.multi_head.shapes import holds_all_in

PIECES, ONES, GRADIENT = "each head gets its piece of every token", "sizes of one stay axes", "gradients flow through"


def tokens(g, *shape, num_heads, **settings):
    return {"x": torch.randn(*shape, generator=g), "num_heads": num_heads} | settings


def counted(g):
    """Two samples of two tokens of six features, numbered."""
    return {"x": torch.arange(24.0).reshape(2, 2, 6), "num_heads": 3}


def straight_to_the_shape(x, num_heads):
    B, T, width = x.shape
    return x.reshape(B, num_heads, T, width // num_heads)


def not_transposed(x, num_heads):
    B, T, width = x.shape
    return x.reshape(B, T, num_heads, width // num_heads)


def every_hth_feature(x, num_heads):
    B, T, width = x.shape
    return x.reshape(B, T, width // num_heads, num_heads).permute(0, 3, 1, 2)


def heads_exchanged_with_width(x, num_heads):
    B, T, width = x.shape
    return x.reshape(B, T, width // num_heads, num_heads).transpose(1, 2)


def features_before_tokens(x, num_heads):
    B, T, width = x.shape
    return x.reshape(B, T, num_heads, width // num_heads).permute(0, 2, 3, 1)


def heads_first(x, num_heads):
    return torch.stack(x.chunk(num_heads, dim=-1))


def in_reverse_order(x, num_heads):
    return reference.split_heads(x, num_heads).flip(1)


def transposed_before_the_split(x, num_heads):
    B, T, width = x.shape
    return x.transpose(1, 2).reshape(B, num_heads, T, width // num_heads)


def heads_joined_to_the_batch(x, num_heads):
    heads = reference.split_heads(x, num_heads)
    return heads.flatten(0, 1)


def squeezed(x, num_heads):
    return reference.split_heads(x, num_heads).squeeze()


def cut_from_the_graph(x, num_heads):
    return torch.stack([piece.detach() for piece in x.chunk(num_heads, dim=-1)], dim=1)


def only_the_first_head(x, num_heads):
    width = x.shape[-1] // num_heads
    return x[:, None, :, :width].expand(-1, num_heads, -1, -1)


def by_view_and_permute(x, num_heads):
    B, T, width = x.shape
    return x.view(B, T, num_heads, -1).permute(0, 2, 1, 3)


def by_stacking_chunks(x, h):
    return torch.stack(x.chunk(h, dim=-1), dim=1)


def by_a_loop(x, num_heads, dim=None):
    d = (dim or x.shape[-1]) // num_heads
    heads = [x[..., head * d : (head + 1) * d] for head in range(num_heads)]
    return torch.cat([head.unsqueeze(1) for head in heads], dim=1).contiguous()


def by_einsum(x, num_heads):
    return torch.einsum("bthd->bhtd", x.unflatten(2, (num_heads, x.size(2) // num_heads)))


BOTH = (PIECES, ONES)

SPLIT_HEADS = Exercise(
    id="split_heads",
    title="One wide vector, several heads",
    reference=reference.split_heads,
    cases=(
        Case("counted", counted),
        Case("three heads", lambda g: tokens(g, 2, 5, 21, num_heads=3)),
        Case("two heads", lambda g: tokens(g, 3, 7, 10, num_heads=2)),
        Case("one head", lambda g: tokens(g, 2, 5, 3, num_heads=1)),
        Case("one token of one sample", lambda g: tokens(g, 1, 1, 6, num_heads=2)),
        Case("heads of width one", lambda g: tokens(g, 2, 3, 5, num_heads=5)),
        Case("gradient", lambda g: tokens(g, 2, 3, 10, num_heads=2, gradient=True)),
    ),
    properties=(
        Property(PIECES, 1, matches("counted"), matches("three heads"), matches("two heads")),
        Property(
            ONES,
            0.5,
            *(
                fits(case, ["heads"], ["x"], holds_all_in(shape), f"{case}: another shape, or other numbers")
                for case, shape in {
                    "one head": (2, 1, 5, 3),
                    "one token of one sample": (1, 2, 1, 3),
                    "heads of width one": (2, 5, 3, 1),
                }.items()
            ),
        ),
        Property(
            GRADIENT,
            0.5,
            is_true(
                "gradient",
                ["gradient", "heads"],
                lambda gradient, heads: abs(gradient).min() > 0.1 and heads.ndim == 4,
                "some features get no gradient",
            ),
        ),
    ),
    mistakes=(
        Misconception(
            "view in the place of transpose",
            straight_to_the_shape,
            "You reshape straight to [B, h, T, d]: the shape is right, but tokens and features are mixed up.",
            "Which numbers stand next to each other in x: those of one token, or those of one head?",
            (PIECES,),
        ),
        Misconception(
            "axes not exchanged",
            not_transposed,
            "Your result is [B, T, h, d]: the axis of the heads must come before the one of the tokens.",
            "Over which two axes will the scores be a matrix product?",
            BOTH,
        ),
        Misconception(
            "every h-th feature",
            every_hth_feature,
            "Your head 0 gets the features 0, h, 2h, …; its piece is to be the first d features.",
            "When the last axis becomes two, which of them runs faster?",
            (PIECES,),
        ),
        Misconception(
            "number of heads taken for their width",
            heads_exchanged_with_width,
            "You make heads of width num_heads; num_heads counts the heads, their width is what is left.",
            "12 features and 3 heads: how wide is a head?",
            BOTH,
        ),
        Misconception(
            "features before tokens",
            features_before_tokens,
            "Your result is [B, h, d, T]; the features must be the last axis.",
            "Which axis does the dot product of a query and a key sum over?",
            BOTH,
        ),
        Misconception(
            "heads before the batch",
            heads_first,
            "Your result is [h, B, T, d]: the batch must stay the first axis.",
            "Along which new axis do you stack the pieces?",
            BOTH,
        ),
        Misconception(
            "heads in reverse order",
            in_reverse_order,
            "The pieces are right, but the last one comes first.",
            "Which features belong to head 0?",
            (PIECES,),
        ),
        Misconception(
            "transposed before the split",
            transposed_before_the_split,
            "You exchange the axes first and reshape then: the features of a token no longer lie together.",
            "Which must come first: cutting the last axis in two, or moving axes?",
            (PIECES,),
        ),
        Misconception(
            "heads joined to the batch",
            heads_joined_to_the_batch,
            "Your result has three axes, [B·h, T, d]; the heads are to have an axis of their own.",
            "How many axes has [B, h, T, d]?",
            (PIECES, ONES, GRADIENT),
        ),
        Misconception(
            "the first head for all",
            only_the_first_head,
            "Every head gets the first d features: the others are lost.",
            "Where in your result are the last features of a token?",
            (PIECES, ONES, GRADIENT),
        ),
        Misconception(
            "axes of size one squeezed away",
            squeezed,
            "squeeze removes every axis of size 1: with one head, one token or one sample the shape falls apart.",
            "What does squeeze() do to a batch of one?",
            (ONES,),
        ),
        Misconception(
            "cut from the graph",
            cut_from_the_graph,
            "The heads are cut off from the input, so no gradient flows back through them.",
            "Which call in your code cuts the graph: .data, .detach(), .tolist(), torch.tensor?",
            (GRADIENT,),
        ),
    ),
    hints=(
        "Two steps: first the last axis becomes two axes, (h, d); then two axes change places.",
        "`x.reshape(B, T, h, d)` leaves every number where it is; `transpose(1, 2)` moves the heads forward.",
    ),
    right_variants=(by_view_and_permute, by_stacking_chunks, by_a_loop, by_einsum),
)
