"""CosineWarmupScheduler(optimizer, warmup, max_iters), judged by its table of rates."""

import math

import numpy as np
import torch
from torch.optim.lr_scheduler import LambdaLR

import course_lib.training.schedule as reference
from autograder.catalogue.checks import COMMON, every, fits, is_true, matches, nothing_else_changes, where
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise
from autograder.catalogue.training.cosine_warmup_mistakes import DIGITS, MISTAKES, ROUNDED


def run(g):
    """A run of 23 to 39 iterations, of which 5 to 10 are warm-up; three groups at rates of their own."""
    return {
        "rates": (0.1 + torch.rand(3, generator=g)).tolist(),
        "warmup": int(torch.randint(5, 11, (), generator=g)),
        "max_iters": int(torch.randint(23, 40, (), generator=g)),
    }


CLIMB, FALL = "the climb", "the fall along the cosine"
FALLS = tuple(matches(case, "fall") for case in ("29 iterations", "some run", "one step of warm-up"))
NO_CLIMB, GROUPS = "without warm-up, no climb", "each parameter group keeps its own base rate"


def in_proportion(table, rates):
    """The rates [iterations, groups] move, and those of the groups are always to each other as their base rates."""
    shares = table / np.array(rates)
    return np.ptp(shares) > 1e-3 and np.allclose(shares, shares[:, :1], rtol=1e-4, atol=1e-3)


def is_not_rounded(digits):
    """A rule that the rates, if they move, aren't all numbers with so few decimals."""
    return lambda rates: np.ptp(rates) < 1e-3 or np.abs(rates - np.round(rates, digits)).max() > 1e-6


def by_lambda(optimizer, warmup, max_iters):
    def factor(t):
        return min(1, t / max(1, warmup)) * (1 + math.cos(math.pi * t / max_iters)) / 2

    return LambdaLR(optimizer, factor)


class OnItsOwn:
    """No subclass of torch's: it counts, and writes the rates into the groups."""

    def __init__(self, optimizer, warmup, max_iters):
        self.optimizer, self.warmup, self.max_iters, self.t = optimizer, warmup, max_iters, 0
        self.base_rates = [group["lr"] for group in optimizer.param_groups]
        self.write()

    def write(self):
        factor = 0.5 * (1 + np.cos(np.pi * self.t / self.max_iters))
        if self.t < self.warmup:
            factor *= self.t / self.warmup
        for group, rate in zip(self.optimizer.param_groups, self.base_rates, strict=True):
            group["lr"] = rate * factor

    def step(self):
        self.t += 1
        self.write()


COSINE_WARMUP = Exercise(
    id="CosineWarmupScheduler",
    title="Warm-up and cosine decay",
    reference=reference.CosineWarmupScheduler,
    cases=(
        Case("29 iterations", lambda g: {"rates": [0.3, 0.007], "warmup": 7, "max_iters": 29}),
        Case("some run", run),
        Case("one step of warm-up", lambda g: {"rates": [2.0, 0.05], "warmup": 1, "max_iters": 3}),
        Case("no warm-up", lambda g: {"rates": [0.3], "warmup": 0, "max_iters": 11}),
    ),
    criteria=(
        Criterion(
            CLIMB,
            1,
            *(is_true("29 iterations", ["climb"], is_not_rounded(n), ROUNDED.format(n)) for n in DIGITS),
            *(matches(case, "climb") for case in ("29 iterations", "some run")),
        ),
        Criterion(
            FALL,
            1.5,
            *FALLS,
            is_true("29 iterations", ["fall"], lambda fall: abs(fall[-1]) < 1e-9, "the rate at t = max_iters is not 0"),
        ),
        Criterion(
            NO_CLIMB,
            0.25,
            is_true("no warm-up", ["moves"], bool, "the rate never moves"),
            where(every(*FALLS[:2]), matches("no warm-up", "fall")),
        ),
        Criterion(
            GROUPS,
            0.75,
            *(
                fits(
                    case,
                    ["table"],
                    ["rates"],
                    in_proportion,
                    "the rates of the groups do not have the ratio of their base rates",
                )
                for case in ("29 iterations", "some run")
            ),
        ),
        Criterion(
            COMMON,
            0.5,
            is_true("29 iterations", ["are_numbers"], bool, "a rate is a tensor, expected a number"),
            nothing_else_changes(),
        ),
    ),
    mistakes=MISTAKES,
    forbidden=("cosine_annealing", "OneCycleLR", "get_cosine_schedule_with_warmup"),
    right_variants=(
        by_lambda,
        right(
            "other names and arithmetic",
            {
                "warmup: int, max_iters: int": "warmup_steps, total_steps, last_epoch=-1",
                "self.warmup = warmup": "self.warmup = warmup_steps",
                "self.max_iters = max_iters": "self.max_iters = total_steps",
                "super().__init__(optimizer)": "super().__init__(optimizer, last_epoch)",
                "0.5 * (1 + math.cos(math.pi": "math.cos(0.5 * math.pi",
                "/ self.max_iters))": "/ self.max_iters) ** 2",
                "if t < self.warmup": "if 0 < t <= self.warmup or self.warmup > t",
            },
        ),
        OnItsOwn,
    ),
)
