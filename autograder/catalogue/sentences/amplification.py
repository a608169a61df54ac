"""amplification(corpus_share, predicted_share): how much more one-sided the model is than its texts."""

import numpy as np
import torch

import course_lib.tasks.bias as reference
from autograder.catalogue.checks import COMMON, is_true, matches, nothing_else_changes, where
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise
from autograder.catalogue.sentences.amplification_mistakes import MISTAKES, ONE_SIDED

NAMES = ("cooking", "reading", "fishing", "welding", "dancing")


def shares(g, kind, names=NAMES, balanced=False):
    """Two dicts of five activities, the second in another order; more one-sided, less, or on the other side.

    `balanced`: of the first activity the texts have a share of one half.
    """
    side = torch.where(torch.rand(len(names), generator=g) < 0.5, -1.0, 1.0)
    side[:2] = torch.tensor([-1.0, 1.0])
    near = 0.05 + 0.1 * torch.rand(len(names), generator=g)  # |share − ½| of the less one-sided one
    if balanced:
        near[0] = 0.0
    far = near + 0.05 + 0.2 * torch.rand(len(names), generator=g)
    corpus, predicted = {
        "more": (side * near, side * far),
        "less": (side * far, side * near),
        "flipped": (side * near, -side * far),
        "flipped, less": (side * far, -side * near),
    }[kind]
    known, said = ([round(0.5 + value, 4) for value in values.tolist()] for values in (corpus, predicted))
    given = list(zip(names, said, strict=True))
    return {"corpus_share": dict(zip(names, known, strict=True)), "predicted_share": dict(given[::-1])}


def in_a_loop(truth, guess):
    result = {}
    for name in guess:
        more = np.abs(guess[name] - 0.5) - np.abs(truth[name] - 0.5)
        result[name] = 100 * more if more > 0 else 0
    return result


POINTS, NEVER_LESS, FLIPPED = (
    "percentage points where it is more one-sided",
    "0 where it is not",
    "the side does not matter",
)
EVERY = "every activity by its name"
MORE = matches("more one-sided", "points")

AMPLIFICATION = Exercise(
    id="amplification",
    title="More one-sided than the texts",
    reference=reference.amplification,
    cases=(
        Case("more one-sided", lambda g: shares(g, "more")),
        Case("less one-sided", lambda g: shares(g, "less")),
        Case("on the other side", lambda g: shares(g, "flipped")),
        Case("on the other side, less", lambda g: shares(g, "flipped, less")),
        Case("two activities, one balanced", lambda g: shares(g, "more", NAMES[:2], balanced=True)),
    ),
    criteria=(
        Criterion(POINTS, 1, MORE),
        Criterion(
            NEVER_LESS,
            0.25,
            *(
                is_true(case, ["points"], lambda points: abs(points).max() < 1e-9, f"{case}, the result is not 0")
                for case in ("less one-sided", "on the other side, less")
            ),
        ),
        Criterion(
            FLIPPED,
            0.25,
            where(MORE, matches("on the other side", "points")),
            is_true(
                "on the other side",
                ["points"],
                lambda points: np.isfinite(points).all(),
                "the other side gives no number",
            ),
        ),
        Criterion(
            EVERY,
            0.25,
            matches("more one-sided", "activities"),
            where(MORE, matches("two activities, one balanced", "activities")),
        ),
        Criterion(COMMON, 0.25, nothing_else_changes()),
    ),
    mistakes=MISTAKES,
    right_variants=(
        in_a_loop,
        right(
            "by abs of a difference of two",
            {ONE_SIDED: "abs(2 * predicted_share[activity] - 1) / 2 - abs(2 * share - 1) / 2"},
        ),
    ),
)
