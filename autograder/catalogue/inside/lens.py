"""logit_lens(states, norm, table, tokens): the log-probability of the next token, read from every state."""

import torch
from torch.nn import functional as F

import course_lib.inside.lens as reference
from autograder.catalogue.checks import finite, is_true, matches, moved, unmoved, where
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise, common_criterion
from autograder.catalogue.inside.lens_mistakes import FOLLOWING, LOGARITHMS, MISTAKES, READ

N, B, T, D, V = 4, 2, 7, 6, 11


def read(g, length=T, scale=1.0, normed=True):
    """States [N, B, T, D], the weight of a norm, a table [V, D] and tokens [B, T]."""
    found = {
        "states": scale * torch.randn(N, B, length, D, generator=g),
        "table": torch.randn(V, D, generator=g),
        "tokens": torch.randint(V, (B, length), generator=g),
        "norm": 1 + torch.rand(D, generator=g),
    }
    return {name: value for name, value in found.items() if normed or name != "norm"}


def state_by_state(states, norm, table, tokens):
    rows = []
    for state in states:
        logits = F.linear(norm(state[:, :-1]), table)  # [B, T - 1, V]
        losses = F.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten(), reduction="none")
        rows.append(-losses.view(len(tokens), -1))
    return torch.stack(rows)


EACH, NORM, LOGS = (
    "the next token, from every state",
    "through the final norm",
    "log-probabilities, finite for large logits",
)
NEXT = matches("no norm", "read")

LOGIT_LENS = Exercise(
    id="logit_lens",
    title="The logit lens",
    reference=reference.logit_lens,
    cases=(
        Case("no norm", lambda g: read(g, normed=False)),
        Case("a norm", read, same_as="no norm"),
        Case("a norm again", read, same_as="no norm"),
        Case("two tokens", lambda g: read(g, length=2, normed=False)),
        Case("large logits", lambda g: read(g, scale=300.0, normed=False), tolerance=1e-2),
    ),
    criteria=(
        Criterion(EACH, 0.75, NEXT, matches("two tokens", "read")),
        Criterion(
            NORM,
            0.5,
            unmoved("a norm", "a norm again", "read", text="the same inputs give different numbers in each call"),
            moved("no norm", "a norm", "read", text="the norm changes nothing"),
            where(NEXT, matches("a norm", "read")),
        ),
        Criterion(
            LOGS,
            0.25,
            is_true(
                "a norm",
                ["read"],
                lambda found: (found < 0).all() and found.min() < -1,
                "these are no log-probabilities, which are below 0",
            ),
            finite("large logits", "read", text="large logits give NaN or infinity"),
            where(NEXT, matches("large logits", "read")),
        ),
        common_criterion(0.5),
    ),
    mistakes=MISTAKES,
    right_variants=(
        state_by_state,
        right(
            "by logsumexp", {LOGARITHMS: "(lambda z: z - z.logsumexp(dim=-1, keepdim=True))(norm(states) @ table.T)"}
        ),
        right(
            "by one_hot",
            {
                READ: "torch.where(torch.nn.functional.one_hot(tokens[:, 1:], len(table)).bool(), "
                "log_probabilities[:, :, :-1], 0).sum(dim=-1)",
            },
        ),
        right("by repeat", {FOLLOWING: "tokens[:, 1:].repeat(len(states), 1, 1).unsqueeze(-1)"}),
    ),
)
