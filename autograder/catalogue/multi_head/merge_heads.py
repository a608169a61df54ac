"""merge_heads(x): [B, h, T, d] → [B, T, h·d]."""

import torch

import course_lib.model.heads as reference
from autograder.catalogue.checks import fits, is_true, matches
from autograder.catalogue.exercise import Case, Exercise, Misconception, Property
from autograder.catalogue.multi_head.shapes import holds_all_in

SIDE_BY_SIDE, ONES, GRADIENT = "the pieces side by side", "sizes of one stay axes", "gradients flow through"


def heads(g, *shape, **settings):
    return {"x": torch.randn(*shape, generator=g)} | settings


def counted(g):
    """Two samples, three heads, two tokens, numbered."""
    return {"x": torch.arange(24.0).reshape(2, 3, 2, 2)}


def straight_to_the_shape(x):
    B, h, T, d = x.shape
    return x.reshape(B, T, h * d)


def view_after_transpose(x):
    B, h, T, d = x.shape
    return x.transpose(1, 2).view(B, T, h * d)


def interleaved(x):
    return x.permute(0, 2, 3, 1).flatten(2)


def one_after_the_other(x):
    return x.flatten(1, 2)


def summed(x):
    return x.sum(dim=1)


def averaged(x):
    return x.mean(dim=1)


def batch_and_tokens_exchanged(x):
    return x.permute(2, 0, 1, 3).flatten(2)


def features_and_tokens_exchanged(x):
    B, h, T, d = x.shape
    return x.transpose(2, 3).reshape(B, T, h * d)


def still_four_axes(x):
    return x.transpose(1, 2)


def in_reverse_order(x):
    return x.flip(1).transpose(1, 2).flatten(2)


def squeezed(x):
    return x.transpose(1, 2).flatten(2).squeeze()


def cut_from_the_graph(x):
    return torch.cat([head.detach() for head in x.unbind(1)], dim=-1)


def by_permute_and_view(x):
    B, h, T, d = x.shape
    return x.permute(0, 2, 1, 3).contiguous().view(B, -1, h * d)


def by_concatenation(x):
    return torch.cat(list(x.unbind(1)), dim=-1)


def by_a_loop(x, dtype=None):
    B, h, T, d = x.size()
    merged = torch.empty(B, T, h * d, dtype=x.dtype if dtype is None else dtype)
    for head in range(h):
        merged[:, :, head * d : head * d + d] = x[:, head]
    return merged


def by_einsum(heads):
    return torch.einsum("bhtd->bthd", heads).flatten(start_dim=2)


BOTH = (SIDE_BY_SIDE, ONES)

MERGE_HEADS = Exercise(
    id="merge_heads",
    title="Several heads, one wide vector",
    reference=reference.merge_heads,
    cases=(
        Case("counted", counted),
        Case("three heads", lambda g: heads(g, 2, 3, 5, 7)),
        Case("two heads", lambda g: heads(g, 3, 2, 7, 5)),
        Case("one head", lambda g: heads(g, 2, 1, 5, 3)),
        Case("one token of one sample", lambda g: heads(g, 1, 2, 1, 3)),
        Case("heads of width one", lambda g: heads(g, 2, 5, 3, 1)),
        Case("gradient", lambda g: heads(g, 2, 3, 5, 2, gradient=True)),
    ),
    properties=(
        Property(SIDE_BY_SIDE, 1, matches("counted"), matches("three heads"), matches("two heads")),
        Property(
            ONES,
            0.5,
            *(
                fits(case, ["merged"], ["x"], holds_all_in(shape), f"{case}: another shape, or other numbers")
                for case, shape in {
                    "one head": (2, 5, 3),
                    "one token of one sample": (1, 1, 6),
                    "heads of width one": (2, 3, 5),
                }.items()
            ),
        ),
        Property(
            GRADIENT,
            0.5,
            is_true(
                "gradient",
                ["gradient", "merged"],
                lambda gradient, merged: abs(gradient).min() > 0.1 and merged.ndim == 3,
                "some features get no gradient",
            ),
        ),
    ),
    mistakes=(
        Misconception(
            "merged without moving the axis back",
            straight_to_the_shape,
            "You reshape straight to [B, T, h·d]: the shape is right, but tokens and heads are mixed up.",
            "In x [B, h, T, d], what stands next to the first piece of a token: its next piece, or the next token?",
            (SIDE_BY_SIDE,),
        ),
        Misconception(
            "view after a transpose",
            view_after_transpose,
            "After a transpose the numbers lie in another order in memory and `view` refuses; `reshape` copies them.",
            "What is the difference between view and reshape?",
            (SIDE_BY_SIDE, GRADIENT),
        ),
        Misconception(
            "heads interleaved",
            interleaved,
            "Feature 0 of every head comes first, then feature 1 of every head; the pieces are to stay in one piece.",
            "Which axis must run faster in the merged vector: the heads, or the features of a head?",
            (SIDE_BY_SIDE,),
        ),
        Misconception(
            "heads one after the other",
            one_after_the_other,
            "You join heads and tokens: the sequence gets h times as long. It is the features that are to be joined.",
            "How many tokens must come out?",
            BOTH,
        ),
        Misconception(
            "heads summed",
            summed,
            "You add the heads up; they are to stand side by side, [B, T, h·d].",
            "How wide must the result be?",
            BOTH,
        ),
        Misconception(
            "heads averaged",
            averaged,
            "You average over the heads; they are to stand side by side, [B, T, h·d].",
            "How wide must the result be?",
            BOTH,
        ),
        Misconception(
            "batch and tokens exchanged",
            batch_and_tokens_exchanged,
            "Your result is [T, B, h·d]: the batch must stay the first axis.",
            "Which axes does your permute move?",
            BOTH,
        ),
        Misconception(
            "features exchanged with tokens",
            features_and_tokens_exchanged,
            "You exchange the last two axes; it is the heads that must move, next to their features.",
            "Which axes does split_heads exchange?",
            (SIDE_BY_SIDE,),
        ),
        Misconception(
            "still four axes",
            still_four_axes,
            "Your result is [B, T, h, d]: the last two axes are still to be joined.",
            "How many axes has [B, T, h·d]?",
            (SIDE_BY_SIDE, ONES, GRADIENT),
        ),
        Misconception(
            "heads in reverse order",
            in_reverse_order,
            "The pieces are right, but the last head comes first.",
            "Which features belong to head 0?",
            (SIDE_BY_SIDE,),
        ),
        Misconception(
            "axes of size one squeezed away",
            squeezed,
            "squeeze removes every axis of size 1: a batch of one, or a sequence of one, loses its axis.",
            "What does squeeze() do to a batch of one?",
            (ONES,),
        ),
        Misconception(
            "cut from the graph",
            cut_from_the_graph,
            "The result is cut off from the heads, so no gradient flows back to them.",
            "Which call in your code cuts the graph: .data, .detach(), .tolist(), torch.tensor?",
            (GRADIENT,),
        ),
    ),
    hints=(
        "The two steps of split_heads, backwards: exchange two axes, then join the last two.",
        "`reshape` and `flatten` copy when they must; `view` never does.",
    ),
    right_variants=(by_permute_and_view, by_concatenation, by_a_loop, by_einsum),
)
