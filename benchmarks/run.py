"""`make bench`: run the benchmarks, print their ratios as a table, and write build/bench.json.

    python -m benchmarks.run [--record] [NAME …]

Each ratio says how many times better ours is than its baseline, measured in the same run. What has fallen by more than
15 % since the recorded run on the same processor is printed; the exit code is 1 when the same benchmark had fallen in
the run before, too, or when a benchmark failed, and 130 after Ctrl-C. `--record` makes this run the recorded one.
"""

import importlib
import json
import sys
import time
import traceback
from collections.abc import Callable, Iterable
from pathlib import Path

from rich.console import Console
from rich.table import Table

from autograder.files import write_whole
from benchmarks.measure import Skipped
from benchmarks.recorded import fallen, record, recorded, where_and_when

BENCHMARKS = (
    "grading",
    "grading_phases",
    "grading_scale",
    "grading_hostile",
    "grading_single_mistakes",
    "grading_jax",
    "training_reverse",
    "training_time_to_accuracy",
    "training_anomaly",
    "training_digits",
    "training_parts",
    "training_translation",
    "language_writing",
    "training_induction",
    "training_gpu",
    "words",
    # the longest last: up to twenty minutes each
    "training_language",
    "training_language_curves",
    "training_pieces",
    "training_language_parts",
)
FIELDS = ("benchmark", "ours", "baseline", "unit", "ratio", "target")
RESULTS = Path("build/bench.json")


class Run:
    """One run: what has been measured so far, and what failed."""

    def __init__(self, console: Console, find: Callable[[str], Callable[[], list[dict]]]):
        self.console, self.find, self.about = console, find, where_and_when()
        self.entries: list[dict] = []
        self.failed: list[str] = []
        self.earlier: list[str] = json.loads(RESULTS.read_text("utf-8")).get("fallen", []) if RESULTS.exists() else []

    def measure(self, name: str) -> None:
        """Run one benchmark. If it fails, its traceback is printed and the run goes on."""
        self.console.print(f"{name} …")
        began = time.monotonic()
        try:
            self.entries += self.find(name)()
        except Skipped as reason:
            self.console.print(f"  skipped: {reason}")
        except Exception:
            traceback.print_exc()
            self.failed.append(name)
        self.console.print(f"  {time.monotonic() - began:.0f} s")
        self.write()

    def write(self) -> None:
        """Write the figures so far. What fell stays noted until it has been measured again."""
        measured = {entry["benchmark"] for entry in self.entries}
        fell = [*fallen(self.entries, recorded()["ratios"]), *(name for name in self.earlier if name not in measured)]
        results = self.about | {"entries": self.entries, "failed": self.failed, "fallen": fell}
        write_whole(RESULTS.resolve(), (json.dumps(results, indent=2) + "\n").encode())

    def report(self) -> int:
        """Print the table, what has fallen and what failed; → the exit code."""
        table = Table(*FIELDS)
        for entry in self.entries:
            cells = (entry.get(field) for field in FIELDS)
            table.add_row(*(f"{cell:.3g}" if isinstance(cell, float) else str(cell) for cell in cells))
        self.console.print(table)
        last = recorded()
        if not last["ratios"]:
            self.console.print(f"Nothing is recorded on this processor ({self.about['processor']}) to compare with.")
        now = fallen(self.entries, last["ratios"])
        for name, share in now.items():
            again = " It had fallen in the run before, too." if name in self.earlier else ""
            self.console.print(f"{name}: {100 * share:.0f} % of the ratio recorded on {last['date']}.{again}")
        if self.failed:
            self.console.print(f"Failed: {', '.join(self.failed)}.")
        return int(bool(self.failed or set(now) & set(self.earlier)))


def benchmark(name: str) -> Callable[[], list[dict]]:
    """The function that runs a benchmark; its module is imported only now."""
    return importlib.import_module(f"benchmarks.{name}").run


def main(words: list[str], known: Iterable[str] = BENCHMARKS, find: Callable = benchmark) -> int:
    """Run the named benchmarks, or all that are `known`; 2 for an unknown name."""
    console = Console()
    names = [word for word in words if word != "--record"]
    if unknown := [name for name in names if name not in known]:
        console.print(f"There is no benchmark {unknown[0]}; there are {', '.join(sorted(known))}.")
        return 2
    run = Run(console, find)
    try:
        for name in names or known:
            run.measure(name)
    except KeyboardInterrupt:
        run.write()
        run.report()
        console.print("Stopped: these are the figures so far.")
        return 130
    code = run.report()
    if "--record" in words:
        record(run.entries, run.about)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
