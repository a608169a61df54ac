"""What a class of 200 costs a teacher: collect, grade, report, feedback, export, each as the command is typed.

    python -m benchmarks.term [STUDENTS]

Printed and not recorded: there is no baseline to hold against it.
"""

import os
import sys
import tempfile
import time
import zipfile
from itertools import cycle, islice
from pathlib import Path

from autograder.course.demo.submissions import CLASS
from autograder.directory.course import Course
from benchmarks.synthetic_class import BIN, HONEST, STAGE, names, new_course, signed

SAMPLED_EVERY = 0.02  # seconds
STEPS = (
    ("roster", "roster", "class.csv"),
    ("collect", "collect", "canvas.zip", STAGE),
    ("grade", "grade", STAGE, "--jobs", "2"),
    ("grade again, nothing new", "grade", STAGE, "--jobs", "2"),
    ("report", "report", STAGE),
    ("term report", "report"),
    ("feedback", "export", STAGE, "--to", "canvas-feedback"),
    ("grades", "export", STAGE, "--to", "canvas"),
)


def run(count: int = 200) -> list[tuple[str, float, float, float]]:
    """(step, seconds, CPU seconds without the sandbox's, MiB of the largest process) of a class of so many students."""
    found = []
    with tempfile.TemporaryDirectory(prefix="term-") as folder:
        root = Path(folder)
        course = new_course(root / "course")
        _hand_in(course, root, count)
        os.chdir(root)
        for name, *words in STEPS:
            found.append((name, *_cost([*words, "--course", str(course.root)])))
            print("{:26} {:7.1f} s {:7.1f} CPU s {:7.0f} MiB".format(*found[-1]), flush=True)
        made = sum(path.stat().st_size for path in course.root.rglob("*") if path.is_file())
        print(f"{count} students; the course directory then has {made / 2**20:.0f} MiB")
    return found


def _hand_in(course: Course, root: Path, count: int) -> None:
    """A class list, and the zip that Canvas would give out."""
    release, kinds = course.release(STAGE), [handed for handed in CLASS if handed.student in HONEST]
    rows = ["id,first_name,last_name,email,lms_user_id"]
    with zipfile.ZipFile(root / "canvas.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for number, (student, handed) in enumerate(zip(names(count), islice(cycle(kinds), count), strict=True)):
            rows.append(f"{student},First{number},Last{number},{student}@uni.example,{1000 + number}")
            page = signed(handed, student, release)
            archive.writestr(f"last{number}first{number}_{1000 + number}_{5000 + number}_{STAGE}.ipynb", page)
    (root / "class.csv").write_text("\n".join(rows) + "\n", "utf-8")


def _cost(words: list[str]) -> tuple[float, float, float]:
    began = time.monotonic()
    process = os.posix_spawn(BIN / "course", [str(BIN / "course"), *words], os.environ, file_actions=_QUIET)
    peak, ended = 0, 0
    while not ended:
        peak = max(peak, *map(_peak, _family(process)))
        ended, status, used = os.wait4(process, os.WNOHANG)
        time.sleep(0 if ended else SAMPLED_EVERY)
    if status:
        raise RuntimeError(f"course {' '.join(words)} failed")
    return time.monotonic() - began, used.ru_utime + used.ru_stime, peak / 1024


def _family(process: int) -> list[int]:
    """The ids of a process and its descendants, as far as they are still there."""
    try:
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:
        return [process]
    return [process, *(one for child in children for one in _family(int(child)))]


def _peak(process: int) -> int:
    """The most KiB that a process has had so far; 0 once it has ended.

    wait4's ru_maxrss is no use: a spawned process starts with the peak of the one that spawned it.
    """
    try:
        lines = Path(f"/proc/{process}/status").read_text().split("\n")
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("VmHWM:")), 0)


_QUIET = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]

if __name__ == "__main__":
    run(*map(int, sys.argv[1:]))
