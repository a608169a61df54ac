"""`--to variants`: every student's own page of a stage, in a folder named after the id."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import nbformat

from autograder.counted import counted
from autograder.directory.course import Course
from autograder.directory.variants import number_of_variants, passages_of, release_of, variant_of
from autograder.errors import CourseError
from autograder.exports.class_list import NAME, class_of
from autograder.files import write_whole

SAME_FOR_ALL = (
    "course.toml asks for variants, but {way} gives every student the same page: hand out the pages of `course export "
    "{stage} --to variants`, or set variants = 1."
)


def export_variants(course: Course, stage: str, folder: Path) -> Iterator[str]:
    """Write STAGE-variants/ID/STAGE.ipynb for everyone in the class list; yields sentences.

    Raises:
        CourseError: course.toml asks for no variants, or there is no class list.
    """
    if number_of_variants(course) == 1:
        raise CourseError("All pages are the same: set `variants` in course.toml to 2 or more.")
    people = class_of(course)
    if not people:
        raise CourseError(f"Nobody is known to write a page for: there is no {NAME}; import it with `course roster`.")
    root = folder / f"{stage}-variants"
    of = {person.id: variant_of(course, stage, person.id) for person in people}
    pages = {variant: nbformat.writes(release_of(course, stage, variant)) for variant in set(of.values())}
    for student, variant in of.items():
        write_whole(root / student / f"{stage}.ipynb", f"{pages[variant]}\n".encode())
    share = ", ".join(map(str, sorted(Counter(of.values()).values(), reverse=True)))
    yield f"{root}: {counted(len(of), 'page')}, named after the students' ids; students per variant: {share}."
    if not passages_of(course, stage):
        yield f"{stage} has no passages with variants: its pages are the same, only the hidden numbers differ."


def variants_by_mail(course: Course, stage: str) -> dict[str, int]:
    """E-mail address, in lower case → the number of the student's variant; empty where all have the same page.

    Raises:
        CourseError: somebody in the class list has no address.
    """
    if number_of_variants(course) == 1:
        return {}
    people = class_of(course)
    if lacking := [person.id for person in people if not person.email]:
        raise CourseError(f"Gradescope names students by e-mail address, and {NAME} has none for {lacking[0]}.")
    if not people:
        raise CourseError("Gradescope names students by e-mail address: import a class list with `course roster`.")
    return {person.email.casefold(): variant_of(course, stage, person.id) for person in people}
