"""CrossAttention(query_dim, key_dim, value_dim, embed_dim, num_heads): from one sequence to another."""

import math

import torch

import course_lib.model.multi_head as reference
from autograder.catalogue.checks import matches, moved, unmoved, where
from autograder.catalogue.exercise import Case, Exercise, Promise, Property
from autograder.catalogue.multi_head import both_layers
from autograder.catalogue.multi_head.cross_attention_wrong import MISTAKES
from autograder.catalogue.weights import drawn, linear
from course_lib.model.heads import merge_heads, split_heads
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
    """All scores are some −72, and none is far from the others."""
    inputs = masked(g, moved)
    inputs["weights"]["q_proj.bias"] += 6
    inputs["weights"]["k_proj.bias"] -= 6
    return inputs


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
    """Moving a key in a causal case changes nothing before its place, and something at its place and at the end."""
    other = f"{case}, key {key} moved"
    return (
        unmoved(case, other, text=f"a query before place {key} sees key {key}", **rows(0, key)),
        moved(case, other, text=f"query {key} does not see key {key}", **rows(key, key + 1)),
        moved(case, other, text=f"the last query does not see key {key}", **rows(-1)),
    )


def same_as_alone(sample):
    return unmoved(
        "mask [B, L, S]",
        f"the mask of sample {sample}",
        at=lambda output: output[sample],
        text="a sample under a mask [B, L, S] and under its own mask [L, S] gives other numbers",
    )


# Other right ways to write it.


class ByViews(reference.CrossAttention):
    """view and transpose; the triangle from positions; masks multiplied; −inf as fill."""

    def forward(self, query, key, value, attn_mask=None, is_causal=False):
        B, L, S, h, d = query.size(0), query.size(1), key.size(1), self.num_heads, EMBED // H
        q = self.q_proj(query).view(B, L, h, d).transpose(1, 2) / math.sqrt(d)
        k = self.k_proj(key).view(B, S, h, d).transpose(1, 2)
        v = self.v_proj(value).view(B, S, h, d).transpose(1, 2)
        visible = torch.ones(1, 1, L, S)
        if attn_mask is not None:
            attn_mask = attn_mask.float()
            visible = visible * (attn_mask.unsqueeze(1) if attn_mask.dim() == 3 else attn_mask)
        if is_causal:
            visible = visible * (torch.arange(S)[None, :] <= torch.arange(L)[:, None])
        scores = (q @ k.transpose(2, 3)).masked_fill(visible == 0, float("-inf"))
        values = torch.softmax(scores, dim=3) @ v
        return self.out_proj(values.transpose(1, 2).contiguous().view(B, L, -1))


class ByEinsum(reference.CrossAttention):
    """einsum throughout, and an additive bias for each of the two masks."""

    def forward(self, queries, keys, values, mask=None, is_causal=False, return_attention=False):
        projected = self.q_proj(queries), self.k_proj(keys), self.v_proj(values)
        q, k, v = (x.unflatten(-1, (self.num_heads, -1)) for x in projected)
        scores = torch.einsum("blhd,bshd->bhls", q, k) * q.shape[-1] ** -0.5
        if mask is not None:
            scores = scores + (expand_mask(mask).to(scores.dtype) - 1) * 1e9
        if is_causal:
            scores = scores + torch.full(scores.shape[-2:], -1e9, dtype=scores.dtype).triu(diagonal=1)
        attention = scores.softmax(-1)
        output = self.out_proj(torch.einsum("bhls,bshd->blhd", attention, v).flatten(2))
        return (output, attention) if return_attention else output


class TwoFills(reference.CrossAttention):
    """Each mask hides on its own, one after the other."""

    def forward(self, queries, keys, values, mask=None, is_causal=False):
        projected = self.q_proj(queries), self.k_proj(keys), self.v_proj(values)
        q, k, v = (split_heads(x, self.num_heads) for x in projected)
        scores = torch.matmul(q, k.mT).div(q.size(-1) ** 0.5)
        lowest = torch.finfo(scores.dtype).min
        if is_causal:
            scores = torch.where(torch.ones_like(scores).tril() > 0, scores, lowest)
        if mask is not None:
            scores = torch.where(expand_mask(mask) != 0, scores, lowest)
        weights = torch.exp(scores - scores.max(dim=-1, keepdim=True).values)
        return self.out_proj(merge_heads(weights / weights.sum(-1, keepdim=True) @ v))


class GrowingTriangle(reference.CrossAttention):
    """A triangle that is kept, and made anew when it is too small; the mask only by its name."""

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


CAUSAL = {"causal, L = S": (5, 5, 2), "causal, L < S": (3, 7, 1), "causal, L > S": (7, 4, 2)}

CROSS_ATTENTION = Exercise(
    id="CrossAttention",
    title="Cross-attention",
    reference=reference.CrossAttention,
    cases=(
        Case("parameters", lambda g: layer(g, ask="parameters")),
        Case("values", layer),
        Case("in training", lambda g: layer(g, ask="training"), like="values"),
        Case("after another call", lambda g: layer(g, ask="afterwards"), like="values"),
        Case("another key", lambda g: layer(g, moved=2), like="values"),
        Case("masked", masked),
        Case("hidden key moved", lambda g: masked(g, HIDDEN), like="masked"),
        Case("visible key moved", lambda g: masked(g, VISIBLE), like="masked"),
        Case("mask of integers", lambda g: masked(g, kind=torch.int64), like="masked"),
        Case("mask of floats", lambda g: masked(g, kind=torch.float32), like="masked"),
        Case("scores far below 0", far_below),
        Case("scores far below 0, hidden key moved", lambda g: far_below(g, HIDDEN), like="scores far below 0"),
        Case("mask [B, L, S]", lambda g: of_samples(g, B, L, S)),
        Case("the mask of sample 0", lambda g: of_samples(g, B, L, S, which=0), like="mask [B, L, S]"),
        Case("the mask of sample 1", lambda g: of_samples(g, B, L, S, which=1), like="mask [B, L, S]"),
        Case("mask [B, 1, 1, S]", lambda g: of_samples(g, B, 1, 1, S)),
        Case("the same, expanded", lambda g: of_samples(g, B, 1, 1, S, expand=True), like="mask [B, 1, 1, S]"),
        Case("mask [B, h, L, S]", lambda g: of_samples(g, B, H, L, S)),
        *(
            case
            for name, (length, source, key) in CAUSAL.items()
            for case in (
                Case(name, lambda g, sizes=(length, source): causal(g, *sizes)),
                Case(f"{name}, key {key} moved", lambda g, sizes=(length, source, key): causal(g, *sizes), like=name),
            )
        ),
        Case(
            "causal, after another call",
            lambda g: layer(g, 5, 5, is_causal=True, ask="afterwards"),
            like="causal, L = S",
        ),
        Case("causal and masked", both),
        Case(f"causal and masked, key {HIDDEN} moved", lambda g: both(g, HIDDEN), like="causal and masked"),
        Case(f"causal and masked, key {HALF} moved", lambda g: both(g, HALF), like="causal and masked"),
        Case(
            "causal, mask of floats [B, L, S]",
            lambda g: both(g, kind=torch.float32, samples=(B,)),
            like="causal and masked",
        ),
        Case("gradients", lambda g: layer(g, ask="gradients")),
        *both_layers.cases_of_refusal(query_dim=14, key_dim=21, value_dim=28),
    ),
    properties=(
        *both_layers.parameters_and_refusal(),
        Property(
            "values",
            1,
            matches("values"),
            unmoved("values", "in training", text="in training the same inputs give other numbers"),
        ),
        Property(
            "mask is respected",
            1,
            unmoved("masked", "hidden key moved", text="changing a hidden key and its value changes the output"),
            moved("masked", "visible key moved", text="changing a visible key and its value changes nothing"),
            both_layers.nothing_shines_through("hidden key", at=lambda output: output),
            where(matches("values"), matches("masked")),
        ),
        Property(
            "masks of any rank and kind",
            0.5,
            moved("values", "another key", text="the queries take nothing from keys and values"),
            *both_layers.same_whatever_the_kind(),
            same_as_alone(0),
            same_as_alone(1),
            unmoved(
                "mask [B, 1, 1, S]",
                "the same, expanded",
                text="a mask [B, 1, 1, S] does not serve every head and query",
            ),
            where(matches("values"), matches("mask [B, h, L, S]")),
        ),
        Property(
            "query i sees the keys 0 to i",
            0.5,
            *causality("causal, L = S", 2),
            unmoved(
                "causal, L = S", "causal, after another call", text="what an earlier, shorter call has left hides keys"
            ),
            where(matches("values"), matches("causal, L = S")),
        ),
        Property(
            "causal also when L ≠ S",
            0.5,
            *causality("causal, L < S", 1),
            *causality("causal, L > S", 2),
            where(
                matches("values"), where(matches("causal, L = S"), matches("causal, L < S"), matches("causal, L > S"))
            ),
        ),
        Property(
            "causality and mask combine",
            0.5,
            unmoved(
                "causal and masked", f"causal and masked, key {HIDDEN} moved", text="is_causal uncovers a hidden key"
            ),
            unmoved(
                "causal and masked",
                f"causal and masked, key {HALF} moved",
                text="with a mask given, a query sees a key after its own place",
                **rows(0, HALF),
            ),
            unmoved(
                "causal and masked",
                f"causal and masked, key {HALF} moved",
                text="is_causal uncovers a key that is hidden from this query",
                **rows(-1),
            ),
            moved(
                "causal and masked",
                f"causal and masked, key {HALF} moved",
                text="a query does not see a key that both masks leave visible",
                **rows(HALF, HALF + 1),
            ),
            unmoved(
                "causal and masked",
                "causal, mask of floats [B, L, S]",
                text="with is_causal, the same mask as floats [B, L, S] gives other values",
            ),
            where(matches("masked"), where(matches("causal, L = S"), matches("causal and masked"))),
        ),
        *both_layers.gradients_and_side_effects(PARAMETERS, free=("k_proj.bias",)),
    ),
    mistakes=MISTAKES,
    forbidden=("MultiheadAttention", "multi_head_attention_forward"),
    hints=(
        "Project each input with its own Linear, then split all three: from there on it is the attention of stage 1.",
        "A triangle [L, S]: `torch.ones(L, S).tril()`, or a corner of a larger causal mask.",
        "Two masks combine with a logical and. `mask.bool()` makes booleans of 0 and 1.",
    ),
    right_variants=(ByViews, GrowingTriangle, ByEinsum, TwoFills),
    promises=(
        Promise("Causality by position, for L ≠ S too.", "causal also when L ≠ S", "triangle aligned at the end"),
        Promise("Mask and causality combine.", "causality and mask combine", "one or the other"),
        both_layers.promise_of_refusal("embed_dim is not divisible by num_heads; the message names both."),
    ),
)
