"""masked_mean(x, mask): the mean of the real tokens, whatever the padding holds."""

import torch

import course_lib.model.classifier as reference
from autograder.catalogue.checks import finite, is_true, matches, same_again, unmoved, where
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise, asked_again, common_criterion
from autograder.catalogue.sentences.masked_mean_mistakes import COUNT, FILL, MISTAKES, REAL, RESULT

B, T, D = 3, 7, 5
LENGTHS = (5, 7, 1)
BLANK = 1  # the row that has no tokens where one has none


def vectors(g, mask=torch.bool, padding=None, scattered=False, whole=False, blank=False, rows=B, **settings):
    """x [3, 7, 5], or fewer rows; a mask of a dtype, its padding at the end or anywhere, with other numbers or NaN."""
    x, other = torch.randn(B, T, D, generator=g), 3 + torch.randn(B, T, D, generator=g)
    real = torch.arange(T) < torch.tensor(LENGTHS)[:, None]
    if scattered:
        real = torch.stack([real[row][torch.randperm(T, generator=g)] for row in range(B)])
        real[0, :2] = torch.tensor([False, True])
    if blank:
        real[BLANK] = False
    if not whole:
        x[0, 1], x[1, 2, 3] = 0.0, 0.0  # real, all the same
    if padding == "other":
        x = torch.where(real.unsqueeze(-1), x, other)
    if padding == "NaN":
        x[~real] = float("nan")
    return {"x": x[:rows], "mask": (torch.ones_like(real) if whole else real).to(mask)[:rows]} | settings


def as_a_product(x, mask):
    """Weights that sum to 1, times what has no NaN in it."""
    weights = mask.to(x.dtype) / mask.sum(1, keepdim=True).clamp_min(1).to(x.dtype)
    return torch.einsum("bt,btd->bd", weights, torch.nan_to_num(x))


ALL, UNHEARD, COUNTED = (
    "the mean of all tokens",
    "padding does not affect the result",
    "divided by the tokens that are real",
)
NAN, NONE, KINDS = "the padding may hold NaN", "a row without tokens gives zeros", "a mask of 0 and 1"
BACK = "the gradient goes to the real tokens"
SILENT = unmoved("padding at the end", "other padding", text="the content of the padding changes the mean")
MEAN = matches("no padding")

MASKED_MEAN = Exercise(
    id="masked_mean",
    title="The mean of what is real",
    reference=reference.masked_mean,
    cases=(
        Case("no padding", lambda g: vectors(g, whole=True)),
        Case("one row", lambda g: vectors(g, whole=True, rows=1, axes=True)),
        *asked_again("padding at the end", vectors),
        Case("other padding", lambda g: vectors(g, padding="other"), same_as="padding at the end"),
        Case("NaN in the padding", lambda g: vectors(g, padding="NaN"), same_as="padding at the end"),
        Case("a mask of integers", lambda g: vectors(g, torch.int64), same_as="padding at the end"),
        Case("a mask of floats", lambda g: vectors(g, torch.float32), same_as="padding at the end"),
        Case("padding anywhere", lambda g: vectors(g, scattered=True)),
        Case("a row without tokens", lambda g: vectors(g, blank=True)),
        Case("gradient", lambda g: vectors(g, gradient=True)),
    ),
    criteria=(
        Criterion(ALL, 0.5, MEAN, matches("one row", "axes")),
        Criterion(UNHEARD, 0.75, SILENT),
        Criterion(COUNTED, 0.5, where(MEAN, where(SILENT, matches("padding at the end"), matches("padding anywhere")))),
        Criterion(
            NAN,
            0.25,
            where(SILENT, unmoved("padding at the end", "NaN in the padding", text="NaN in the padding gives NaN")),
        ),
        Criterion(
            NONE,
            0.25,
            where(
                SILENT,
                finite("a row without tokens", text="a row without tokens gives NaN"),
                is_true(
                    "a row without tokens",
                    ["mean"],
                    lambda mean: abs(mean[BLANK]).max() == 0,
                    "a row without tokens is not zero",
                ),
            ),
        ),
        Criterion(
            KINDS,
            0.25,
            unmoved(
                "padding at the end", "a mask of integers", text="the same mask as integers gives different numbers"
            ),
            unmoved("padding at the end", "a mask of floats", text="the same mask as floats gives different numbers"),
        ),
        Criterion(
            BACK,
            0.25,
            is_true("gradient", ["gradient"], lambda grad: abs(grad).max() > 0, "no gradient reaches x"),
            where(matches("padding at the end"), matches("gradient")),
        ),
        common_criterion(0.25, same_again("padding at the end", "mean")),
    ),
    mistakes=MISTAKES,
    right_variants=(
        as_a_product,
        right("by where", {FILL: "torch.where(real, x, 0.0)"}),
        right("NaN replaced at the end", {RESULT: "return torch.nan_to_num(total / real.sum(dim=1))", REAL: REAL}),
        right("counted as floats", {COUNT: "real.to(x.dtype).sum(dim=1).clamp(min=1e-9)"}),
    ),
)
