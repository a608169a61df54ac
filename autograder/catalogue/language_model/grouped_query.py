"""GroupedQueryAttention(model_dim, num_heads, num_kv_heads, base): causal, rotary, grouped, with a cache."""

import torch
from torch import nn

import course_lib.model.grouped_query as reference
from autograder.catalogue.checks import finite, is_true, matches, moved, raises, unmoved, where
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise, common_criterion
from autograder.catalogue.language_model.grouped_query_cache_mistakes import MASK, REPEATED
from autograder.catalogue.language_model.grouped_query_mistakes import MISTAKES
from autograder.catalogue.language_model.grouped_query_score_mistakes import MIXED, OVERFLOWS, SHINES_THROUGH
from autograder.catalogue.language_model.shared import bare, gradients
from autograder.catalogue.weights import drawn

B, T, HEADS, GROUPS, WIDTH = 2, 7, 6, 2, 4
LONG = 33  # longer than a mask that is made for short texts
DIM = HEADS * WIDTH
FAR = 16384.0
LATER = slice(1, None)


def sizes(groups):
    keys = bare("k_proj", DIM, groups * WIDTH) | bare("v_proj", DIM, groups * WIDTH)
    return bare("q_proj", DIM, DIM) | keys | bare("o_proj", DIM, DIM)


def layer(g, groups=GROUPS, moved=None, base=None, batch=B, length=T, **settings):
    """A layer with known weights, whose scores are of order 1, and x [B, T, DIM]; the token at `moved` is another."""
    arguments = {"model_dim": DIM, "num_heads": HEADS, "num_kv_heads": groups} | (
        {} if base is None else {"base": base}
    )
    weights = {name: 0.8 * value for name, value in drawn(g, sizes(groups)).items()}
    x = torch.randn(batch, length, DIM, generator=g)
    if moved is not None:
        x[:, moved] = torch.randn(B, DIM, generator=g)
    return {"arguments": arguments, "weights": weights, "x": x} | settings


def far(g, score, moved=None):
    """Every score is about this number, and exact in float32; with the token at `moved` −8 times as much.

    Queries and keys have one feature each, in the pair that hardly turns.
    """
    inputs = layer(g, moved=moved, base=1e30)
    inputs["x"][..., 0] = 1.0
    inputs["x"][..., 1] = 1 + inputs["x"][..., 1].round() / FAR
    if moved is not None:
        inputs["x"][:, moved, 1] = -8.0
    for name, feature, value in (("q_proj.weight", 0, score), ("k_proj.weight", 1, WIDTH**0.5)):
        weight = torch.zeros_like(inputs["weights"][name])
        weight[2::WIDTH, feature] = value
        inputs["weights"][name] = weight
    return inputs


def refused(model_dim, num_heads, num_kv_heads):
    return lambda g: {"arguments": {"model_dim": model_dim, "num_heads": num_heads, "num_kv_heads": num_kv_heads}}


class GroupAxis(nn.Module):
    """A group axis instead of repeated heads, −1e9 for what is hidden, a cache that is a list."""

    def __init__(self, model_dim, num_heads, num_kv_heads, base=10000.0):
        super().__init__()
        if model_dim % num_heads or num_heads % num_kv_heads or (model_dim // num_heads) % 2:
            raise ValueError(f"{model_dim}, {num_heads} and {num_kv_heads}, width {model_dim // num_heads}: no fit")
        self.g, self.d, self.base = num_kv_heads, model_dim // num_heads, base
        self.q_proj, self.o_proj = (nn.Linear(model_dim, model_dim, bias=False) for _ in range(2))
        self.k_proj, self.v_proj = (nn.Linear(model_dim, num_kv_heads * self.d, bias=False) for _ in range(2))

    def forward(self, x, cache=None):
        (b, t, _), past = x.shape, 0 if cache is None else cache[0].size(2)
        k = self.k_proj(x).view(b, t, self.g, self.d).transpose(1, 2)
        v = self.v_proj(x).view(b, t, self.g, self.d).transpose(1, 2)
        q = self.q_proj(x).view(b, t, self.g, -1, self.d).permute(0, 2, 3, 1, 4)  # [B, g, h/g, T, d]
        places = torch.arange(past, past + t)
        q, k = reference.rotate(q, places, self.base), reference.rotate(k, places, self.base)
        if cache:
            k, v = torch.cat((cache[0], k), -2), torch.cat((cache[1], v), -2)
        scores = torch.einsum("bgitd,bgsd->bgits", q, k) * self.d**-0.5
        later = torch.ones(t, past + t).triu(past + 1).bool()
        weights = scores.masked_fill(later, -1e9).softmax(-1)
        out = torch.einsum("bgits,bgsd->btgid", weights, v).reshape(b, t, -1)
        return self.o_proj(out), [k, v]


EARLIER_COUNTS = moved(
    "values",
    "the first token moved",
    "output",
    at=lambda o: o[:, LATER],
    text="the first token changes nothing of what later ones get",
)
HIDDEN_FAR_BELOW = unmoved(
    "scores far below 0",
    "scores far below 0, the last token moved",
    "output",
    at=lambda o: o[:, :-1],
    text=SHINES_THROUGH,
)
VALUES_HOLD = matches("values", "output")
PIECES = tuple(f"in pieces of {pieces}" for pieces in ("3, 1, 3", "1, 1, 5", "6, 1"))
REFUSALS = {
    "10 features, 4 heads": (10, 4, 2),
    "6 heads, 4 groups": (24, 6, 4),
    "heads of width 3": (18, 6, 2),
}
PARAMETERS, VALUES, SHARED = "four matrices, no bias", "values of one call", "query head i uses group i // (h/g)"
CAUSAL, IN_PIECES = "causal", "pieces with a cache give what one call gives"
CACHE, REFUSES = "the cache: rotated keys and values, g heads", "what does not fit is refused"

GROUPED_QUERY_ATTENTION = Exercise(
    id="GroupedQueryAttention",
    title="Grouped-query attention with a cache",
    reference=reference.GroupedQueryAttention,
    cases=(
        Case("parameters", lambda g: layer(g, ask="parameters")),
        Case("values", layer),
        Case("cache", lambda g: layer(g, ask="cache"), same_as="values"),
        Case("cache of 3, 1, 3", lambda g: layer(g, ask="cache", pieces=[3, 1, 3]), same_as="values"),
        Case("in training", lambda g: layer(g, ask="training"), same_as="values"),
        Case("the first token moved", lambda g: layer(g, moved=0), same_as="values"),
        Case("the last token moved", lambda g: layer(g, moved=T - 1), same_as="values"),
        Case("as many groups as heads", lambda g: layer(g, groups=HEADS, batch=1, length=LONG)),
        Case("one group", lambda g: layer(g, groups=1)),
        Case("another base", lambda g: layer(g, groups=HEADS, base=torch.tensor([50.0, 20.0]))),
        *(
            Case(
                name,
                lambda g, name=name: layer(g, pieces=[int(n) for n in name[13:].split(", ")], ask="in turns"),
                same_as="values",
            )
            for name in PIECES
        ),
        Case("scores far below 0", lambda g: far(g, -FAR)),
        Case(
            "scores far below 0, the last token moved",
            lambda g: far(g, -FAR, moved=T - 1),
            same_as="scores far below 0",
        ),
        Case("scores far above 0", lambda g: far(g, FAR), same_as="scores far below 0"),
        *(Case(name, refused(*arguments)) for name, arguments in REFUSALS.items()),
        Case("gradients", lambda g: layer(g, ask="gradients")),
    ),
    criteria=(
        Criterion(PARAMETERS, 0.5, matches("parameters")),
        Criterion(
            VALUES,
            1,
            matches("as many groups as heads", "output"),
            matches("another base", "output"),
            unmoved("values", "in training", "output", text="in training the same inputs give different numbers"),
            finite("scores far above 0", "output", text=OVERFLOWS),
            where(VALUES_HOLD, matches("scores far above 0", "output")),
            where(VALUES_HOLD, where(HIDDEN_FAR_BELOW, matches("scores far below 0", "output"))),
        ),
        Criterion(
            SHARED,
            0.75,
            EARLIER_COUNTS,
            where(matches("as many groups as heads", "output"), VALUES_HOLD, matches("one group", "output")),
        ),
        Criterion(
            CAUSAL,
            0.75,
            EARLIER_COUNTS,
            unmoved(
                "values",
                "the last token moved",
                "output",
                at=lambda o: o[:, :-1],
                text="the last token changes what earlier ones get",
            ),
            HIDDEN_FAR_BELOW,
        ),
        Criterion(
            IN_PIECES,
            1,
            EARLIER_COUNTS,
            *(
                unmoved("values", name, "output", text="a text in pieces gives another output than in one call")
                for name in PIECES
            ),
        ),
        Criterion(
            CACHE,
            0.75,
            is_true(
                "cache",
                ["keys", "values"],
                lambda keys, values: keys.shape == values.shape == (B, GROUPS, T, WIDTH),
                "the cache is not (keys, values), each [B, g, P, d]",
            ),
            is_true(
                "cache of 3, 1, 3",
                ["keys", "values"],
                lambda keys, values: keys.shape == values.shape == (B, GROUPS, T, WIDTH),
                "after three calls the cache does not hold all tokens",
            ),
            where(VALUES_HOLD, matches("cache", "keys", "values")),
        ),
        Criterion(
            REFUSES,
            0.5,
            raises("10 features, 4 heads", "ValueError", "10", "4"),
            raises("6 heads, 4 groups", "ValueError", "6", "4"),
            raises("heads of width 3", "ValueError", "3"),
        ),
        gradients(0.25, tuple(sizes(GROUPS)), VALUES_HOLD),
        common_criterion(0.5),
    ),
    mistakes=MISTAKES,
    forbidden=("scaled_dot_product_attention", "multihead_attention"),
    right_variants=(
        GroupAxis,
        right(
            "a loop over the heads",
            {
                REPEATED: "heads = range(self.num_heads)",
                MIXED: "parts = [scaled_dot_product(q[:, i], keys[:, i // group], values[:, i // group], mask)[0] for "
                "i in heads]\n"
                "        mixed = torch.stack(parts, dim=1)",
            },
        ),
        right(
            "minus infinity on a mask of tril",
            {
                MASK: "torch.ones(x.shape[1], past + x.shape[1]).tril(past).bool()",
                MIXED: "scores = (q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5).masked_fill(~mask, -torch.inf)\n"
                "        mixed = torch.softmax(scores, dim=-1) @ v",
            },
        ),
    ),
)
