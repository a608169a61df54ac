"""The table of limits, from their declaration."""

from dataclasses import fields

from autograder.sandbox.limits import Limits

MEANS = {
    "memory": "bytes of memory, all processes of a submission together",
    "cell_seconds": "seconds of its own for one cell, and for the judging of one exercise",
    "notebook_seconds": "seconds of its own for the whole submission; waiting for a processor does not count",
    "processes": "processes and threads",
    "output": "bytes of text from one cell; what goes beyond is cut",
    "files": "bytes that it may write",
}


def table() -> str:
    """Name, default, meaning."""
    rows = [f"| `{limit.name}` | {shown(limit.default)} | {MEANS[limit.name]} |" for limit in fields(Limits)]
    return "\n".join(["| limit | default | what |", "|---|---|---|", *rows, ""])


def shown(value: float) -> str:
    """A number as people write it.

    >>> shown(2 << 30), shown(60.0), shown(1_000_000)
    ('2 GiB', '60', '1,000,000')
    """
    for unit, size in (("GiB", 1 << 30), ("MiB", 1 << 20)):
        if value >= size and value % size == 0:
            return f"{value // size} {unit}"
    return f"{value:,g}" if value < 1e6 else f"{value:,}"
