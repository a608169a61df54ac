"""`--to moodle`: a file for Grades > Import > CSV, or the offline grading worksheet filled in.

Source: Moodle's `grade/import/csv/classes/load_data.php`, and the “Grade import” page of its documentation. One
user that Moodle does not know, or a grade that is not a number, stops the whole import there.
"""

import re

from autograder.errors import CourseError
from autograder.exports.roster import Roster, pair
from autograder.exports.scores import GradebookScore
from autograder.exports.table import BY_HAND, Table, other_maximum

KEYS = ("Identifier", "Username", "ID number", "Email address", "Moodle ID")
PERSON = (*KEYS, "First name", "Last name", "Full name", "Surname", "Institution", "Department", "Group")
PARTICIPANT = re.compile(r"([A-ZÀ-Þ][^\d@]{3,}?)\s*(\d+)")  # “Participant 1234”, “Teilnehmer/in1234”


def moodle_table(stage: str, scores: dict[str, GradebookScore], roster: Roster | None, column: str | None) -> Table:
    """The rows to import; with the roster that Moodle exported, only its students, as it names them."""
    title = column or stage
    if roster is None:
        rows: list[list] = [["Username", "Email address", "First name", "Last name", title, BY_HAND]]
        for s in scores.values():
            rows.append([s.student, s.email, s.first_name, s.last_name, s.grade, "; ".join(s.by_hand_open)])
        note = (
            "In Moodle, map “Username” (the ids in the course) or “Email address”, and ignore the last "
            "column. Moodle stops at an unknown user; pass its own export as --roster to write only its "
            "users."
        )
        return Table(rows, notes=(note,))
    number = participants(roster)
    keys = sorted({at for at in (number, *map(roster.column, KEYS)) if at is not None})
    if not keys:
        raise CourseError(
            f"The roster is not from Moodle: it needs one of the columns {', '.join(KEYS[:4])}. Export the "
            "grades as plain text, or use the assignment's grading worksheet."
        )
    people = {number: _keys(row, keys) for number, row in enumerate(roster.rows)}
    paired = pair(scores, people)
    named = roster.column("Full name", "Last name", "Surname", "Username", "Email address", *KEYS)
    name_at = keys[0] if named is None else named
    without = tuple(roster.rows[number][name_at] for number in people if number not in paired.of_row)
    grade = roster.column("Grade")
    if number is None or grade is None:
        return Table(_grades(roster, paired.of_row, title), paired.missing, without, (), roster.delimiter)
    rows, notes = _worksheet(roster, paired.of_row, grade, next(iter(scores.values())).max_score)
    return Table(rows, paired.missing, without, notes, roster.delimiter)


def participants(roster: Roster) -> int | None:
    """The column by which a grading worksheet numbers its participants, in whatever language; None in other lists."""
    named = roster.column("Identifier")
    if named is not None:
        return named
    first = [PARTICIPANT.fullmatch(row[0].strip()) for row in roster.rows]
    logins = [roster.column(name) for name in ("Username", "ID number")]
    words = {match and match[1] for match in first}
    return 0 if len(words) == 1 and None not in words and 0 not in logins else None


def _worksheet(
    roster: Roster, of_row: dict[int, GradebookScore], grade: int, maximum: float
) -> tuple[list[list], tuple[str, ...]]:
    """The worksheet, with the grades in their column, and notes."""
    limit = roster.column("Maximum grade")
    rows: list[list] = [[*roster.header, BY_HAND]]
    notes: tuple[str, ...] = ()
    for number, unfilled in enumerate(roster.rows):
        row: list = [*unfilled, ""]
        if score := of_row.get(number):
            row[grade], row[-1] = score.grade, "; ".join(score.by_hand_open)
            notes = other_maximum(row[limit], maximum, "Moodle") if limit is not None else ()
        rows.append(row)
    return rows, notes


def _grades(roster: Roster, of_row: dict[int, GradebookScore], title: str) -> list[list]:
    """The columns that say who, and one with the grades."""
    who = sorted(at for name in PERSON if (at := roster.column(name)) is not None)
    pattern = re.compile(rf"(?:[^:]*:\s*)?{re.escape(title)}(?:\s*\([^)]*\))?", re.IGNORECASE)
    named = next((name for name in roster.header if pattern.fullmatch(name.strip())), title)
    rows: list[list] = [[*(roster.header[at] for at in who), named, BY_HAND]]
    for number, score in sorted(of_row.items()):
        rows.append([*(roster.rows[number][at] for at in who), score.grade, "; ".join(score.by_hand_open)])
    return rows


def _keys(row: list[str], places: list[int]) -> list[str]:
    """What identifies a row; of `Participant 1234` the number too, which names the files that Moodle gives out."""
    found = [row[at] for at in places]
    return found + [match[2] for key in found if (match := PARTICIPANT.fullmatch(key.strip()))]
