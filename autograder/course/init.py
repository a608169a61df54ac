"""Make a directory an nbgrader course: configuration, gradebook, sources, releases, and a secret seed."""

from pathlib import Path

from autograder.build.release import solved_notebook, stages_in
from autograder.course.directory import Course, CourseError, generate_assignment, mark_as_course, write_whole
from autograder.grading.database import open_gradebook, working_address

SOLUTIONS = Path(__file__).resolve().parents[2] / "solutions"

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


def init_course(root: Path, db_url: str | None = None, only: tuple[str, ...] = ()) -> Course:
    """Initialise a course directory, or refresh the sources of one that exists.

    Args:
        root: where; made when it is not there, and refused when it holds something else.
        db_url: an SQLAlchemy address for the gradebook; a SQLite file in the directory when left out.
        only: these stages; all of them when left out.
    """
    root = Path(root).resolve()
    if not SOLUTIONS.is_dir():
        raise CourseError("The stages are not installed here: run `course init` from a checkout of the course.")
    if root.exists() and not root.is_dir():
        raise CourseError(f"{root} is a file: name a directory.")
    if root.is_dir() and any(root.iterdir()) and not (root / ".course").is_dir():
        raise CourseError(f"{root} is not empty and no course: name a new directory.")
    unknown = [name for name in only if not (SOLUTIONS / f"{name}.py").exists()]
    if unknown:
        there = ", ".join(sorted(path.stem for path in SOLUTIONS.glob("[0-9]*.py")))
        raise CourseError(f"There is no stage “{unknown[0]}”; there are {there}.")
    stages = stages_in(SOLUTIONS, only)
    _configure(root, db_url)
    for name in ("source", "release", "submitted", "autograded", "feedback"):
        (root / name).mkdir(exist_ok=True)
    for stage in stages:
        write_whole(root / "source" / stage.name / f"{stage.name}.ipynb", solved_notebook(stage))
    mark_as_course(root)
    course = Course.open(root)
    open_gradebook(course.db_url, course.course_id).close()
    for stage in stages:
        generate_assignment(course, stage.name)
    return course


def _configure(root: Path, db_url: str | None) -> None:
    """Make the directory and its nbgrader_config.py, which is an instructor's from then on."""
    config, course_id = root / "nbgrader_config.py", root.name.replace(" ", "_")
    if db_url and config.exists():
        raise CourseError(f"{config} is there already: set c.CourseDirectory.db_url in it.")
    db_url = db_url and working_address(db_url)
    root.mkdir(parents=True, exist_ok=True)
    if db_url:
        open_gradebook(db_url, course_id).close()  # before anything else is made
    line = f"c.CourseDirectory.db_url = {db_url!r}\n" if db_url else ""
    if not config.exists():
        mode = 0o600 if db_url else 0o644  # an address may hold a password
        write_whole(config, CONFIG.format(course_id=course_id, db_url=line).encode(), mode)
