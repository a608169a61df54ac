"""previous_token_score(attention): how much each head looks at the token just before."""

import course_lib.inside.head_scores as reference
from autograder.catalogue.checks import matches, raises, where
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise, common_criterion
from autograder.catalogue.inside.previous_token_mistakes import BEFORE, MEAN, MISTAKES
from autograder.catalogue.inside.shared import HEADS, attention, one_each


def two_texts(g):
    """Of the first head's weights the first text has the larger ones, of the second's the second text, and so on."""
    weights = attention(g)
    before = weights.diagonal(-1, dim1=-2, dim2=-1).mean(dim=-1)  # [B, h]
    for head, (first, second) in enumerate(before.T):
        if (first > second) == (head % 2 == 1):
            weights[:, head] = weights[:, head].flip(0)
    return {"attention": weights}


def in_a_loop(attention):
    batch, heads, length, _ = attention.shape
    if length < 2:
        raise ValueError(f"no previous token in {length}")
    rows = [attention[:, :, t, t - 1] for t in range(1, length)]  # [B, h] each
    return sum(row.sum(dim=0) for row in rows) / (batch * (length - 1))


PREVIOUS, EACH, REFUSED = (
    "the mean weight on the key one back",
    "one score for each head, over all texts",
    "a single token is refused",
)

PREVIOUS_TOKEN_SCORE = Exercise(
    id="previous_token_score",
    title="The previous token",
    reference=reference.previous_token_score,
    cases=(
        Case("one text, one head", lambda g: {"attention": attention(g, batch=1, heads=1)}),
        Case("two texts", two_texts),
        Case("in both directions", lambda g: {"attention": attention(g, batch=1, heads=1, length=5, causal=False)}),
        Case("two tokens", lambda g: {"attention": attention(g, batch=1, heads=1, length=2)}),
        Case("one token", lambda g: {"attention": attention(g, length=1)}),
    ),
    criteria=(
        Criterion(
            PREVIOUS,
            0.75,
            *(matches(case, "scores") for case in ("one text, one head", "in both directions", "two tokens")),
        ),
        Criterion(
            EACH,
            0.5,
            one_each("two texts", "scores", (HEADS,)),
            where(matches("one text, one head", "scores"), matches("two texts", "scores")),
        ),
        Criterion(REFUSED, 0.25, raises("one token", "ValueError", "1")),
        common_criterion(0.5),
    ),
    mistakes=MISTAKES,
    right_variants=(
        in_a_loop,
        right("by slices", {BEFORE: "attention[:, :, 1:, :-1].diagonal(dim1=2, dim2=3)"}),
        right("by einsum", {BEFORE: 'torch.einsum("bhtt->bht", attention[:, :, 1:, :-1])'}),
        right(
            "by a shifted identity",
            {
                BEFORE: "attention * torch.ones(length, length).tril(-1).triu(-1)",
                MEAN: "before.sum(dim=(0, 2, 3)) / (len(attention) * (length - 1))",
            },
        ),
    ),
)
