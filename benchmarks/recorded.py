"""The ratios of the last recorded run on each processor, which later runs on it are compared with: `recorded.json`.

Between two processors a ratio may differ by half: one multiplies in bfloat16, the other runs Python more quickly.
"""

import json
import subprocess
from datetime import UTC, datetime
from pathlib import Path

from autograder.files import write_whole

FILE = Path(__file__).with_name("recorded.json")
CPUINFO = Path("/proc/cpuinfo")
LEAST = 0.85  # of the recorded ratio: one that is lower than this has fallen


def where_and_when() -> dict[str, str]:
    """The day, the processor and the commit of a run."""
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False)
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "processor": processor(),
        "commit": commit.stdout.strip() or "unknown",
    }


def processor() -> str:
    """The processor's name and family, whether it has AMX, and the number of its cores that this machine has.

    A rented machine hides the rest of the name: what it calls `AMD EPYC` is of one generation or the next. It may
    hide AMX, too, and then wide layers aren't multiplied in bfloat16.
    """
    lines = CPUINFO.read_text().splitlines() if CPUINFO.exists() else []
    said = [(key.strip(), value.strip()) for key, _, value in (line.partition(":") for line in lines)]
    names = [value for key, value in said if key == "model name"]
    core = dict(said)  # the last of them: all are alike
    amx = ", AMX" if "amx_bf16" in core.get("flags", "").split() else ""
    return f"{names[0]}, family {core.get('cpu family')}{amx}, {len(names)} cores" if names else "unknown"


def recorded(on: str | None = None) -> dict:
    """What was recorded on a processor, this one if none is named; at first, no ratios.

    Returns:
        `{"date", "commit", "ratios": {benchmark: ratio}}`.
    """
    return _all().get(on or processor(), {"ratios": {}})


def record(entries: list[dict], run: dict[str, str]) -> None:
    """Make these the recorded ratios of the run's processor; a benchmark that was not measured keeps the one it has."""
    on = run["processor"]
    ratios = recorded(on)["ratios"] | {entry["benchmark"]: round(_compared(entry), 3) for entry in entries}
    records = _all() | {on: {"date": run["date"], "commit": run["commit"], "ratios": ratios}}
    write_whole(FILE, (json.dumps(records, indent=2) + "\n").encode())


def _all() -> dict[str, dict]:
    """Processor → what was recorded on it."""
    return json.loads(FILE.read_text("utf-8")) if FILE.exists() else {}


def fallen(entries: list[dict], ratios: dict[str, float]) -> dict[str, float]:
    """The benchmarks whose ratio is more than 15 % below the recorded one: name → what is left of it.

    >>> rows = [{"benchmark": "a", "ratio": 1.6}, {"benchmark": "b", "ratio": 1.8}, {"benchmark": "new", "ratio": 0.1}]
    >>> fallen(rows, {"a": 2.0, "b": 2.0})
    {'a': 0.8}
    """
    known = [(row["benchmark"], _compared(row)) for row in entries if row["benchmark"] in ratios]
    shares = {name: ratio / ratios[name] for name, ratio in known}
    return {name: share for name, share in shares.items() if share < LEAST}


def _compared(entry: dict) -> float:
    """The ratio; where the baseline is a limit on time, the ratio at pace 1 (`measure.limited`)."""
    return entry.get("compared", entry["ratio"])
