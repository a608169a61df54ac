"""What goes into a run, and what comes out of it."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class CellToRun:
    """A code cell. With `exercise` it is a locked test cell: its source is not executed, its object is probed."""

    id: str
    source: str
    exercise: str | None = None


@dataclass
class CellRun:
    """How a cell went: `ok`, `error`, `timeout`, `crashed` or `skipped`; `limit` names the limit it hit."""

    id: str
    outputs: list[dict] = field(default_factory=list)
    status: str = "skipped"
    seconds: float = 0.0
    limit: str | None = None


@dataclass
class Found:
    """What an exercise's probe brought back: `ran`, `missing`, `timeout`, `crashed`, `error` or `ungradable`.

    `cases` has a record for every case that was reached: `{"tensors": …}` or `{"error": …}`, each with "calls".
    """

    status: str = "ran"
    cases: dict[str, dict] = field(default_factory=dict)
    seconds: float = 0.0
    limit: str | None = None


@dataclass
class Room:
    """Bytes that are still kept of what a submission shows and computes; `spent`: it showed more."""

    text: int = 16 << 20
    rich: int = 16 << 20
    numbers: int = 128 << 20
    spent: bool = False


@dataclass
class Run:
    """A whole submission: `done`, `timeout` (out of notebook time), `crashed` or `ungradable`.

    `notes` are for a person; `disputed`: what ran beside it may have had a part in a timeout.
    """

    status: str = "done"
    cells: list[CellRun] = field(default_factory=list)
    found: dict[str, Found] = field(default_factory=dict)
    seconds: float = 0.0
    notes: list[str] = field(default_factory=list)
    left: Room = field(default_factory=Room)
    disputed: bool = False

    def cell(self, id: str) -> CellRun | None:
        """How the cell of this id went; None where it was not to be run."""
        return next((cell for cell in self.cells if cell.id == id), None)
