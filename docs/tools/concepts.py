"""The table of concepts: every term that a stage explains in bold, with the section that does."""

import re
from collections.abc import Sequence

from autograder.build.stage import AuthoredStage

TERM = re.compile(r"\*\*([A-Za-z][^*\n.:?!|]{2,40})\*\*")
SECTION = re.compile(r"^## (\d+\.\d+ .+)$", re.MULTILINE)
NO_TERMS = re.compile(r"^(\s*\||### |BEGIN SOLUTION)")
HEAD = "# Concepts\n\nEach term, and where it is first explained.\n\n| concept | where |\n|---|---|"
EMPHASIS = """
    a random place, added, any number, betas, compete, embeddings, every, not shifted, one, over what, queries,
    separate projections, teacher-forced, two, two masks, your block"""  # bold for the weight of the words alone

EMPHASIS_WORDS = {" ".join(words.split()) for words in EMPHASIS.split(",")}


def page(stages: Sequence[AuthoredStage]) -> str:
    """The table as MyST Markdown, in alphabetical order."""
    rows = [
        f"| {term} | [{section}](stages/{stage}.md) |" for term, (stage, section) in sorted(concepts(stages).items())
    ]
    return "\n".join([HEAD, *rows]) + "\n"


def concepts(stages: Sequence[AuthoredStage]) -> dict[str, tuple[str, str]]:
    """Each term, in small letters unless it is a name, with the stage and the section that explain it first."""
    found: dict[str, tuple[str, str]] = {}
    for stage in stages:
        section = stage.name
        for cell in stage.cells:
            if cell.kind != "prose":
                continue
            for paragraph in cell.source.split("\n\n"):
                if heading := SECTION.search(paragraph):
                    section = heading[1]
                if NO_TERMS.match(paragraph):
                    continue
                for term in TERM.findall(paragraph.replace("\n", " ")):
                    if is_term(term):
                        found.setdefault(term, (stage.name, section))
    return found


def is_term(words: str) -> bool:
    """Whether bold words name something; a bold sentence, or the label of a paragraph, begins with a capital letter."""
    return words[0].islower() and len(words.split()) <= 3 and words not in EMPHASIS_WORDS
