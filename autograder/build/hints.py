"""The hints on a page, as the card shows them: plain text, code between backticks."""

import html
import json
import re

from autograder.build.stage import AuthoredStage

FOLDED = re.compile(r"<details><summary>Hint(?: \d+)?(?:: (.+?))?</summary>(.+?)</details>", re.DOTALL)
CODE = re.compile(r"</?code>")
OTHER_TAGS = re.compile(r"</?(?:em|b|strong|i)>")


def hints_on_page(stage: AuthoredStage) -> dict[str, list[str]]:
    """The hints of each exercise: those folded in the prose between it and the exercise before."""
    found: dict[str, list[str]] = {}
    since: list[str] = []
    for cell in stage.cells:
        if cell.kind == "prose":
            since += (_plain(title, text) for title, text in FOLDED.findall(cell.source))
        elif cell.kind == "answer":
            assert cell.id is not None
            if since:
                found[cell.id] = since
            since = []
    return found


def hints_json(stage: AuthoredStage) -> bytes:
    """What `autograder.practice.hints` reads."""
    return (json.dumps(hints_on_page(stage), ensure_ascii=False, indent=1) + "\n").encode()


def _plain(title: str, text: str) -> str:
    """One hint.

    >>> _plain("which axis", "The last, <em>and</em> keep it:\\n<code>x.sum(-1, keepdim=True)</code>.")
    'Which axis: The last, and keep it: `x.sum(-1, keepdim=True)`.'
    """
    between = "" if not title else " " if title.endswith("?") else ": "
    whole = f"{title[:1].upper()}{title[1:]}{between}{text}"
    return html.unescape(" ".join(OTHER_TAGS.sub("", CODE.sub("`", whole)).split()))
