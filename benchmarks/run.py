"""`make bench`: run the benchmarks, print their ratios as a table, and write build/bench.json.

    python -m benchmarks.run [NAME …]

Every ratio says how many times better ours is than its baseline, measured in the same run.
"""

import importlib
import json
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

from autograder.files import write_whole

BENCHMARKS = (
    "grading",
    "grading_phases",
    "grading_scale",
    "grading_hostile",
    "grading_single_slips",
    "training_reverse",
    "training_time_to_accuracy",
    "training_anomaly",
    "training_digits",
    "training_parts",
    "training_translation",
    "training_gpu",
    "words",
)
FIELDS = ("benchmark", "ours", "baseline", "unit", "ratio", "target")


def main(names: list[str]) -> int:
    """Run the named benchmarks, or all; 2 for an unknown name."""
    console = Console()
    if unknown := [name for name in names if name not in BENCHMARKS]:
        console.print(f"There is no benchmark {unknown[0]}; there are {', '.join(sorted(BENCHMARKS))}.")
        return 2
    entries = []
    for name in names or BENCHMARKS:
        console.print(f"{name} …")
        entries += importlib.import_module(f"benchmarks.{name}").run()
        write_whole(Path("build/bench.json").resolve(), (json.dumps(entries, indent=2) + "\n").encode())
    table = Table(*FIELDS)
    for entry in entries:
        cells = (entry.get(field) for field in FIELDS)
        table.add_row(*(f"{cell:.3g}" if isinstance(cell, float) else str(cell) for cell in cells))
    console.print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
