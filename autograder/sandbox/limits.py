"""What one submission may use."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Sizes in bytes, times in seconds. All hold for one submission, `cell_seconds` and `output` for one cell.

    Times are a submission's own (`autograder/sandbox/clock.py`): what others take from it does not count, and all its
    processes together have that much processor time.
    """

    memory: int = 2 << 30
    cell_seconds: float = 60.0
    notebook_seconds: float = 300.0
    processes: int = 32
    output: int = 1_000_000
    files: int = 64 << 20
