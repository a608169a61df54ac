"""CrossAttention(query_dim, key_dim, value_dim, embed_dim, num_heads): from one sequence to another."""

import torch

import course_lib.model.multi_head as reference
from autograder.catalogue.checks import forgets, matches, moved, same_in_training, shaped_as_expected, unmoved, where
from autograder.catalogue.exercise import Case, Criterion, Exercise
from autograder.catalogue.multi_head import both_layers
from autograder.catalogue.multi_head.cross_attention_mistakes import MISTAKES
from autograder.catalogue.weights import drawn, linear
from course_lib.model.masks import causal_mask, expand_mask

B, H, EMBED = 2, 3, 12
QUERY, KEY, VALUE = 11, 13, 8  # widths
L, S = 5, 7
HIDDEN, VISIBLE, HALF = 1, 0, 3  # keys: seen by no query, by every query, by all but the last
PARAMETERS = tuple(f"{name}_proj.{part}" for name in ("q", "k", "v", "out") for part in ("weight", "bias"))


def layer(g, length=L, source=S, moved=None, **settings):
    """A layer with known weights, its three inputs; key and value `moved` are others."""
    sizes = linear("q_proj", QUERY, EMBED) | linear("k_proj", KEY, EMBED) | linear("v_proj", VALUE, EMBED)
    widths = {"query_dim": QUERY, "key_dim": KEY, "value_dim": VALUE}
    inputs = {
        "arguments": widths | {"embed_dim": EMBED, "num_heads": H},
        "weights": drawn(g, sizes | linear("out_proj", EMBED, QUERY)),
        "queries": torch.randn(B, length, QUERY, generator=g),
        "keys": torch.randn(B, source, KEY, generator=g),
        "values": torch.randn(B, source, VALUE, generator=g),
    }
    others = 2 * torch.randn(B, KEY, generator=g), 2 * torch.randn(B, VALUE, generator=g)
    if moved is not None:
        inputs["keys"][:, moved], inputs["values"][:, moved] = others
    return inputs | settings


def masked(g, moved=None, kind=torch.bool, length=L, source=S, samples=(), **settings):
    """With a mask [L, S], or as many samples of it as asked for."""
    inputs = layer(g, length, source, moved, **settings)
    mask = torch.rand(length, source, generator=g) < 0.6
    mask[:, [VISIBLE, HALF]], mask[:, HIDDEN], mask[-1, HALF] = True, False, False
    return inputs | {"mask": mask.expand(*samples, -1, -1).contiguous().to(kind)}


def far_below(g, moved=None):
    """All scores are some −128, and none is far from the others."""
    inputs = masked(g, moved)
    inputs["weights"]["q_proj.bias"] += 8
    inputs["weights"]["k_proj.bias"] -= 8
    return inputs | {"queries": 0.3 * inputs["queries"], "keys": 0.3 * inputs["keys"]}


def of_samples(g, *shape, which=None, expand=False):
    """A mask of this shape; that of one sample alone; or expanded to [B, L, S]."""
    inputs = layer(g)
    mask = torch.rand(*shape, generator=g) < 0.5
    mask[..., VISIBLE] = True
    if which is not None:
        mask = mask[which]
    return inputs | {"mask": mask[:, 0].expand(B, L, S).contiguous() if expand else mask}


def causal(g, length, source, moved=None):
    return layer(g, length, source, moved, is_causal=True)


def both(g, moved=None, kind=torch.bool, samples=()):
    """Causal, and a mask besides; as many queries as keys."""
    return masked(g, moved, kind, 5, 5, samples, is_causal=True)


def rows(start, stop=None):
    return {"at": lambda output: output[:, start:stop]}


def causality(case, key):
    """Moving a key in a causal case changes nothing before its position, and something there and at the end."""
    other = f"{case}, key {key} moved"
    return (
        unmoved(case, other, text=f"a query before position {key} sees key {key}", **rows(0, key)),
        moved(case, other, text=f"query {key} does not see key {key}", **rows(key, key + 1)),
        moved(case, other, text=f"the last query does not see key {key}", **rows(-1)),
    )


def same_as_alone(sample):
    return unmoved(
        "mask [B, L, S]",
        f"the mask of sample {sample}",
        at=lambda output: output[sample],
        text="a sample under a mask [B, L, S] and under its own mask [L, S] gives different numbers",
    )


# Other right ways to write it.


class GrowingTriangle(reference.CrossAttention):
    """A triangle that is kept, and rebuilt when it is too small; the mask only by its name."""

    def __init__(self, **widths):
        super().__init__(**widths)
        self.register_buffer("kept", causal_mask(0))  # saved with it, and not learned

    def forward(self, *inputs, mask=None, is_causal=False):
        if not is_causal:
            return super().forward(*inputs, mask)
        L, S = inputs[0].shape[1], inputs[1].shape[1]
        if len(self.kept) < max(L, S):
            self.kept = causal_mask(max(L, S))
        triangle = self.kept[:L, :S]
        return super().forward(*inputs, triangle if mask is None else expand_mask(mask).bool() & triangle)


BOTH, FLOATS, LATER = "causal and masked", "causal, mask of floats [B, L, S]", "causal, after another call"
HALF_MOVED, ONE_ROW = (BOTH, f"{BOTH}, key {HALF} moved"), "mask [B, 1, 1, S]"
CAUSAL = {"causal, L = S": (5, 5, 2), "causal, L < S": (3, 67, 1), "causal, L > S": (7, 4, 2)}

CROSS_ATTENTION = Exercise(
    id="CrossAttention",
    title="Cross-attention",
    reference=reference.CrossAttention,
    cases=(
        Case("parameters", lambda g: layer(g, ask="parameters")),
        Case("values", layer),
        Case("plainly", lambda g: layer(g, ask="plainly"), same_as="values"),
        Case("in training", lambda g: layer(g, ask="training"), same_as="values"),
        Case("after another call", lambda g: layer(g, ask="afterwards"), same_as="values"),
        Case("another key", lambda g: layer(g, moved=2), same_as="values"),
        *both_layers.cases_of_masks("key", HIDDEN, VISIBLE, masked, far_below),
        Case("mask [B, L, S]", lambda g: of_samples(g, B, L, S)),
        Case("the mask of sample 0", lambda g: of_samples(g, B, L, S, which=0), same_as="mask [B, L, S]"),
        Case("the mask of sample 1", lambda g: of_samples(g, B, L, S, which=1), same_as="mask [B, L, S]"),
        Case(ONE_ROW, lambda g: of_samples(g, B, 1, 1, S)),
        Case("the same, expanded", lambda g: of_samples(g, B, 1, 1, S, expand=True), same_as=ONE_ROW),
        Case("mask [B, h, L, S]", lambda g: of_samples(g, B, H, L, S)),
        *(
            case
            for name, (length, source, key) in CAUSAL.items()
            for case in (
                Case(name, lambda g, sizes=(length, source): causal(g, *sizes)),
                Case(
                    f"{name}, key {key} moved", lambda g, sizes=(length, source, key): causal(g, *sizes), same_as=name
                ),
            )
        ),
        Case(LATER, lambda g: layer(g, 5, 5, is_causal=True, ask="afterwards"), same_as="causal, L = S"),
        Case(BOTH, both),
        Case(f"{BOTH}, key {HIDDEN} moved", lambda g: both(g, HIDDEN), same_as=BOTH),
        Case(f"{BOTH}, key {HALF} moved", lambda g: both(g, HALF), same_as=BOTH),
        Case(FLOATS, lambda g: both(g, kind=torch.float32, samples=(B,)), same_as=BOTH),
        Case("gradients", lambda g: layer(g, ask="gradients")),
        Case("gradients under a mask", lambda g: masked(g) | {"ask": "gradients"}, same_as="masked"),
        *both_layers.cases_of_refusal(query_dim=14, key_dim=21, value_dim=28),
    ),
    criteria=(
        *both_layers.parameters_and_refusal(),
        Criterion("values", 1, matches("values"), same_in_training("values"), shaped_as_expected("plainly")),
        both_layers.mask_is_respected(1, "key"),
        Criterion(
            "masks of any rank and kind",
            0.5,
            moved("values", "another key", text="the queries take nothing from keys and values"),
            *both_layers.same_whatever_the_kind(),
            same_as_alone(0),
            same_as_alone(1),
            unmoved(ONE_ROW, "the same, expanded", text="a mask [B, 1, 1, S] does not serve every head and query"),
            where(matches("values"), matches("mask [B, h, L, S]")),
        ),
        Criterion(
            "query i sees the keys 0 to i",
            0.5,
            *causality("causal, L = S", 2),
            where(
                forgets("values"),
                unmoved("causal, L = S", LATER, text="a mask left over from an earlier, shorter call hides keys"),
            ),
            where(matches("values"), matches("causal, L = S")),
        ),
        Criterion(
            "causal even if L ≠ S",
            0.5,
            *causality("causal, L < S", 1),
            *causality("causal, L > S", 2),
            where(matches("values"), where(*(matches(case) for case in CAUSAL))),
        ),
        Criterion(
            "causality and mask combine",
            0.5,
            unmoved(BOTH, f"{BOTH}, key {HIDDEN} moved", text="is_causal uncovers a hidden key"),
            unmoved(*HALF_MOVED, text="with a mask given, a query sees a key after its own position", **rows(0, HALF)),
            unmoved(*HALF_MOVED, text="is_causal uncovers a key that is hidden from this query", **rows(-1)),
            moved(*HALF_MOVED, text="a query does not see a key that both masks leave visible", **rows(HALF, HALF + 1)),
            unmoved(BOTH, FLOATS, text="with is_causal, the same mask as floats [B, L, S] gives different values"),
            where(matches("masked"), where(matches("causal, L = S"), matches(BOTH))),
        ),
        *both_layers.gradients_and_side_effects(PARAMETERS, ("queries", "keys", "values"), free=("k_proj.bias",)),
    ),
    mistakes=MISTAKES,
    forbidden=("multihead_attention",),
    right_variants=(GrowingTriangle, *both_layers.OTHER_ATTENTION),
)
