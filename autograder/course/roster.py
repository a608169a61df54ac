"""The class: roster.csv and the gradebook, changed by `course roster`, and read wherever students are named."""

from collections.abc import Iterable
from dataclasses import astuple, dataclass, replace
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry, Student, SubmittedAssignment

from autograder.counted import counted
from autograder.course.lms_lists import STUDENT_ID, read_class_list
from autograder.course.regrade import rename_in_requests
from autograder.course.roster_merge import Merge, merge
from autograder.directory.course import Course
from autograder.directory.database import open_gradebook
from autograder.directory.deadlines import read_deadlines
from autograder.directory.variants import number_of_variants
from autograder.errors import CourseError
from autograder.exports.cells import csv_bytes
from autograder.exports.class_list import COLUMNS, NAME, Person, class_of
from autograder.files import write_whole
from autograder.grading.division import rename_in_divisions
from autograder.grading.misplaced import misplaced_by
from autograder.shorten_list import shorten_list

NAMED = 10
MANY = 0.1  # of the class: if more are missing in a list, it may be the wrong list
WITHOUT_PAGE = ", so without a page of their own, and graded in the variant that the id draws"
BY_STUDENT = ("submitted", "autograded", "feedback", "attempts")  # NAME/STUDENT/STAGE


@dataclass(frozen=True)
class Import:
    """A list that was read and merged, and not written yet."""

    course: Course
    plan: Merge
    left_out: tuple[str, ...]

    @property
    def many_missing(self) -> str:
        """A sentence, if so many of the class are missing that somebody should be asked; else empty."""
        missing, before = len(self.plan.missing), len(class_of(self.course))
        return f"{missing} of {counted(before, 'student')} are not in this list" if missing > MANY * before else ""

    def write(self) -> list[str]:
        """Into the gradebook and roster.csv; → sentences."""
        with open_gradebook(self.course.db_url, self.course.course_id) as gradebook:
            for person in self.plan.people:
                gradebook.update_or_create_student(person.id, **_fields(person))
        _write(self.course, self.plan.people)
        said = [
            f"{self.course.root / NAME}: {counted(len(self.plan.people), 'student')}, {len(self.plan.new)} new, "
            f"{len(self.plan.changed)} changed."
        ]
        said += [f"Not imported: {who}." for who in self.left_out]
        if self.plan.missing:
            gone = shorten_list([person.id for person in self.plan.missing], NAMED)
            said.append(f"Removed from the list, kept in the gradebook: {gone}.")
        for name in ("email", "lms_user_id"):
            if without := [person.id for person in self.plan.people if not getattr(person, name)]:
                said.append(f"Without {name}: {shorten_list(without, NAMED)}.")
        return said


def read_import(course: Course, path: Path, ids: str | None = None) -> Import:
    """Read a list and match it with the class; a `CourseError` if it does not say who is who. Writes nothing."""
    listed = read_class_list(path, ids)
    with open_gradebook(course.db_url, course.course_id) as gradebook:
        others = [Person(*(getattr(student, name) or "" for name in COLUMNS)) for student in gradebook.students]
    return Import(course, merge(class_of(course), others, listed), listed.left_out)


def remove_student(course: Course, student: str) -> str:
    """Take a student out of the class, and out of the gradebook if nothing was handed in; → a sentence."""
    people = class_of(course)
    with open_gradebook(course.db_url, course.course_id) as gradebook:
        try:
            known = gradebook.find_student(student)
        except MissingEntry:
            known = None
        if known is None and student not in {person.id for person in people}:
            raise CourseError(f"{student} is neither in {NAME} nor in the gradebook.")
        handed_in = [submission.name for submission in known.submissions] if known else []
        if known and not handed_in:
            gradebook.remove_student(student)
    if people:
        _write(course, (person for person in people if person.id != student))
    if handed_in:
        return (
            f"{student} was removed from {NAME}; the gradebook keeps the submissions: {', '.join(sorted(handed_in))}."
        )
    return f"{student} was removed from the class and the gradebook."


def rename_student(course: Course, old: str, new: str) -> list[str]:
    """Give a student another id: in roster.csv, the gradebook and every directory; → sentences."""
    people = class_of(course)
    if not STUDENT_ID.fullmatch(new):
        raise CourseError(f"{new!r} cannot be a student id: it is not a valid directory name.")
    taken = [path for path in _places(course, new) if path.exists()]
    with open_gradebook(course.db_url, course.course_id) as gradebook:
        if taken or _knows(gradebook, new) or new in {person.id for person in people}:
            raise CourseError(f"{new} is already taken; choose an id that no student has.")
        if not _knows(gradebook, old) and old not in {person.id for person in people}:
            raise CourseError(f"{old} is neither in {NAME} nor in the gradebook.")
        if _knows(gradebook, old):
            _rename_in(gradebook, old, new)
    rename_in_requests(course, old, new)
    rename_in_divisions(course, old, new)
    for path in _places(course, old):
        if path.is_dir():
            path.rename(path.with_name(new))
    if people:
        _write(course, (replace(person, id=new) if person.id == old else person for person in people))
    said = [f"{old} is now {new}."]
    deadlines = read_deadlines(course)
    if deadlines and any(student == old for student, _ in deadlines.extensions):
        said.append(f"course.toml still has an extension for {old}; change the id there.")
    return said


def absent(course: Course, stage: str) -> tuple[str, ...]:
    """The students of the class who have handed in nothing, not even at the wrong level of submitted/."""
    here = {*course.students(stage)} | misplaced_by(course, stage)
    return tuple(person.id for person in class_of(course) if person.id not in here)


def said_of_class(course: Course, stage: str) -> list[str]:
    """Sentences for the table of `course grade`: who is missing, and who is not in the class."""
    deadlines = read_deadlines(course)
    without = WITHOUT_PAGE if number_of_variants(course) > 1 else ""
    who = {
        "No submissions": absent(course, stage),
        f"Not in {NAME}{without}": strangers(course, course.students(stage)),
        f"Not in {NAME}, with an extension": strangers(
            course, {s for s, _ in deadlines.extensions} if deadlines else ()
        ),
    }
    return [f"{what}: {shorten_list(names, NAMED)}." for what, names in who.items() if names]


def strangers(course: Course, students: Iterable[str]) -> tuple[str, ...]:
    """Who of the students is not in the class; empty if there is no list."""
    known = {person.id for person in class_of(course)}
    return tuple(sorted(set(students) - known)) if known else ()


def _write(course: Course, people: Iterable[Person]) -> None:
    write_whole(course.root / NAME, csv_bytes([COLUMNS, *map(astuple, people)]))


def _fields(person: Person) -> dict[str, str]:
    pairs = zip(COLUMNS[1:], astuple(person)[1:], strict=True)
    return {name: value for name, value in pairs if value}


def _places(course: Course, student: str) -> list[Path]:
    return [course.root / name / student for name in BY_STUDENT]


def _knows(gradebook: Gradebook, student: str) -> bool:
    return gradebook.db.get(Student, student) is not None


def _rename_in(gradebook: Gradebook, old: str, new: str) -> None:
    """Rename a student and all submissions in the gradebook, in one transaction."""
    database, before = gradebook.db, gradebook.find_student(old)
    database.add(Student(id=new, **{name: getattr(before, name) for name in COLUMNS[1:]}))
    database.flush()
    theirs = database.query(SubmittedAssignment).filter_by(student_id=old)
    theirs.update({"student_id": new}, synchronize_session=False)
    database.query(Student).filter_by(id=old).delete(synchronize_session=False)
    database.commit()
