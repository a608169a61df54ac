"""rotate(x, positions, base=10000.0): pairs of features turned by the position."""

import torch

import course_lib.model.rotary as reference
from autograder.catalogue.checks import fits, is_true, matches, moved, raises, unmoved, where
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise, common_criterion
from autograder.catalogue.language_model.rotate_mistakes import ANGLES, FREQUENCIES, MISTAKES, PAIRS, TURNED
from autograder.catalogue.results import Check, Finding, Results, close, difference

T, D = 7, 6
ANY_ORDER = (13, 1031, 2, 37, 0, 19, 5)
PRECISION = 1e-4  # of an angle of about 50 in float32, and of what is turned by it
NEAR_256 = (256, 257, 259, 301, 3, 255, 258)  # bfloat16 has every second whole number from here on


def tokens(g, *leading, positions=None, width=D, **settings):
    """x [*leading, T, width] at these positions; none given: 0 … T − 1."""
    places = torch.arange(T) if positions is None else torch.tensor(positions)
    return {"x": torch.randn(*leading, T, width, generator=g), "positions": places} | settings


def turned(case: str) -> Check:
    """The right angles, whether neighbours or halves are the pairs."""

    def check(results: Results) -> Finding | None:
        expected, output = results.expected_output(case, "output"), results.output(case, "output")
        ways = (output, results.output(case, "halves"))
        if any(close(actual, expected, results.tolerance(case)) for actual in ways):
            return None
        return Finding(f"output {difference(output, expected)}", case, "output", expected, output)

    return check


def neighbours_keep_their_length(output, x):
    """Each pair of neighbours is as long as before, and none stays where it was, but at position 0."""
    lengths, before = ((o[..., 0::2] ** 2 + o[..., 1::2] ** 2) for o in (output, x))
    stays = abs(output - x).max(axis=(0, 1, 3))  # [T]
    return abs(lengths - before).max() < 1e-3 and (stays[1:] > 1e-2).all()


def by_complex_numbers(x, positions, base=10000.0):
    d = x.shape[-1]
    if d % 2:
        raise ValueError(f"d is {d}, and must be even")
    wide = torch.float64 if x.dtype == torch.float64 else torch.float32
    angles = torch.outer(positions.to(wide), 1.0 / (base ** (torch.arange(0, d, 2)[: d // 2].to(wide) / d)))
    pairs = torch.view_as_complex(x.to(wide).unflatten(-1, (-1, 2)).contiguous())
    return torch.view_as_real(pairs * torch.polar(torch.ones_like(angles), angles)).flatten(-2).to(x.dtype)


def by_matrices(x, positions, base=10000.0):
    d = x.shape[-1]
    assert_even = d % 2 == 0
    if not assert_even:
        raise ValueError(f"cannot pair {d} features")
    wide = torch.float64 if x.dtype == torch.float64 else torch.float32
    bases = torch.as_tensor(base, dtype=wide).expand(d // 2)
    matrices = torch.zeros(len(positions), d, d, dtype=wide)  # [T, d, d]
    for i in range(d // 2):
        angle = positions.to(wide) * bases[i] ** (-2 * i / d)
        matrices[:, 2 * i, 2 * i], matrices[:, 2 * i, 2 * i + 1] = angle.cos(), -angle.sin()
        matrices[:, 2 * i + 1, 2 * i], matrices[:, 2 * i + 1, 2 * i + 1] = angle.sin(), angle.cos()
    return (matrices @ x.to(wide).unsqueeze(-1)).squeeze(-1).to(x.dtype)


RIGHT_ANGLES = turned("from zero")
ANGLES_HOLD = "each pair turned by position · base^(−2i/d)"
NEIGHBOURS, AS_GIVEN, BASES = "pairs are neighbours", "positions as they are given", "a base for each pair"
FLOAT32, ODD = "angles in float32, output in the dtype of x", "an odd width is refused"

ROTATE = Exercise(
    id="rotate",
    title="Rotary positions",
    reference=reference.rotate,
    cases=(
        Case("from zero", lambda g: tokens(g, 2, 3), tolerance=PRECISION),
        Case("no leading axes", lambda g: tokens(g), tolerance=PRECISION),
        Case("another base", lambda g: tokens(g, 2, 3, base=100.0), same_as="from zero", tolerance=PRECISION),
        Case(
            "a base for each pair",
            lambda g: tokens(g, 2, 3, base=torch.tensor([100.0, 5000.0, 300.0])),
            same_as="from zero",
            tolerance=PRECISION,
        ),
        Case("wide", lambda g: tokens(g, 3, width=10), tolerance=PRECISION),
        Case("any order", lambda g: tokens(g, 2, 3, positions=ANY_ORDER), same_as="from zero", tolerance=PRECISION),
        Case(
            "any order again", lambda g: tokens(g, 2, 3, positions=ANY_ORDER), same_as="from zero", tolerance=PRECISION
        ),
        Case("behind 31", lambda g: tokens(g, 2, positions=range(31, 31 + T)), tolerance=PRECISION),
        Case("bfloat16", lambda g: tokens(g, 2, positions=NEAR_256, ask="bfloat16"), tolerance=6e-2),
        Case("width 5", lambda g: tokens(g, 2, width=5)),
        Case("gradient", lambda g: tokens(g, 2, 3, ask="gradient"), tolerance=PRECISION),
    ),
    criteria=(
        Criterion(
            ANGLES_HOLD,
            0.75,
            RIGHT_ANGLES,
            *map(turned, ("no leading axes", "another base", "wide")),
            is_true("gradient", ["of_x"], lambda g: abs(g).max() > 1e-3, "no gradient comes back to x"),
            where(matches("from zero", "output"), matches("gradient", "of_x")),
        ),
        Criterion(
            BASES,
            0.25,
            moved("from zero", "a base for each pair", "output", text="a tensor as base changes nothing"),
            where(turned("another base"), turned("a base for each pair")),
        ),
        Criterion(
            NEIGHBOURS,
            1,
            fits(
                "from zero",
                ["output"],
                ["x"],
                neighbours_keep_their_length,
                "the pairs of features 2i and 2i + 1 do not keep their lengths, or do not turn",
            ),
            where(RIGHT_ANGLES, matches("from zero", "output"), matches("wide", "output")),
        ),
        Criterion(
            AS_GIVEN,
            0.75,
            unmoved(
                "any order", "any order again", "output", text="the same inputs give different numbers in each call"
            ),
            moved("from zero", "any order", "output", text="other positions give the same output"),
            where(RIGHT_ANGLES, turned("any order"), turned("behind 31")),
        ),
        Criterion(
            FLOAT32,
            0.5,
            is_true("bfloat16", ["is_bfloat16"], bool, "a bfloat16 x comes back in another dtype"),
            fits(
                "bfloat16",
                ["output"],
                ["x"],
                lambda output, x: abs(output[:, -1] - x[:, -1]).max() > 0.1 and abs(output).max() > 0.5,
                "position 256 turns nothing",
            ),
            where(turned("any order"), where(matches("from zero", "output"), matches("bfloat16", "output"))),
        ),
        Criterion(ODD, 0.25, raises("width 5", "ValueError", "5")),
        common_criterion(0.5),
    ),
    mistakes=MISTAKES,
    forbidden=("rotary",),
    right_variants=(
        by_complex_numbers,
        by_matrices,
        right(
            "the whole row, and the row with its pairs swapped",
            {
                PAIRS: "swapped = torch.stack([-x[..., 1::2], x[..., 0::2]], dim=-1).flatten(-2)",
                TURNED: "(x * cos.repeat_interleave(2, -1) + swapped * sin.repeat_interleave(2, -1))",
            },
        ),
        right(
            "by exp and log, outer product",
            {
                FREQUENCIES: "torch.exp(-torch.arange(0, d, 2).to(wide) / d * torch.log(torch.tensor(base, "
                "dtype=wide)))",
                ANGLES: "torch.einsum('t,f->tf', positions.to(wide), frequencies)",
            },
        ),
    ),
)
