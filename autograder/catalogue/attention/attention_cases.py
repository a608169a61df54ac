"""The cases of `scaled_dot_product`: masks of every rank and kind, and two whose numbers were printed elsewhere."""

import torch

from autograder.catalogue.exercise import Case

HIDDEN, VISIBLE = 2, 0  # a key that is hidden from every query, and one that all may see
FULLY_MASKED = 3  # a query that sees no key
HIDDEN_GRADIENT = "a query that sees nothing, backwards"


def qkv(g, *leading):
    """q [*, 5, 11], k [*, 7, 11], v [*, 7, 13]."""
    return {
        "q": torch.randn(*leading, 5, 11, generator=g),
        "k": torch.randn(*leading, 7, 11, generator=g),
        "v": torch.randn(*leading, 7, 13, generator=g),
    }


def masked(g, changed=None, kind=torch.bool):
    """[2, 3, …] with a mask [5, 7]; the key and value at `changed` are others."""
    inputs = qkv(g, 2, 3)
    mask = torch.rand(5, 7, generator=g) < 0.6
    mask[:, VISIBLE], mask[:, HIDDEN] = True, False
    if changed is not None:
        inputs["k"][..., changed, :] = 2 * torch.randn(2, 3, 11, generator=g)
        inputs["v"][..., changed, :] = 2 * torch.randn(2, 3, 13, generator=g)
    return inputs | {"mask": mask.to(kind)}


def one_query_fully_masked(g):
    inputs = masked(g)
    inputs["mask"][FULLY_MASKED] = False
    return inputs | {"fully_masked_query": FULLY_MASKED}


def in_double_precision(g):
    return {name: tensor.double() for name, tensor in qkv(g, 2, 3).items()}


def scores_far_below_zero(g):
    """All scores are near −23,000; that of the hidden key is higher by 13, so that no mere −10,000 hides it.

    They are multiples of 1/4, which float32 holds exactly.
    """
    inputs = masked(g)
    keys = -90 + (8 * inputs["k"][..., :4]).round() / 1024
    keys[..., HIDDEN, :] = -90 + 52 / 1024
    return inputs | {"q": torch.full_like(inputs["q"][..., :4], 128.0), "k": keys}


def mask_of(*shape, cut=lambda tensor: tensor):
    """A case with a random mask of this shape, each tensor cut in the same way; every query sees some key."""

    def draw(g):
        inputs = qkv(g, 2, 3)
        mask = torch.rand(*shape, generator=g) < 0.5
        mask[..., VISIBLE], mask[..., HIDDEN] = True, False
        return {name: cut(tensor) for name, tensor in (inputs | {"mask": mask}).items()}

    return draw


def printed_by_uva(g):
    g.manual_seed(42)
    return {name: torch.randn(3, 2, generator=g) for name in ("q", "k", "v")}


def printed_by_neuromatch(g):
    return {
        "q": torch.tensor([[12.0, 2, 17, 88], [1, 43, 13, 7], [69, 48, 18, 55]]),
        "k": torch.tensor([[10.0, 99, 65, 10], [85, 6, 114, 53], [25, 5, 3, 4]]),
        "v": torch.tensor([[33.0, 32, 18, 3], [36, 77, 90, 37], [19, 47, 72, 39]]),
    }


CASES = (
    Case(
        "published example (UvA)",
        printed_by_uva,
        printed={
            "values": [[0.5698, -0.1520], [0.5379, -0.0265], [0.2246, 0.5556]],
            "attention": [[0.4028, 0.2886, 0.3086], [0.3538, 0.3069, 0.3393], [0.1303, 0.4630, 0.4067]],
        },
        source="UvA Deep Learning Tutorials, Transformers and multi-head attention",
        tolerance=1e-4,
    ),
    Case(
        "published example (Neuromatch)",
        printed_by_neuromatch,
        printed={"values": [[36, 77, 90, 37], [33, 32, 18, 3], [36, 77, 90, 37]]},
        source="Neuromatch Academy, deep learning, week 3 day 1, exercise 2",
        tolerance=1e-4,
    ),
    Case("one sequence", qkv),
    Case("batch and heads", lambda g: qkv(g, 2, 3)),
    Case("once more", lambda g: qkv(g, 2, 3), same_as="batch and heads"),
    Case("one slice of it", lambda g: {n: t[1, 2] for n, t in qkv(g, 2, 3).items()}, same_as="batch and heads"),
    Case("five axes", lambda g: {n: t[:, None] for n, t in qkv(g, 2, 3).items()}, same_as="batch and heads"),
    Case(
        "other keys", lambda g: qkv(g, 2, 3) | {"k": torch.randn(2, 3, 7, 11, generator=g)}, same_as="batch and heads"
    ),
    Case("masked", masked),
    Case("hidden key moved", lambda g: masked(g, HIDDEN), same_as="masked"),
    Case("its mask left out", lambda g: masked(g) | {"mask": None}, same_as="masked"),
    Case("scores far below zero", scores_far_below_zero, tolerance=2e-3),  # float32 holds them to 1e-3
    Case("visible key moved", lambda g: masked(g, VISIBLE), same_as="masked"),
    Case("mask of integers", lambda g: masked(g, kind=torch.int64), same_as="masked"),
    Case("mask of floats", lambda g: masked(g, kind=torch.float32), same_as="masked"),
    Case("a mask for each sample", mask_of(2, 1, 5, 7)),
    Case("the second sample alone", mask_of(2, 1, 5, 7, cut=lambda t: t[1:]), same_as="a mask for each sample"),
    Case("three axes", mask_of(2, 1, 5, 7, cut=lambda t: t[:, -1]), same_as="a mask for each sample"),
    Case("a mask for each head", mask_of(2, 3, 5, 7)),
    Case("a mask of keys", mask_of(2, 1, 1, 7)),
    Case("a query that sees nothing", one_query_fully_masked, same_as="masked"),
    Case(HIDDEN_GRADIENT, lambda g: one_query_fully_masked(g) | {"gradient": True}, same_as="masked"),
    Case("in double precision", in_double_precision),
    Case("gradient", lambda g: qkv(g, 3) | {"gradient": True}),
    Case("gradient under a mask", lambda g: masked(g) | {"gradient": True}),
)
