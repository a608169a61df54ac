"""The hints on a page, as the card shows them: plain text, code between backticks."""

import html
import json
import re

from autograder.build.stage import AuthoredStage

FOLDED = re.compile(r"<details><summary>Hint(?: \d+)?(?:: (.+?))?</summary>(.+?)</details>", re.DOTALL)
CODE = re.compile(r"</?code>")
OTHER_TAGS = re.compile(r"</?(?:em|b|strong|i)>")


def hints_on_page(stage: AuthoredStage) -> dict[str, list[tuple[str, str]]]:
    """The hints of each exercise, as title and text: those folded in the prose between it and the exercise before."""
    found: dict[str, list[tuple[str, str]]] = {}
    since: list[tuple[str, str]] = []
    for cell in stage.cells:
        if cell.kind == "prose":
            since += ((_plain(title), _plain(text)) for title, text in FOLDED.findall(cell.source))
        elif cell.kind == "answer":
            assert cell.id is not None
            if since:
                found[cell.id] = since
            since = []
    return found


def hints_json(stage: AuthoredStage) -> bytes:
    """What `autograder.practice.hints` reads."""
    return (json.dumps(hints_on_page(stage), ensure_ascii=False, indent=1) + "\n").encode()


def _plain(text: str) -> str:
    """One line without tags.

    >>> _plain("The last, <em>and</em> keep it:\\n<code>x.sum(-1, keepdim=True)</code>.")
    'The last, and keep it: `x.sum(-1, keepdim=True)`.'
    """
    return html.unescape(" ".join(OTHER_TAGS.sub("", CODE.sub("`", text)).split()))
