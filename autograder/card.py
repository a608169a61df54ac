"""A verdict as people see it: a compact card in HTML, or the same in plain text."""

from functools import cache
from pathlib import Path

import jinja2

from autograder.judge import Verdict

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


@cache
def _template() -> jinja2.Template:
    folder = jinja2.FileSystemLoader(Path(__file__).parent / "templates")
    return jinja2.Environment(loader=folder, autoescape=True, trim_blocks=True, lstrip_blocks=True).get_template(
        "card.html.j2"
    )


def html_card(verdict: Verdict, practice: bool = True) -> str:
    """The card of a notebook; with `practice`, what was expected and found on the public cases."""
    return _template().render(verdict=verdict, words=WORDS, practice=practice)


def text_card(verdict: Verdict) -> str:
    """The card where there is no HTML."""
    lines = [f"{verdict.title}: {WORDS[verdict.status]}, {verdict.score:g} of {verdict.max_score:g} points"]
    if verdict.status not in ("right", "not_attempted", "forbidden"):
        lines += [f"  [{'x' if p.passed else ' '}] {p.name} ({p.score:g}/{p.max_score:g})" for p in verdict.properties]
    if verdict.misconception:
        lines.append(f"  {verdict.misconception}: {verdict.message}")
    elif verdict.message:
        lines.append(f"  {verdict.message}")
    if verdict.question:
        lines.append(f"  Ask yourself: {verdict.question}")
    return "\n".join(lines)
