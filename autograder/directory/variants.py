"""Which variant of a stage a student has: drawn from the course's secret seed and the id, if course.toml asks."""

import hmac

import nbformat

from autograder.directory.course import Course
from autograder.directory.deadlines import read_deadlines
from autograder.errors import CourseError
from autograder.stripping.variants import VariantError, chosen, variants_of


def number_of_variants(course: Course) -> int:
    """How many variants of each page course.toml asks for; 1 if it does not ask."""
    deadlines = read_deadlines(course)
    return deadlines.variants if deadlines else 1


def variant_of(course: Course, stage: str, student: str) -> int:
    """The number of a student's variant, below what course.toml says; 0 for all where it asks for none."""
    if (count := number_of_variants(course)) == 1:
        return 0
    seed = (course.private / "seed").read_bytes()
    drawn = hmac.digest(seed, f"variant\0{stage}\0{student}".encode(), "sha256")
    return int.from_bytes(drawn[:8], "big") % count


def release_of(course: Course, stage: str, variant: int) -> nbformat.NotebookNode:
    """The release with the passages of a variant; cells, names and metadata are the same for all.

    Raises:
        CourseError: source/ has no such passage any more, or its markers make no sense.
    """
    release = course.release(stage)
    for cell, passage in _passages(course, stage, release) if variant else ():
        cell.source = chosen(passage, variant)
    return release


def other_passages(course: Course, stage: str, variant: int) -> dict[str, list[str]]:
    """Cell id → its text in all variants of the course but one student's."""
    if (count := number_of_variants(course)) == 1:
        return {}
    return {
        cell.id: sorted({chosen(passage, number) for number in range(count)} - {chosen(passage, variant)})
        for cell, passage in _passages(course, stage, course.release(stage))
    }


def passages_of(course: Course, stage: str) -> list[str]:
    """The ids of the cells that differ between variants."""
    return [cell.id for cell, _ in _passages(course, stage, course.release(stage))]


def _passages(course: Course, stage: str, release: nbformat.NotebookNode) -> list[tuple[nbformat.NotebookNode, str]]:
    """The cells of a release that have variants, each with its text in source/, markers included."""
    again = f"release it again with `nbgrader generate_assignment {stage} --force`"
    try:
        source = nbformat.read(course.source_file(stage), as_version=4)
        marked = {cell.id: cell.source for cell in source.cells if variants_of(cell.source) and not _written(cell)}
    except VariantError as error:
        raise CourseError(f"source/{stage}: {error}.") from None
    except (OSError, ValueError):
        raise CourseError(
            f"{course.source_file(stage)} is not a notebook; course.toml asks for its variants."
        ) from None
    cells = {cell.id: cell for cell in release.cells}
    for name, passage in marked.items():
        if name not in cells or cells[name].source.strip() != chosen(passage).strip():
            raise CourseError(f"The variants in source/{stage} have changed since its release; {again}.")
    return [(cells[name], passage) for name, passage in marked.items()]


def _written(cell: nbformat.NotebookNode) -> bool:
    """Whether a cell is a written question's answer: a student gets a stub in its place."""
    return bool(cell.metadata.get("nbgrader", {}).get("solution"))
