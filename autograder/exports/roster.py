"""A roster that an LMS exported, and its rows matched to students in the gradebook."""

import csv
import io
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from autograder.directory.plain_file import read_plain
from autograder.errors import CourseError
from autograder.exports.scores import GradebookScore

# Moodle's titles in German, French and Spanish: the language packs' strings for participants, grades and mod_assign.
TRANSLATIONS = {
    "Identifier": ("Kennung", "Identifiant", "Identificador"),
    "Full name": ("Vollständiger Name", "Nom complet", "Nombre completo"),
    "First name": ("Vorname", "Prénom", "Nombre"),
    "Last name": ("Nachname", "Nom de famille", "Nom", "Apellido(s)", "Apellidos"),
    "Username": ("Anmeldename", "Nom d'utilisateur", "Nom d’utilisateur", "Nombre de usuario"),
    "ID number": ("ID-Nummer", "Numéro d'identification", "Numéro d’identification", "Número de ID"),
    "Email address": (
        *("E-mail", "mail", "E-Mail-Adresse", "Adresse de courriel", "Adresse e-mail"),
        *("Dirección de correo", "Dirección de correo electrónico", "Dirección Email", "Correo electrónico"),
    ),
    "Grade": ("Bewertung", "Note", "Calificación"),
    "Maximum grade": ("Bestwertung", "Note maximale", "Calificación máxima"),
    "Feedback comments": ("Feedback als Kommentar", "Feedback par commentaires", "Comentarios de retroalimentación"),
    "Last modified (submission)": (
        *("Zuletzt geändert (Abgabe)", "Dernière modification (travail remis)"),
        *("Última modificación (entrega)", "Última modificación (envío)"),
    ),
}


MOST_ROWS = 20_000
MOST_BYTES = 16 << 20


@dataclass(frozen=True)
class Roster:
    """A table as an LMS wrote it: its header, its rows (all as long as the header), its delimiter."""

    header: list[str]
    rows: list[list[str]]
    delimiter: str = ","

    def column(self, *names: str) -> int | None:
        """The index of the first of these columns that is there, in Moodle's languages; case does not count."""
        places = {name.strip().casefold(): place for place, name in reversed(list(enumerate(self.header)))}
        wanted = (form.casefold() for name in names for form in (name, *TRANSLATIONS.get(name, ())))
        return next((places[name] for name in wanted if name in places), None)


@dataclass(frozen=True)
class Paired:
    """The scores by row of a roster (row number → score), and the graded students without a row."""

    of_row: dict[int, GradebookScore]
    missing: tuple[str, ...]


def read_roster(path: Path) -> Roster:
    """The table in a CSV file, in UTF-8 or UTF-16, by commas, semicolons or tabs; a `CourseError` if it is none."""
    data = read_plain(path, MOST_BYTES, "roster")
    text = _text(data)
    if not text.strip():
        raise CourseError(f"The roster {path} is empty; pass the CSV file exported from the LMS.")
    if "\0" in text:
        raise CourseError(f"The roster {path} is not a CSV file; pass the CSV file exported from the LMS.")
    first = text.lstrip().partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    try:
        rows = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if any(row)]
    except csv.Error as error:
        raise CourseError(
            f"The roster {path} is not a table: {error}. Pass the CSV file exported from the LMS."
        ) from None
    if not rows or len(rows[0]) < 2:
        raise CourseError(f"The roster {path} has fewer than two columns; pass the CSV file exported from the LMS.")
    if len(rows) > MOST_ROWS:
        raise CourseError(f"The roster {path} has {len(rows)} rows; a class has at most {MOST_ROWS}.")
    width = len(rows[0])
    return Roster(rows[0], [(row + [""] * width)[:width] for row in rows[1:]], delimiter)


def pair(scores: dict[str, GradebookScore], people: dict[int, list[str]]) -> Paired:
    """Match students to rows by what identifies both. What would fit two rows, or two students, fits none.

    Args:
        scores: by student id.
        people: row number → identifiers, e.g. ids, login names, e-mail addresses.
    """
    rows_of: dict[str, set[int]] = defaultdict(set)
    for number, keys in people.items():
        for key in {form for text in keys for form in _forms(text)}:
            rows_of[key].add(number)
    found = {student: _row(score, rows_of) for student, score in scores.items()}
    claims = defaultdict(list)
    for student, row in found.items():
        claims[row].append(student)
    of_row = {row: scores[who[0]] for row, who in claims.items() if row is not None and len(who) == 1}
    paired = {score.student for score in of_row.values()}
    return Paired(of_row, tuple(student for student in scores if student not in paired))


def _row(score: GradebookScore, rows_of: dict[str, set[int]]) -> int | None:
    for key in (score.lms_user_id, score.student, score.email):
        rows = rows_of.get(key.strip().casefold(), set()) if key else set()
        if len(rows) == 1:
            return next(iter(rows))
    return None


def _forms(key: str) -> list[str]:
    """An identifier, without regard to case; of an e-mail address, the name before the @ as well."""
    key = key.strip().casefold()
    return [form for form in (key, key.partition("@")[0]) if form]


def _text(data: bytes) -> str:
    for encoding in ("utf-16",) if data[:2] in (b"\xff\xfe", b"\xfe\xff") else ("utf-8-sig", "cp1252"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    return data.decode("latin-1")
