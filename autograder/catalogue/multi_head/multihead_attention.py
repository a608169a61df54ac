"""MultiheadAttention(input_dim, embed_dim, num_heads): self-attention with one projection for q, k and v."""

import numpy as np
import torch

import course_lib.model.multi_head as reference
from autograder.catalogue.checks import (
    either,
    fits,
    is_true,
    matches,
    matches_expected_of,
    moved,
    same_alone,
    same_in_training,
    shaped_as_expected,
    unmoved,
    where,
)
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise
from autograder.catalogue.multi_head import both_layers
from autograder.catalogue.multi_head.multihead_attention_mistakes import BOTH, CHUNK, MISTAKES, SPLIT
from autograder.catalogue.results import close
from autograder.catalogue.weights import drawn, linear

B, H, D, T = 2, 3, 4, 5
NARROW, EMBED = 7, H * D
HIDDEN, VISIBLE = 3, 0  # a token that no query sees, one that every query sees
PARAMETERS = ("qkv_proj.weight", "qkv_proj.bias", "o_proj.weight", "o_proj.bias")


def layer(g, input_dim=EMBED, **settings):
    """A layer with known weights, and x [B, T, input_dim]."""
    return {
        "arguments": {"input_dim": input_dim, "embed_dim": EMBED, "num_heads": H},
        "weights": drawn(g, linear("qkv_proj", input_dim, 3 * EMBED) | linear("o_proj", EMBED, EMBED)),
        "x": torch.randn(B, T, input_dim, generator=g),
    } | settings


def three_blocks(g):
    """The same numbers for a layer that reads its projection as [3, h, d]."""
    inputs = layer(g, ask="attention")
    rows = torch.arange(3 * EMBED).reshape(H, 3, D).transpose(0, 1).flatten()
    for name in ("qkv_proj.weight", "qkv_proj.bias"):
        inputs["weights"][name] = inputs["weights"][name][rows]
    return inputs


def widened(g):
    """The narrow layer again, its tokens padded to EMBED features with zeros."""
    inputs = layer(g, NARROW)
    inputs["arguments"]["input_dim"] = EMBED
    more = torch.randn(3 * EMBED, EMBED - NARROW, generator=g)
    inputs["weights"]["qkv_proj.weight"] = torch.cat([inputs["weights"]["qkv_proj.weight"], more], dim=1)
    inputs["x"] = torch.cat([inputs["x"], torch.zeros(B, T, EMBED - NARROW)], dim=-1)
    return inputs


def value_rows_moved(g):
    """Other numbers in the rows that make the values."""
    inputs = layer(g, ask="attention")
    weight = inputs["weights"]["qkv_proj.weight"].unflatten(0, (H, 3, D))
    weight[:, 2] = torch.randn(H, D, EMBED, generator=g)
    return inputs


def masked(g, moved=None, kind=torch.bool):
    """A mask [T, T]; the token `moved` is another one."""
    inputs = layer(g)
    mask = torch.rand(T, T, generator=g) < 0.6
    mask[:, VISIBLE], mask[:, HIDDEN] = True, False
    if moved is not None:
        inputs["x"][:, moved] = 2 * torch.randn(B, EMBED, generator=g)
    return inputs | {"mask": mask.to(kind)}


def far_below(g, moved=None):
    """All scores are some −128, and none is far from the others."""
    inputs = masked(g, moved)
    bias = inputs["weights"]["qkv_proj.bias"].unflatten(0, (H, 3, D))
    bias[:, 0] += 8
    bias[:, 1] -= 8
    return inputs | {"x": 0.3 * inputs["x"]}


def mask_of(*shape):
    """A case with a random mask of this shape, which tells about the attention."""

    def draw(g):
        mask = torch.rand(*shape, generator=g) < 0.5
        mask[..., VISIBLE] = True
        return layer(g, ask="attention") | {"mask": mask}

    return draw


def replaced(g, *place):
    """Other numbers at this place of x."""
    inputs = layer(g)
    inputs["x"][place] = 2 * torch.randn(inputs["x"][place].shape, generator=g)
    return inputs


def hides_what_it_should(attention, mask):
    mask = mask[:, None] if mask.ndim == 3 else mask
    hidden = np.broadcast_to(mask, (B, H, T, T)) == 0
    return abs(attention[hidden]).max() < 1e-4 and attention[~hidden].min() > 0


def is_a_map(attention):
    return attention.shape == (B, H, T, T) and attention.min() >= 0


def holds_weights(attention):
    return is_a_map(attention) and close(attention.sum(-1), np.ones((B, H, T)), 1e-4)


# Other right ways to write it.


class Indivisible(ValueError):
    """An error of the student's own."""


class ByPlace(reference.MultiheadAttention):
    """Arguments of forward by their places alone, the constructor's under other names, and an error of its own."""

    def __init__(self, d_in, d_model, h):
        if d_model % h:
            raise Indivisible(f"{d_model} features for {h} heads")
        super().__init__(d_in, d_model, h)
        self.register_buffer("scale", torch.tensor((d_model // h) ** -0.5))  # saved with it, and not learned

    def forward(self, *arguments):
        x, mask, return_attention = [*arguments, None, False][:3] if len(arguments) < 2 else [*arguments, False][:3]
        return super().forward(x, mask, return_attention)


AS_PUBLISHED = {
    SPLIT: "self.qkv_proj(x).reshape(*x.shape[:2], self.num_heads, -1).permute(0, 2, 1, 3)",
    "merge_heads(values)": "values.permute(0, 2, 1, 3).reshape(*x.shape[:2], -1)",
}

VALUE_ROWS, FILLED_UP = ("attention", "value rows moved"), "narrow input, filled up with zeros"
THREE_BLOCKS = "weights for a projection read as [3, h, d]"  # what such a layer gives must be right otherwise
VALUES_HOLD = either(matches("values"), matches_expected_of("values", THREE_BLOCKS, "output"))
HOLDS_WEIGHTS = is_true("attention", ["attention"], holds_weights, "the attention does not hold weights")
MASKS = ("mask [B, T, T]", "mask [B, h, T, T]", "mask [B, 1, 1, T]")
ATTENTION_HOLDS = either(matches("attention", "attention"), matches_expected_of("attention", THREE_BLOCKS, "attention"))
FROM_OTHERS = "no token takes anything from another one"
LISTENS = moved("values", "another first token", at=lambda output: output[:, 1:], text=FROM_OTHERS)
OTHERS = [row for row in range(T) if row not in (HIDDEN, VISIBLE)]  # what the moved one itself gets may change

MULTIHEAD_ATTENTION = Exercise(
    id="MultiheadAttention",
    title="Multi-head self-attention",
    reference=reference.MultiheadAttention,
    cases=(
        Case("parameters", lambda g: layer(g, NARROW, ask="parameters")),
        Case("values", layer),
        Case(THREE_BLOCKS, three_blocks, same_as="values"),
        Case("plainly", lambda g: layer(g, ask="plainly"), same_as="values"),
        Case("attention", lambda g: layer(g, ask="attention"), same_as="values"),
        Case("value rows moved", value_rows_moved, same_as="values"),
        Case("another second sample", lambda g: replaced(g, 1), same_as="values"),
        Case("another first token", lambda g: replaced(g, slice(None), 0), same_as="values"),
        Case("the first sample alone", lambda g: (inputs := layer(g)) | {"x": inputs["x"][:1]}, same_as="values"),
        Case("in training", lambda g: layer(g, ask="training"), same_as="values"),
        Case("after another call", lambda g: layer(g, ask="afterwards"), same_as="values"),
        Case("narrow input", lambda g: layer(g, NARROW)),
        Case(FILLED_UP, widened, same_as="narrow input"),
        *both_layers.cases_of_masks("token", HIDDEN, VISIBLE, masked, far_below),
        Case("mask [B, T, T]", mask_of(B, T, T)),
        Case("mask [B, h, T, T]", mask_of(B, H, T, T)),
        Case("mask [B, 1, 1, T]", mask_of(B, 1, 1, T)),
        Case("gradients", lambda g: layer(g, ask="gradients"), same_as="values"),
        Case("gradients under a mask", lambda g: masked(g) | {"ask": "gradients"}, same_as="masked"),
        *both_layers.cases_of_refusal(input_dim=14),
    ),
    criteria=(
        *both_layers.parameters_and_refusal(),
        Criterion("values", 2, VALUES_HOLD),
        Criterion(
            "q, k and v of a head lie next to each other",
            0.5,
            where(
                HOLDS_WEIGHTS,
                unmoved(*VALUE_ROWS, "attention", text="rows of qkv_proj for the values affect the scores: [h, 3, d]"),
            ),
            where(VALUES_HOLD, matches("values")),
            moved(*VALUE_ROWS, "output", text="the rows of qkv_proj for the values have no effect"),
        ),
        Criterion(
            "input_dim may differ from embed_dim",
            0.5,
            LISTENS,
            unmoved(FILLED_UP, "narrow input", text=f"{NARROW} features, and the same with zeros after them, differ"),
        ),
        both_layers.mask_is_respected(1.5, "token", at=lambda output: output[:, OTHERS]),
        Criterion(
            "masks of any rank and kind",
            0.5,
            *both_layers.same_whatever_the_kind(),
            *(
                where(
                    HOLDS_WEIGHTS,
                    fits(case, ["attention"], ["mask"], hides_what_it_should, f"a {case} does not hide what it should"),
                )
                for case in MASKS
            ),
            where(matches("values"), where(matches("masked"), *(matches(case, "output") for case in MASKS))),
        ),
        Criterion(
            "the attention, when asked for",
            0.5,
            shaped_as_expected("plainly"),
            is_true("attention", ["attention"], is_a_map, "the attention is not [B, h, T, T], or has negative entries"),
            unmoved("values", "attention", "output", text="asking for the attention changes the output"),
            where(VALUES_HOLD, ATTENTION_HOLDS),
        ),
        Criterion(
            "nothing but a sample and its mask decides",
            0.5,
            LISTENS,
            unmoved(
                "values", "another second sample", at=lambda o: o[0], text="one sample changes the output of another"
            ),
            same_alone("values", "the first sample alone", 0),
            same_in_training("values"),
        ),
        *both_layers.gradients_and_side_effects(PARAMETERS, ("x",)),
    ),
    mistakes=MISTAKES,
    forbidden=("multihead_attention",),
    right_variants=(
        right("as published", AS_PUBLISHED),
        right("a list, parts by unbind", {BOTH: "[output, attention]", CHUNK: "qkv.unflatten(-1, (3, -1)).unbind(-2)"}),
        *both_layers.OTHER_ATTENTION,
        ByPlace,
    ),
)
