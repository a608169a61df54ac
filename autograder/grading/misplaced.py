"""Notebooks on the wrong level of submitted/, where no command finds them."""

from collections.abc import Iterator
from pathlib import Path

from autograder.directory.course import Course
from autograder.stages import UnknownStage


def misplaced(course: Course, stage: str) -> list[str]:
    """A sentence for everything of a stage that is on the wrong level."""
    below = [
        f"submitted/{stage}/{name}: the student comes first, as in submitted/{name}/{stage}/."
        for name in _below_the_stage(course, stage)
    ]
    return below + [
        f"{path.relative_to(course.root)}: it belongs in submitted/{student or 'STUDENT'}/{stage}/."
        for student, path in _astray(course, stage)
    ]


def misplaced_by(course: Course, stage: str) -> set[str]:
    """The students with something of a stage on the wrong level."""
    named = {student for student, path in _astray(course, stage) if student and _stage_of(course, path) == stage}
    return named.union(_below_the_stage(course, stage))


def _below_the_stage(course: Course, stage: str) -> list[str]:
    return [path.name for path in _inside(course.root / "submitted" / stage) if path.is_dir()]


def _astray(course: Course, stage: str) -> Iterator[tuple[str | None, Path]]:
    """(student, notebook) of each that may be of this stage, in no stage's folder; None if no folder says whose."""
    found: list[tuple[str | None, Path]]
    for path in _inside(course.root / "submitted"):
        if path.name == stage or path.suffix == ".ipynb":
            found = [(None, notebook) for notebook in ([path] if path.is_file() else _notebooks_in(path))]
        elif path.name in course.stages or (path / stage).exists():
            found = []
        else:
            others = [folder for folder in _inside(path) if not _is_an_assignment(course, folder.name)]
            found = [(path.name, notebook) for folder in (path, *others) for notebook in _notebooks_in(folder)]
        yield from (one for one in found if _stage_of(course, one[1]) in (stage, None))


def _is_an_assignment(course: Course, name: str) -> bool:
    """Whether a student's folder of this name is one that nbgrader, or a file manager, knows."""
    return name.startswith(".") or (course.root / "source" / name).is_dir()


def _notebooks_in(folder: Path) -> list[Path]:
    return [path for path in _inside(folder) if path.suffix == ".ipynb" and path.is_file()]


def _stage_of(course: Course, notebook: Path) -> str | None:
    """The stage that a notebook's name begins with, or that the folder below the student's names."""
    if named := next((stage for stage in course.stages if notebook.stem.startswith(stage)), None):
        return named
    folder = notebook.parent
    try:
        return course.stage(folder.name) if folder.parents[1] == course.root / "submitted" else None
    except UnknownStage:
        return None


def _inside(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.is_dir() and not folder.is_symlink() else []
