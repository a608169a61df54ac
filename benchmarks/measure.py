"""One measurement, as `make bench` prints and writes it, and the reason for none; and several at once."""

import functools
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

IMPORTS = 3


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


def limited(benchmark: str, ours: float, limit: float, unit: str) -> dict:
    """An entry whose baseline is a limit on time: its ratio says whether the limit is kept.

    What is recorded and compared is `compared`, the ratio at pace 1, so that a slow day isn't taken for a fall.
    """
    row = entry(benchmark, ours, limit, unit, 1.0)
    return row | {"compared": row["ratio"] * pace()}


@functools.cache
def pace() -> float:
    """CPU seconds that a new Python takes to import torch, the least of three; measured and printed once in a run.

    A rented machine may be half as quick as it was last week, under the same name.
    """
    seconds = min(_import_seconds() for _ in range(IMPORTS))
    print(f"pace: torch is imported in {seconds:.2f} CPU s")
    return seconds


def _import_seconds() -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", "import torch"], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def side_by_side(function: Callable, jobs: Sequence[tuple], processes: int) -> list[Any]:
    """`function(*job)` for each job, in its order; in so many processes at once, but at most one for each core.

    For what takes one thread and is measured in CPU seconds: every job has the same neighbours.
    """
    processes = min(processes, os.cpu_count() or 1)
    if processes == 1:
        return [function(*job) for job in jobs]
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        return list(pool.map(function, *zip(*jobs, strict=True)))
