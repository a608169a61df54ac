"""Every hand-in is kept in attempts/STUDENT/STAGE/; with `attempts = "best"` the best one is laid into submitted/.

So nbgrader, the formgrader and every export see the hand-in that counts, and know nothing of the others.
"""

import hashlib
from collections import defaultdict
from collections.abc import Callable
from contextlib import closing
from datetime import datetime
from pathlib import Path

from autograder.counted import counted
from autograder.directory.course import Course
from autograder.directory.deadlines import Deadlines, read_deadlines
from autograder.files import write_whole
from autograder.grading.context import Contexts
from autograder.grading.handed_in import LATE, SECRET, STAMP, HandedIn, found_in, handed_in, timestamp
from autograder.grading.pool import local
from autograder.grading.task import grade_bytes

UNDATED = "undated"


def settle_attempts(
    course: Course,
    stage: str,
    students: list[str],
    jobs: int = 1,
    sandbox: str | None = None,
    spread: Callable | None = None,
) -> list[str]:
    """Keep what was handed in, and choose what counts; → a sentence for everybody whose latest hand-in does not."""
    deadlines = read_deadlines(course)
    if deadlines is None:
        return []
    for student in students:
        keep(course, stage, student, handed_in(course, stage, student))
    if deadlines.attempts == "latest":
        return []
    several = {student: found for student in students if len(found := kept(course, stage, student)) > 1}
    if not several:
        return []
    contexts = Contexts(course, stage, sandbox)
    tasks = [
        ((student, number), (contexts.of(student), attempt.data, course.private))
        for student, attempts in several.items()
        for number, attempt in enumerate(attempts)
    ]
    points: defaultdict[str, dict[int, float]] = defaultdict(dict)
    for at_once in (
        len(tasks) if spread else min(jobs, len(tasks)),
        1,
    ):  # what others may have held up, once more alone
        if not tasks:
            break
        disputed = []
        with closing((spread or local)(grade_bytes, iter(tasks), at_once)) as outcomes:
            for (student, number), outcome in outcomes:
                points[student][number] = -1.0
                if isinstance(outcome, dict):
                    if outcome["submission"]["status"] != "ungradable":
                        points[student][number] = outcome["submission"]["score"]
                    disputed += [(student, number)] if outcome["disputed"] else []
        tasks = [task for task in tasks if task[0] in disputed and at_once > 1]
    return [said for s, attempts in several.items() if (said := _lay(course, stage, s, attempts, points[s], deadlines))]


def keep(course: Course, stage: str, student: str, given: HandedIn) -> None:
    """Keep a hand-in that can be read, once."""
    if given.refused or student == ".." or Path(student).name != student:  # the exchange's names are anybody's
        return
    when = timestamp(given.stamp)
    name = (
        f"{f'{when:%Y-%m-%d_%H-%M-%S}' if when else UNDATED}-{hashlib.sha256(given.stamp + given.data).hexdigest()[:8]}"
    )
    folder = course.root / "attempts" / student / stage / name
    if not folder.exists():
        for beside, content in given.beside.items():
            write_whole(folder / beside, content)
        write_whole(folder / f"{stage}.ipynb", given.data)


def kept(course: Course, stage: str, student: str) -> list[HandedIn]:
    """The hand-ins of a student that can be read, the earliest first; those without a time before all others."""
    folders = (course.root / "attempts" / student / stage).glob("*/")
    found = [found_in(course.root, folder, stage) for folder in sorted(folders)]
    return sorted((one for one in found if not one.refused), key=lambda one: timestamp(one.stamp) or datetime.min)


def _lay(
    course: Course, stage: str, student: str, attempts: list[HandedIn], points: dict[int, float], deadlines: Deadlines
) -> str:
    """Put the best attempt into submitted/: of equals the earliest."""
    from autograder.grading.lateness import penalties  # with nbgrader, 0.7 s of CPU time

    stamps = [timestamp(attempt.stamp) for attempt in attempts]
    taken = penalties(course, stage, student, [(points[n], stamps[n]) for n in range(len(attempts))], deadlines)
    counts = [points[n] - (taken[n] or 0) for n in range(len(attempts))]
    best = counts.index(max(counts))
    place = course.submitted_file(stage, student)
    write_whole(place, attempts[best].data)
    for name in (STAMP, SECRET, LATE):
        if name in attempts[best].beside:
            write_whole(place.with_name(name), attempts[best].beside[name])
        else:
            place.with_name(name).unlink(missing_ok=True)
    if best == len(attempts) - 1:
        return ""
    worth = counted(points[best], "point")
    return f"{student}: of {len(attempts)} submissions, the one of {_when(stamps[best])} counts ({worth})."


def _when(stamp: datetime | None) -> str:
    return f"{stamp:%Y-%m-%d %H:%M} UTC" if stamp else "unknown time"
