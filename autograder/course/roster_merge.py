"""A list of people merged into the class: who is new, who changed, who is missing. Nothing is written here."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace

from autograder.course.lms_lists import ClassList, refuse_wrong
from autograder.errors import CourseError
from autograder.exports.class_list import Person


@dataclass(frozen=True)
class Merge:
    """What an import would do."""

    people: tuple[Person, ...]  # the class after it, without those missing
    new: tuple[Person, ...]
    changed: tuple[tuple[Person, Person], ...]  # before, after
    missing: tuple[Person, ...]  # in the class, not in a list of the whole class

    @property
    def rows(self) -> list[tuple[str, str, str]]:
        """(what, id, details) for a table."""
        rows = [("new", p.id, ", ".join(filter(None, (p.first_name, p.last_name, p.email)))) for p in self.new]
        rows += [("changed", after.id, _differences(before, after)) for before, after in self.changed]
        return rows + [("missing", p.id, ", ".join(filter(None, (p.first_name, p.last_name)))) for p in self.missing]


def merge(members: tuple[Person, ...], others: Iterable[Person], listed: ClassList) -> Merge:
    """Match every row by id, then by e-mail address, then by the LMS's id; case does not count.

    Args:
        members: the class so far.
        others: people whom the gradebook knows besides.
        listed: the list. What it leaves blank stays known; in a grading worksheet nobody counts as missing.

    Raises:
        CourseError: a row fits two people, or two rows fit one.
    """
    known = {person.id: person for person in (*others, *members)}
    after = {person.id: person for person in members}
    claimed: dict[str, Person] = {}
    new, changed = [], []
    for row in listed.people:
        before = _match(row, known.values(), listed)
        if before is None:
            person = replace(row, id=row.id or ("" if listed.has_ids else row.email))
            if not person.id:
                raise CourseError(f"{listed.path}: {row} is not in the class yet and has no id: fill it in.")
            new.append(person)
        else:
            given = {name: value for name, value in asdict(row).items() if value and name != "id"}
            if row.email.casefold() == before.email.casefold():
                given.pop("email", None)
            person = replace(before, **given)
            if person != before:
                changed.append((before, person))
            if person.id not in after:
                new.append(person)
        if person.id in claimed:
            raise CourseError(f"{listed.path}: {row} and {claimed[person.id]} both match {person.id}; delete one row.")
        claimed[person.id], after[person.id] = row, person
    missing = tuple(person for person in members if person.id not in claimed) if listed.whole else ()
    for person in missing:
        del after[person.id]
    numbers = {after[claimant].lms_user_id for claimant in claimed}
    for person in after.values():  # whose number is another's now: it was of another assignment
        if person.id not in claimed and person.lms_user_id in numbers:
            after[person.id] = replace(person, lms_user_id="")
    people = tuple(after.values())
    refuse_wrong(people, listed.path)
    changed = [(before, person) for before, person in changed if person not in new]
    return Merge(people, tuple(new), tuple(changed), missing)


def _match(row: Person, known: Iterable[Person], listed: ClassList) -> Person | None:
    """The one person that a row is about."""
    by_id, by_email = (_named(name, row, known) for name in ("id", "email"))
    if by_id and by_email and by_id != by_email:
        raise CourseError(
            f"{listed.path}: {row} has the id of {by_id.id} and the e-mail address of {by_email.id}; correct the row."
        )
    if by_id or by_email:
        return by_id or by_email
    person = _named("lms_user_id", row, known)  # Moodle numbers its participants anew in each assignment,
    contradicts = person and any(getattr(row, n) and getattr(person, n) for n in ("id", "email"))
    return None if contradicts else person  # so a number counts only if nothing else was there to compare


def _named(name: str, row: Person, known: Iterable[Person]) -> Person | None:
    key = getattr(row, name).casefold()
    return next((person for person in known if key and getattr(person, name).casefold() == key), None)


def _differences(before: Person, after: Person) -> str:
    old, new = asdict(before), asdict(after)
    return "; ".join(f"{name}: {old[name] or '–'} → {new[name]}" for name in old if old[name] != new[name])
