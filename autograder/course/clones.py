"""`course collect FOLDER`: from clones of the students' repositories, as GitHub Classroom makes them, to submitted/.

A clone is somebody else's: its files are read in the reading room, and git runs without
hooks, pagers or a network.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

from autograder.below import files_below
from autograder.course.collect import Collected
from autograder.course.lms_lists import STUDENT_ID
from autograder.course.roster import strangers
from autograder.directory.course import Course
from autograder.directory.deadlines import read_deadlines
from autograder.errors import CourseError
from autograder.exports.class_list import class_of
from autograder.exports.names_in_zips import pattern_for
from autograder.files import write_whole
from autograder.grading.attempts import keep
from autograder.grading.handed_in import STAMP, handed_in
from autograder.grading.reading_room import NotReadable, read
from autograder.repair.reading import MAX_BYTES
from autograder.shorten_list import shorten_list

NAMED = 3
SECONDS = 60  # for git to look through one history
QUIET_GIT = ("-c", "protocol.allow=never", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null")
ALONE = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_NO_LAZY_FETCH": "1", "GIT_PAGER": "cat"}
SKIPPED = (".git", ".ipynb_checkpoints")


def collect_clones(
    course: Course, stage: str, folder: Path, pattern: str | None = None, update: bool = False
) -> Collected:
    """Take the stage's notebook out of each clone in `folder`, with the time of the commit that last changed it.

    Args:
        pattern: a regular expression for the names of the clones, with `(?P<student_id>…)`.
        update: replace submissions that are there already.

    Raises:
        CourseError: no clone, no git, or a pattern of no use.
    """
    clones = sorted(path for path in folder.iterdir() if path.is_dir() and not path.is_symlink())
    if not clones:
        raise CourseError(
            f"{folder} contains no folders; pass the folder into which you cloned the students' repositories."
        )
    if shutil.which("git") is None:
        raise CourseError("git is not installed here: it says when a notebook was committed.")
    named = None if pattern is None else re.compile(pattern_for((), pattern))
    placed: list[str] = []
    same: list[str] = []
    left: list[str] = []
    for clone in clones:
        student = _student(course, stage, clone.name, named)
        try:
            if student is None:
                raise NotReadable("its name does not say whose it is (see --pattern)")
            if student in (*placed, *same):
                raise NotReadable(f"{student} has another clone")
            notebook = _notebook(clone, stage)
            when = _committed(clone, notebook)
            data = read(clone, notebook, MAX_BYTES)
        except NotReadable as why:
            left.append(f"{clone.name}: {why}".rstrip("."))
            continue
        there = course.submitted_file(stage, student)
        if there.exists() and there.read_bytes() == data:
            same.append(student)
        elif there.exists() and not update:
            left.append(f"{clone.name}: {student} has handed in already (--update replaces it)")
        else:
            if read_deadlines(course):
                keep(course, stage, student, handed_in(course, stage, student))
            write_whole(there, data)
            write_whole(there.with_name(STAMP), when.encode())
            placed.append(student)
    return Collected(tuple(placed), tuple(same), tuple(left), (), (), (), strangers(course, placed))


def _student(course: Course, stage: str, name: str, pattern: re.Pattern | None) -> str | None:
    """Whose clone it is: by the pattern, else by the longest id of the class that ends the name, else by its end."""
    if pattern:
        found = pattern.search(name)
        claimed = found["student_id"] if found else None
    elif people := class_of(course):
        lower = name.casefold()
        keys = {key.casefold(): person.id for person in people for key in (person.lms_user_id, person.id) if key}
        ends = [key for key in keys if lower == key or lower.endswith(f"-{key}")]
        claimed = keys[max(ends, key=len)] if ends else None
    else:
        assignment = re.match(rf"{re.escape(stage).replace('_', '[-_]')}-", name, re.IGNORECASE)
        claimed = name[assignment.end() :] if assignment else None
    return claimed if claimed and STUDENT_ID.fullmatch(claimed) else None


def _notebook(clone: Path, stage: str) -> Path:
    """The stage's notebook in a clone; a `NotReadable` where there is none, or several."""
    found = sorted(path for path in files_below(clone, SKIPPED) if path.name == f"{stage}.ipynb")
    if len(found) != 1:
        shown = shorten_list([path.relative_to(clone).as_posix() for path in found], NAMED)
        raise NotReadable(f"several notebooks may be meant ({shown})" if found else f"no {stage}.ipynb in it")
    return found[0]


def _committed(clone: Path, notebook: Path) -> str:
    """When the notebook was last changed, as git has it."""
    path = notebook.relative_to(clone).as_posix()
    command = ["git", *QUIET_GIT, "-C", str(clone), "rev-list", "-1", "--no-commit-header", "--format=%cI", "HEAD"]
    try:
        done = subprocess.run(
            [*command, "--", path],
            env=os.environ | ALONE,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            stdin=subprocess.DEVNULL,
        )
    except subprocess.TimeoutExpired:
        raise NotReadable("git took too long over its history") from None
    if done.returncode or not (clone / ".git").exists():
        raise NotReadable("a clone without commits, or none")
    if not done.stdout.strip():
        raise NotReadable(f"{path} was never committed")
    return done.stdout.strip()
