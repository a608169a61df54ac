"""One measurement, as `make bench` prints and writes it, and the reason for none; and several at once."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any


class Skipped(Exception):
    """This machine cannot run a benchmark; the message says what is missing."""


def entry(
    benchmark: str, ours: float, baseline: float, unit: str, target: float | None, more_is_better: bool = False
) -> dict:
    """A dictionary with the ratio: how many times better ours is, and what it should be at least (None: no target).

    >>> entry("reverse", ours=2.0, baseline=5.0, unit="s", target=2.3)["ratio"]
    2.5
    """
    ratio = ours / baseline if more_is_better else baseline / ours
    return {
        "benchmark": benchmark,
        "ours": ours,
        "baseline": baseline,
        "unit": unit,
        "ratio": ratio,
        "target": target,
    }


def side_by_side(function: Callable, jobs: Sequence[tuple], processes: int) -> list[Any]:
    """`function(*job)` for each job, in its order; in so many processes at once, but at most one for each core.

    For what takes one thread and is measured in CPU seconds: every job has the same neighbours.
    """
    processes = min(processes, os.cpu_count() or 1)
    if processes == 1:
        return [function(*job) for job in jobs]
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        return list(pool.map(function, *zip(*jobs, strict=True)))
