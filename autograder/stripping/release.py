"""From a source notebook to the student's: nbgrader's list of preprocessors, with our way to take solutions out."""

from nbformat import NotebookNode
from nbgrader.preprocessors import (
    CheckCellMetadata,
    ClearHiddenTests,
    ClearMarkScheme,
    ClearOutput,
    ComputeChecksums,
    IncludeHeaderFooter,
    LockCells,
    NbGraderPreprocessor,
    SaveCells,
)
from nbgrader.preprocessors import ClearSolutions as StockClearSolutions
from nbgrader.utils import is_solution

from autograder.stripping.strip import strip
from autograder.stripping.variants import chosen

WRITTEN_ANSWER = "*Your answer here.*"


class ChooseVariant(NbGraderPreprocessor):
    """Of every passage that a stage has in several variants, the first one."""

    def preprocess_cell(self, cell: NotebookNode, resources: dict, cell_index: int) -> tuple[NotebookNode, dict]:
        """One cell."""
        cell.source = chosen(cell.source)
        return cell, resources


class ClearSolutions(StockClearSolutions):
    """Takes solutions out as the course does: the guidance stays, the rest becomes `raise NotImplementedError`."""

    def preprocess_cell(self, cell: NotebookNode, resources: dict, cell_index: int) -> tuple[NotebookNode, dict]:
        """One cell: code is stripped as in the package; a written answer gives way to the stub."""
        if is_solution(cell) and cell.cell_type == "code" and "# BEGIN SOLUTION" in cell.source:
            cell.source = strip(cell.source)
            return cell, resources
        return super().preprocess_cell(cell, resources, cell_index)


def release_preprocessors(save: bool = True) -> list[type]:
    """The list that makes a student notebook; `save` writes its cells to the gradebook on the way."""
    return [
        IncludeHeaderFooter,
        ChooseVariant,
        LockCells,
        ClearSolutions,
        ClearOutput,
        CheckCellMetadata,
        ComputeChecksums,
        *([SaveCells] if save else []),
        ClearHiddenTests,
        ClearMarkScheme,
        ComputeChecksums,
        CheckCellMetadata,
    ]
