"""`--to canvas`: a file for Gradebook > Import.

Source: Canvas's own `lib/gradebook_importer.rb` and `gradebook_exporter.rb`: student columns from *Student* to
*Section*, then one column per assignment, named `Title (id)`; a second row, *Points Possible*. A column that the
import does not know would become a new assignment, except one whose name holds *Current Score*: those it skips.
"""

import re

from autograder.errors import CourseError
from autograder.exports.roster import Roster, pair
from autograder.exports.scores import GradebookScore
from autograder.exports.table import Table, other_maximum

STUDENT = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
KEYS = ("ID", "SIS User ID", "SIS Login ID", "Integration ID")
STILL_OPEN = "To grade by hand, not yet in the Current Score"  # skipped by the import, for its last two words
POINTS = "Points Possible"
READ_ONLY = "(read only)"
POSTING = re.compile(r"\s*(muted|manual posting.*)?\s*", re.IGNORECASE)


def canvas_table(stage: str, scores: dict[str, GradebookScore], roster: Roster | None, column: str | None) -> Table:
    """The rows to import; with the roster that Canvas exported, only its students, as it names them."""
    title = column or stage
    maximum = next(iter(scores.values())).max_score
    if roster is None:
        rows: list[list] = [[*STUDENT, title, STILL_OPEN], [f"    {POINTS}", "", "", "", "", maximum, READ_ONLY]]
        for s in scores.values():
            login = "" if s.lms_user_id else s.student
            rows.append([s.name, s.lms_user_id, "", login, "", s.grade, "; ".join(s.by_hand_open)])
        note = (
            "Without --roster, “ID” contains the ids from Canvas's own zips, kept by `course collect`, and "
            "“SIS Login ID” the other ids of the course. Export the gradebook from Canvas and pass it as "
            "--roster for a reliable match."
        )
        return Table(rows, notes=(note,))
    return _by_roster(title, scores, roster, maximum)


def _by_roster(title: str, scores: dict[str, GradebookScore], roster: Roster, maximum: float) -> Table:
    width = _student_columns(roster)
    place = _assignment(roster, title)
    keys = [at for name in KEYS if (at := roster.column(name)) is not None and at < width]
    people = {n: [row[at] for at in keys] for n, row in enumerate(roster.rows) if not is_heading(row)}
    paired = pair(scores, people)
    points = next((row for row in roster.rows if POINTS in row[0]), None)
    theirs = points[place] if points and place is not None else ""
    head = [f"    {POINTS}", *[""] * (width - 1), theirs or maximum, READ_ONLY]
    rows: list[list] = [[*roster.header[:width], title if place is None else roster.header[place], STILL_OPEN], head]
    for number, row in enumerate(roster.rows):
        if score := paired.of_row.get(number):
            rows.append([*row[:width], score.grade, "; ".join(score.by_hand_open)])
    notes = list(other_maximum(theirs, maximum, "Canvas"))
    if place is None:
        notes.append(
            f"The roster has no assignment “{title}”: Canvas will ask whether to create it; choose an "
            "existing one with --column."
        )
    without = tuple(roster.rows[number][0] for number in people if number not in paired.of_row)
    return Table(rows, paired.missing, without, tuple(notes), roster.delimiter)


def _student_columns(roster: Roster) -> int:
    section = roster.column("Section")
    named = roster.header[0].strip() in ("Student", "LastName")
    if section is None or not named or roster.column("ID") is None:
        raise CourseError(
            "The roster is not from Canvas: it needs the columns Student, ID and Section. Export it there "
            "with Gradebook > Export."
        )
    return section + 1


def _assignment(roster: Roster, title: str) -> int | None:
    """The column `Title (id)` of the assignment."""
    for place, name in enumerate(roster.header):
        if title.casefold() in (name.casefold(), re.sub(r"\s*\(\d+\)\s*$", "", name).casefold()):
            return place
    return None


def is_heading(row: list[str]) -> bool:
    """Whether a row of Canvas's export is not a student's: points possible, or how grades are posted."""
    return POINTS in row[0] or all(POSTING.fullmatch(cell) for cell in row)
