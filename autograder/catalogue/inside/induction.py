"""induction_score(attention, tokens): how much each head looks at what followed the same token earlier."""

import torch

import course_lib.inside.head_scores as reference
from autograder.catalogue.checks import fits, matches, raises, where
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise, common_criterion
from autograder.catalogue.inside.induction_mistakes import ASKED, FOUND, MISTAKES, SHIFTED, TARGETS
from autograder.catalogue.inside.shared import HEADS, attention, one_each, same_up_to

ONCE_MORE = (3, 1, 4, 5, 1, 9, 3, 2, 4)  # three tokens come a second time, after 3, 6 and 6
OFTEN = (3, 1, 4, 1, 3, 1, 1, 4, 3)
OF_TOKEN_0 = (3, 0, 4, 5, 0, 9, 3, 2, 4)  # a token like any other
NEVER = (0, 1, 2, 3, 4, 5, 6, 7, 8)


def read(g, *texts, **settings):
    """Attention [B, h, T, T] to texts of one length."""
    tokens = torch.tensor(texts)
    return {"attention": attention(g, len(texts), length=tokens.shape[1], **settings), "tokens": tokens}


def in_a_loop(attention, tokens):
    per_query = []
    for b, text in enumerate(tokens.tolist()):
        for t, token in enumerate(text):
            targets = [j for j in range(1, t + 1) if text[j - 1] == token]
            if targets:
                per_query.append(attention[b, :, t, targets].sum(dim=-1))
    if not per_query:
        raise ValueError("nothing repeats")
    return torch.stack(per_query).mean(dim=0)


FOLLOWED, BEHIND = "what followed the same token, in any text", "no key after the query"
SUM, MEAN = "the sum over all targets", "the mean over the asked queries of all texts"
REFUSED = "a text without repeats is refused"
RIGHT_TARGETS = same_up_to("each twice", "scores", 1, "the scores are wrong, even up to a common factor")


def below_the_sum(scores, attention):
    """Scores of weights, none above the largest sum that a row can have."""
    return scores.shape == (HEADS,) and (scores > 1e-3).all() and (scores <= attention.sum(axis=-1).max() + 1e-4).all()


INDUCTION_SCORE = Exercise(
    id="induction_score",
    title="Induction heads",
    reference=reference.induction_score,
    cases=(
        Case("each twice", lambda g: read(g, ONCE_MORE)),
        Case("one period", lambda g: read(g, (5, 2, 7, 1, 5, 2, 7, 1))),
        Case("in both directions", lambda g: read(g, ONCE_MORE, causal=False)),
        Case("often", lambda g: read(g, OFTEN)),
        Case("three texts", lambda g: read(g, OFTEN, NEVER, ONCE_MORE)),
        Case("the first text has no repeats", lambda g: read(g, NEVER, OF_TOKEN_0)),
        Case("nothing repeats", lambda g: read(g, NEVER, NEVER[::-1])),
    ),
    criteria=(
        Criterion(
            FOLLOWED,
            2,
            RIGHT_TARGETS,
            same_up_to(
                "one period", "scores", 1, "in a text of one period the scores are wrong, even up to a common factor"
            ),
        ),
        Criterion(
            BEHIND,
            0.5,
            one_each("in both directions", "scores", (HEADS,)),
            where(
                RIGHT_TARGETS,
                same_up_to(
                    "in both directions",
                    "scores",
                    1,
                    "with weights on keys after the query the scores are wrong, even up to a common factor",
                ),
            ),
        ),
        Criterion(
            SUM,
            0.75,
            one_each("often", "scores", (HEADS,)),
            where(
                RIGHT_TARGETS,
                same_up_to(
                    "often", "scores", 1, "with several targets the scores are wrong, even up to a common factor"
                ),
            ),
        ),
        Criterion(
            MEAN,
            1,
            fits("each twice", ["scores"], ["attention"], below_the_sum, "not one weight above 0 for each head"),
            where(
                RIGHT_TARGETS,
                matches("each twice", "scores"),
                where(
                    same_up_to("often", "scores", 1, ""),
                    matches("often", "scores"),
                    matches("three texts", "scores"),
                    matches("the first text has no repeats", "scores"),
                ),
            ),
        ),
        Criterion(REFUSED, 0.25, raises("nothing repeats", "ValueError")),
        common_criterion(0.5),
    ),
    mistakes=MISTAKES,
    right_variants=(
        in_a_loop,
        right(
            "shifted by rolling the tokens",
            {
                "tokens.unsqueeze(2) == tokens.unsqueeze(1)": "tokens.unsqueeze(2) == tokens.roll(1, "
                "dims=1).unsqueeze(1)",
                "torch.zeros_like(same)\n    targets[:, :, 1:] = same[:, :, :-1]": "same.clone()\n    "
                "targets[:, :, 0] = False",
            },
        ),
        right(
            "padded in front",
            {
                "torch.zeros_like(same)": "torch.nn.functional.pad(same[:, :, :-1], (1, 0))",
                SHIFTED: "pass",
            },
        ),
        right(
            "all sums, divided by their number",
            {
                FOUND: "torch.einsum('bhqk,bqk->h', attention, targets.to(attention.dtype))",
                "found.transpose(0, 1)[:, asked].mean(dim=-1)": "found / asked.sum()",
            },
        ),
        right("triangle first", {TARGETS: "targets & torch.ones_like(targets).tril()", ASKED: "targets.sum(-1) > 0"}),
    ),
)
