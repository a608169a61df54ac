"""What the course adds to nbgrader: members of its own lists of preprocessors."""

from functools import cache
from pathlib import Path

from nbconvert.preprocessors import CSSHTMLHeaderPreprocessor
from nbgrader.preprocessors import (
    AssignLatePenalties,
    CheckCellMetadata,
    ClearHiddenTests,
    ClearMarkScheme,
    ClearOutput,
    ComputeChecksums,
    GetGrades,
    IncludeHeaderFooter,
    LockCells,
    NbGraderPreprocessor,
    SaveAutoGrades,
    SaveCells,
)
from nbgrader.preprocessors import ClearSolutions as StockClearSolutions
from nbgrader.utils import is_solution

from autograder.build.strip import strip

WRITTEN_ANSWER = "*Your answer here.*"


class ClearSolutions(StockClearSolutions):
    """Takes solutions out as the course does: the guidance stays, the rest becomes `raise NotImplementedError`."""

    def preprocess_cell(self, cell, resources, cell_index):
        """One cell: code is stripped as in the student edition; a written answer gives way to the stub."""
        if is_solution(cell) and cell.cell_type == "code" and "# BEGIN SOLUTION" in cell.source:
            cell.source = strip(cell.source)
            return cell, resources
        return super().preprocess_cell(cell, resources, cell_index)


def release_preprocessors(save: bool = True) -> list[type]:
    """The list that makes a student notebook; `save` writes its cells to the gradebook on the way."""
    return [
        IncludeHeaderFooter,
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


class RepairNotebook(NbGraderPreprocessor):
    """In place of nbgrader's own sanitising: bring a submission back to the form of the release."""

    def preprocess(self, nb, resources):
        """The repaired notebook; every repair and flag is logged."""
        from autograder.repair.repair import repair

        repaired = repair(nb, _context(resources["nbgrader"]["assignment"]).release)
        for sentence in repaired.repairs + repaired.flags:
            self.log.warning(sentence)
        return repaired.notebook, resources


class JudgeOutside(NbGraderPreprocessor):
    """In place of nbgrader's Execute: run the notebook in an untrusted worker and judge it here."""

    def preprocess(self, nb, resources):
        """The notebook with outputs and verdicts; an error, which nbgrader reports, where it could not be graded."""
        from autograder.grading.task import grade_notebook

        stage = resources["nbgrader"]["assignment"]
        result, notebook = grade_notebook(_context(stage), nb, _course().private)
        if result["submission"]["status"] == "ungradable":
            raise RuntimeError("Not graded, run again: " + "; ".join(result["submission"]["flags"]))
        return notebook, resources


class SafeToOpen(NbGraderPreprocessor):
    """Before feedback is rendered: nothing that a submission wrote may run in a browser."""

    def preprocess(self, nb, resources):
        """The same notebook, made safe."""
        from autograder.grading.safe import safe_notebook

        return safe_notebook(nb), resources


def _course():
    from autograder.course.directory import Course

    return Course.open(Path.cwd())  # nbgrader's converters work in the course directory


@cache
def _context(stage: str):
    from autograder.grading.context import Context

    return Context.of(_course(), stage)


def configure(c) -> None:
    """Set up an instructor's nbgrader_config.py: the course's members in nbgrader's lists."""
    c.GenerateAssignment.preprocessors = release_preprocessors()
    c.ClearSolutions.text_stub = WRITTEN_ANSWER
    c.Autograde.sanitize_preprocessors = [RepairNotebook, CheckCellMetadata]
    c.Autograde.autograde_preprocessors = [JudgeOutside, SaveAutoGrades, AssignLatePenalties, CheckCellMetadata]
    c.GenerateFeedback.preprocessors = [GetGrades, SafeToOpen, CSSHTMLHeaderPreprocessor]
