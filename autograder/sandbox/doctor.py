"""What protects the grader here, and what is missing: the list behind `course doctor`."""

import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from autograder.sandbox import sandbox

WORKER = Path(__file__).parents[1] / "worker"  # asked in a process of its own: nothing of it is imported here
FILTER = """
import sys
sys.path.insert(0, sys.argv[1])
from autograder.worker.seccomp import available
sys.exit(not available())
"""
TRIAL = """
import json, sys
sys.path.insert(0, "/stripped")
from autograder.worker.isolate import try_nesting
print(json.dumps(try_nesting()))
"""
INSTALL = "install bubblewrap (Debian and Ubuntu: apt install bubblewrap)"


def describe() -> list[tuple[str, bool, str]]:
    """`(protection, active, detail)` for each thing that stands between a submission and everything else."""
    refused = sandbox.refusal()
    nesting = "needs bubblewrap" if refused else nested()
    apart = nesting.endswith("/proc")
    missing = f"{refused}; {INSTALL}" if refused else "by bubblewrap"
    return [
        ("sandbox", not refused, missing),
        ("no network", not refused, missing),
        ("read-only system", not refused, missing),
        ("home directories, course and answers hidden", not refused, missing),
        ("unprivileged user", *unprivileged(refused)),
        ("submissions isolated from each other and from the server", apart, nesting),
        (
            "warm server",
            hasattr(os, "fork") and (apart or bool(refused)),
            "one fork per submission (otherwise one process)",
        ),
        ("system-call filter", filters(), platform.machine()),
        ("limits on memory, files, output and time", True, "per process by the kernel, in total by the judge"),
        ("limit on the number of processes", True, "counted by the judge every 50 ms"),
    ]


def unprivileged(refused: str) -> tuple[bool, str]:
    """Does student code run as somebody who owns nothing? → (yes or no, who it is)."""
    if os.geteuid():
        return True, "the grading user, without capabilities"
    if not refused and sandbox.becomes_other_user():
        return True, "root switches to a user who owns nothing"
    return False, "runs as root without capabilities; grade as an ordinary user"


def filters() -> bool:
    """Is there a list of system calls for this machine?"""
    command = [sys.executable, "-I", "-S", "-c", FILTER, str(WORKER.parents[1])]
    return not subprocess.run(command, capture_output=True, timeout=20, check=False).returncode


def nested() -> str:
    """Try, inside the sandbox, to give a process its own namespaces; → the result."""
    with tempfile.TemporaryDirectory(prefix="doctor-") as place:
        worker = Path(place) / "stripped" / "autograder" / "worker"
        shutil.copytree(WORKER, worker, ignore=shutil.ignore_patterns("__pycache__"))
        (worker.parent / "__init__.py").touch()
        command = sandbox.bubblewrap([sandbox.python(), "-I", "-S", "-c", TRIAL], worker.parents[1])
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    return json.loads(done.stdout)["nesting"] if not done.returncode else done.stderr.strip()[-300:]
