"""Make a directory an nbgrader course: configuration, gradebook, sources, releases, and a secret seed."""

from collections.abc import Callable
from pathlib import Path

from autograder.build.release import solved_notebook, stages_in
from autograder.course import edits
from autograder.directory import deadlines
from autograder.directory.course import Course, generate_assignment, mark_as_course
from autograder.directory.database import open_gradebook, working_address
from autograder.errors import CourseError
from autograder.files import write_whole
from autograder.stage_meant import stage_meant
from autograder.stages import STAGES, TRACKS

IN_A_WHEEL = Path(__file__).resolve().parents[1] / "solutions"
SOLUTIONS = IN_A_WHEEL if IN_A_WHEEL.is_dir() else Path(__file__).resolve().parents[2] / "solutions"

CONFIG = """\
# An nbgrader course made by `course init`. Everything nbgrader can do is configured here as usual.
from autograder.course.nbgrader_plugins import configure

c = get_config()  # noqa: F821 (given by the loader)
configure(c)

c.CourseDirectory.course_id = {course_id!r}
{db_url}
# What one submission may use; each limit is named in the feedback when it is hit.
# c.Limits.cell_seconds = 60
# c.Limits.notebook_seconds = 300
# c.Limits.memory = 2 << 30      # bytes
# c.Limits.files = 64 << 20      # bytes
# c.Limits.output = 1_000_000    # bytes of text a cell
# c.Limits.processes = 32
"""


def init_course(
    root: Path,
    db_url: str | None = None,
    only: tuple[str, ...] = (),
    tell: Callable[[str], None] = lambda sentence: None,
    track: str | None = None,
) -> Course:
    """Initialise a course directory, or refresh the sources of one that exists: those that nobody edited.

    Args:
        root: where; made when it is not there, and refused when it holds something else.
        db_url: an SQLAlchemy address for the gradebook; a SQLite file in the directory when left out.
        only: these stages; all of their track when left out.
        tell: called with a sentence for each source that stays as it is, and each stage whose framework is missing.
        track: a name of `TRACKS`; what the course has already when left out, and torch in a new one.
    """
    root = Path(root).resolve()
    if not SOLUTIONS.is_dir():
        raise CourseError("The stages are not installed here; install the wheel or run this in a checkout.")
    if blocking := next((path for path in (root, *root.parents) if path.exists() and not path.is_dir()), None):
        raise CourseError(f"{blocking} is a file; choose a directory.")
    if root.is_dir() and any(root.iterdir()) and not (root / ".course").is_dir():
        raise CourseError(f"{root} is not empty and not a course; choose a new directory.")
    stages = stages_in(SOLUTIONS, wanted_stages(root, only, track), tell)
    _configure(root, db_url)
    for name in ("source", "release", "submitted", "autograded", "feedback"):
        (root / name).mkdir(exist_ok=True)
    course = Course(root)
    open_gradebook(course.db_url, course.course_id).close()
    for stage in stages:
        _refresh(course, stage.name, solved_notebook(stage), tell)
    mark_as_course(root)
    return course


def wanted_stages(root: Path, only: tuple[str, ...], track: str | None) -> tuple[str, ...]:
    """The stages to make: those that are named, or all of the track, or of the tracks that the course has."""
    if track is not None and track not in TRACKS:
        raise CourseError(f"There is no track “{track}”; the tracks are {' and '.join(TRACKS)}.")
    there = tuple(stage for stage in STAGES if (SOLUTIONS / f"{stage.name}.py").exists())
    if only:
        meant = tuple(stage_meant(name, there) for name in only)
        if other := next((stage for stage in meant if track not in (None, stage.track)), None):
            raise CourseError(f"{other.name} is a stage of the {other.track} track; leave --track {track} out.")
        return tuple(stage.name for stage in meant)
    had = {stage.track for stage in there if (root / "source" / stage.name).is_dir()}
    tracks = {track} if track else had or {next(iter(TRACKS))}
    return tuple(stage.name for stage in there if stage.track in tracks)


def _refresh(course: Course, stage: str, fresh: bytes, tell: Callable[[str], None]) -> None:
    """Write a source and release it, unless it is there already, or somebody's work."""
    if edits.is_current(course, stage, fresh):
        return
    if course.source_file(stage).exists() and (why := edits.why_it_stays(course, stage, fresh)):
        tell(why)
        return
    edits.write_source(course, stage, fresh)
    generate_assignment(course, stage)


def _configure(root: Path, db_url: str | None) -> None:
    """Make the directory and its nbgrader_config.py, which is an instructor's from then on."""
    config, course_id = root / "nbgrader_config.py", root.name.replace(" ", "_")
    if db_url and config.exists():
        raise CourseError(f"{config} already exists; set c.CourseDirectory.db_url in it.")
    db_url = db_url and working_address(db_url)
    try:
        root.mkdir(parents=True, exist_ok=True)
    except FileNotFoundError:  # /proc and the like, where no directory can be made
        raise CourseError(f"{root} cannot be created there; choose another directory.") from None
    if db_url:
        open_gradebook(db_url, course_id).close()  # before anything else is made
    line = f"c.CourseDirectory.db_url = {db_url!r}\n" if db_url else ""
    if not config.exists():
        mode = 0o600 if db_url else 0o644  # an address may hold a password
        write_whole(config, CONFIG.format(course_id=course_id, db_url=line).encode(), mode)
        write_whole(root / deadlines.NAME, deadlines.TEMPLATE.encode())
