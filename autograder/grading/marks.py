"""What the gradebook keeps of a graded notebook, as nbgrader itself reads it."""

import nbformat
from nbgrader.utils import compute_checksum, determine_grade

from autograder.grading.notebook import test_of


def marks_of(notebook: nbformat.NotebookNode) -> dict:
    """`{"scores": {graded cell: points, or None, which asks a person}, "untouched": [answer cells as released]}`."""
    ours = [(cell.metadata["nbgrader"], cell) for cell in notebook.cells if "nbgrader" in cell.metadata]
    return {
        "scores": {grading["grade_id"]: score_of(cell) for grading, cell in ours if grading.get("grade")},
        "untouched": [grading["grade_id"] for grading, cell in ours if grading.get("solution") and _unchanged(cell)],
    }


def score_of(cell: nbformat.NotebookNode) -> float | None:
    """The points; None if nothing was graded."""
    if test_of(cell) and not any(o.output_type == "execute_result" for o in cell.outputs):
        return None
    return determine_grade(cell)[0]


def _unchanged(cell: nbformat.NotebookNode) -> bool:
    return cell.metadata.nbgrader.get("checksum") == compute_checksum(cell)
