"""A verdict as people see it: a compact card in HTML, or the same in plain text."""

import textwrap
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import jinja2
from markupsafe import Markup

from autograder.catalogue.results import Finding
from autograder.counted import counted
from autograder.judging.verdict import CriterionVerdict, Verdict
from autograder.practice.card_errors import SHOWN, Complaint
from autograder.practice.heat_map import Comparison, compare
from autograder.practice.hints import Hint

WORDS = {
    "right": "Right",
    "partial": "Partly right",
    "wrong": "Not right yet",
    "error": "It stopped with an error",
    "timeout": "It took too long",
    "crashed": "It ended the process",
    "forbidden": "A shortcut",
    "not_attempted": "Not attempted yet",
    "ungradable": "Not graded: run again",
}
SIGNS = {"right": "✓", "partial": "◐", "not_attempted": "○", "ungradable": "↻"}
WITHOUT_TABLE = ("not_attempted", "forbidden", "ungradable")
WITHOUT_HINTS = ("right", "forbidden", "ungradable")
STOPPED, DIFFERENT = "stopped by the error below", "the names or shapes below differ"
CODE = ("bos", "eos", "pad", "q", "k", "v", "x", "h")
TEMPLATES = Path(__file__).parent / "templates"


@dataclass(frozen=True)
class Row:
    """A criterion as the card shows it."""

    name: str
    passed: bool
    score: float
    max_score: float
    why: str = ""
    judged: bool = True
    case: str | None = None
    seen: Comparison | None = None


def html_card(
    verdict: Verdict,
    practice: bool = True,
    errors: list[Complaint] | tuple = (),
    seconds: float | None = None,
    hints: tuple[Hint, ...] = (),
) -> str:
    """The card of a notebook.

    Args:
        verdict: what the judge said.
        practice: on the public cases, expected and actual values are shown; in the feedback on hidden ones
            there is no number of theirs: only names (of criteria, cases and outputs), the known mistake and
            its question.
        errors: of the student's code.
        seconds: how long the check took.
        hints: shown if the answer is not right yet.
    """
    rows, shown = _rows(verdict, practice, errors), list(errors)[:SHOWN] if practice else []
    return _template().render(
        verdict=verdict,
        words=WORDS,
        sign=SIGNS.get(verdict.status, "✗"),
        style=_style(),
        judged=verdict.status not in WITHOUT_TABLE,
        stopped=_nothing_seen(rows),
        rows=rows,
        message=_message(verdict, practice),
        errors=shown,
        more_errors=len(errors) - len(shown) if practice else 0,
        hints=() if verdict.status in WITHOUT_HINTS else hints,
        seconds=seconds,
    )


def text_card(
    verdict: Verdict,
    practice: bool = True,
    errors: list[Complaint] | tuple = (),
    seconds: float | None = None,
    hints: tuple[Hint, ...] = (),
) -> str:
    """The card where there is no HTML; its arguments are those of `html_card`."""
    took = "" if seconds is None else f" ({seconds:.2f} s)"
    head = f"{verdict.id}: {WORDS[verdict.status]}, {verdict.score:g} of {counted(verdict.max_score, 'point')}{took}"
    lines = []
    if verdict.status not in (*WITHOUT_TABLE, "right"):
        lines += _table_lines(_rows(verdict, practice, errors))
    if message := _message(verdict, practice):
        lines.append(f"{verdict.known_mistake}: {message}" if verdict.known_mistake else message)
    if verdict.question:
        lines.append(f"Ask yourself: {verdict.question}")
    for error in list(errors)[:SHOWN] if practice else ():
        lines += _error_lines(error)
    if hints and verdict.status not in WITHOUT_HINTS:
        titles = "; ".join(hint.title for hint in hints if hint.title)
        lines.append(f"Hints on the page: {titles}" if titles else "There is a hint on the page.")
    wrapped = [textwrap.fill(line, 110, initial_indent="  ", subsequent_indent="      ") for line in lines]
    return "\n".join([head, *wrapped])


def _rows(verdict: Verdict, practice: bool, errors: Iterable[Complaint]) -> list[Row]:
    said = {quote for error in errors for quote in error.quotes}
    return [_row(share, practice, said) for share in verdict.criteria]


def _row(share: CriterionVerdict, practice: bool, said: set[str]) -> Row:
    plain = Row(share.name, share.passed, share.score, share.max_score)
    finding = share.finding
    if not finding:
        return plain
    if not share.judged:
        return replace(plain, why=finding.text, judged=False)
    if not practice:
        return replace(plain, why=_without_numbers(finding))
    below = DIFFERENT if finding.text.startswith("ParameterMismatch: ") else STOPPED
    why = below if finding.text in said else _with_output(finding)
    return replace(plain, why=why, case=finding.case, seen=compare(finding))


def _without_numbers(finding: Finding) -> str:
    """Where it was seen: names of the course, nothing that a hidden case or an answer to it could speak through."""
    case = f"case “{finding.case}”" if finding.case else ""
    return (
        f"the output `{finding.output}` differs from the expected result, {case}" if finding.output and case else case
    )


def _with_output(finding: Finding) -> str:
    """The sentence; if it starts with an output's name, which may be a plural, this says that it is one output."""
    name, text = finding.output, finding.text
    return f"the output `{name}`{text.removeprefix(name)}" if name and text.startswith(f"{name} ") else text


def _message(verdict: Verdict, practice: bool) -> str:
    """The verdict's sentence; not the one that repeats a finding, which the table shows, or must not show."""
    repeats = practice and not verdict.known_mistake and verdict.repeats_a_finding
    return "" if repeats else verdict.message if practice else verdict.feedback


def _table_lines(rows: list[Row]) -> list[str]:
    if _nothing_seen(rows):
        return [f"None of the {len(rows)} criteria could be checked."]
    return [line for row in rows for line in _row_lines(row)]


def _nothing_seen(rows: list[Row]) -> bool:
    return all(row.why in (STOPPED, DIFFERENT) for row in rows)


def _row_lines(row: Row) -> list[str]:
    why = f": {row.why}" if row.why else ""
    why = why if row.judged else ": not judged yet"
    line = f"[{'x' if row.passed else ' '}] {row.name} ({row.score:g}/{row.max_score:g}){why}"
    return [line, f"    {row.seen.worst}"] if row.seen else [line]


def _error_lines(error: Complaint) -> list[str]:
    lines = [f"{error.kind}: {error.message}"]
    lines += [f"in this line of yours: {error.line}"] if error.line else []
    lines += [f"{name}: expected {expected}, got {got}" for name, expected, got in error.parameters]
    lines += [f"and {error.unlisted} more"] if error.unlisted else []
    return [*lines, error.means] if error.means else lines


@cache
def _template() -> jinja2.Template:
    folder = jinja2.FileSystemLoader(TEMPLATES)
    environment = jinja2.Environment(loader=folder, autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters["sentence"] = _as_a_sentence
    return environment.get_template("card.html.j2")


def _as_a_sentence(name: str) -> str:
    """With a capital, unless it begins with a symbol or a word of the code.

    >>> _as_a_sentence("softmax over the queries"), _as_a_sentence("π forgotten"), _as_a_sentence("input_dim ignored")
    ('Softmax over the queries', 'π forgotten', 'input_dim ignored')
    """
    first = name.split()[0]
    return name if "_" in first or first in CODE or not first[0].isascii() else name[0].upper() + name[1:]


@cache
def _style() -> Markup:
    return Markup((TEMPLATES / "card.css").read_text(encoding="utf-8"))
