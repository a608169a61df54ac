"""The rubric of a written question: the last lines of its model answer, each with its points."""

import re
from dataclasses import dataclass

HEADING = "Rubric:"
MARKER = re.compile(r"^.*(BEGIN|END) SOLUTION.*\n?", re.MULTILINE)
ITEM = re.compile(r"^- (\d+(?:\.\d+)?) points?: ((?:.+\n?)(?:  .+\n?)*)", re.MULTILINE)


@dataclass(frozen=True)
class Rubric:
    """What a person grades by: the model answer, in Markdown, and the items that earn points."""

    model_answer: str
    items: tuple[tuple[float, str], ...]  # points, for what

    @property
    def points(self) -> float:
        """What the items add up to."""
        return sum(points for points, _ in self.items)


def rubric_of(source: str) -> Rubric:
    """The rubric in a solved written-answer cell; one without items where nobody wrote any.

    >>> rubric_of("BEGIN SOLUTION\\nBlue.\\n\\nRubric:\\n\\n- 1 point: blue\\n- 0.5 points: why\\nEND SOLUTION")
    Rubric(model_answer='Blue.', items=((1.0, 'blue'), (0.5, 'why')))
    """
    answer, _, items = MARKER.sub("", source).partition(f"\n{HEADING}\n")
    found = ((float(points), " ".join(what.split())) for points, what in ITEM.findall(items))
    return Rubric(answer.strip(), tuple(found))
