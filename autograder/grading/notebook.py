"""A notebook in grading: its cells, looked up once."""

from collections.abc import Container

import nbformat

from autograder.judging.page import Page


class Notebook:
    """A release, or a submission in the same form.

    Attributes:
        node: as nbformat has it.
        code: its code cells, in order.
        named: grade_id → cell; that of an answer is the name of its exercise.
        above: grade_id → the sources of the code cells above that cell.
        pages: exercise → what its answer may consist of, as far as somebody asked.
        ours: the sources of the release's code cells, where this is a submission.
    """

    def __init__(self, node: nbformat.NotebookNode, ours: Container[str] = ()):
        self.node, self.ours = node, ours
        self.code: list[nbformat.NotebookNode] = []
        self.named: dict[str, nbformat.NotebookNode] = {}
        self.above: dict[str, list[str]] = {}
        self.pages: dict[str, Page] = {}
        for cell in node.cells:
            name = cell.metadata.get("nbgrader", {}).get("grade_id")
            if name and name not in self.named:
                self.named[name] = cell
                self.above[name] = [earlier.source for earlier in self.code]
            if cell.cell_type == "code":
                self.code.append(cell)

    def pictures(self) -> set[str]:
        """The sources of the cells that only draw."""
        return {cell.source for cell in self.code if "picture" in cell.metadata.get("tags", ())}

    def answer(self, exercise: str) -> nbformat.NotebookNode:
        """The cell in which an exercise is answered."""
        return self.named[exercise]

    def page(self, exercise: str) -> Page:
        """The code above an answer's test, which may be part of the answer, and the code below, which may change it."""
        if exercise not in self.pages:
            above = self.above[f"test_{exercise}"]
            self.pages[exercise] = Page(above, [cell.source for cell in self.code[len(above) :]], self.ours)
        return self.pages[exercise]


def test_of(cell: nbformat.NotebookNode) -> str | None:
    """The name of a test cell; None for any other."""
    grading = cell.metadata.get("nbgrader", {})
    is_test = grading.get("grade") and not grading.get("solution") and cell.cell_type == "code"
    return grading["grade_id"] if is_test else None
