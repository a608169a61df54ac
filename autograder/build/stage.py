"""Read a stage as authored (jupytext's py:percent form) and refuse a malformed one, with file and line."""

import ast
import inspect
import re
from dataclasses import dataclass, field
from pathlib import Path

import jupytext
from nbformat import NotebookNode

from autograder.build.names import made, missing
from autograder.build.rubric import HEADING, rubric_of
from autograder.catalogue import exercises_of
from autograder.catalogue.exercise import Exercise
from autograder.errors import CourseError
from autograder.stages import UnknownStage, name_of, stage_named
from autograder.stripping.strip import MarkerError, regions
from autograder.stripping.variants import VariantError, chosen, variants_of

NOTE = re.compile(r"\n<!-- Broken by: .*?-->", re.DOTALL)  # for whoever keeps the course: not on the page
CHECK = re.compile(r'check\("(\w+)", (\w+)\)')


class StageError(CourseError):
    """A stage that cannot be built: where, and what to do."""

    exit_code = 1

    def __init__(self, path: Path, line: int, message: str):
        super().__init__(f"{path}:{line}: {message}")


@dataclass(frozen=True)
class PageCell:
    """A cell of a stage, and the line on which it begins."""

    kind: str  # prose, code, answer, test or question
    source: str
    line: int
    id: str | None = None  # of the exercise or question
    points: float = 0
    locked: bool = False
    tags: tuple[str, ...] = ()


@dataclass(frozen=True)
class AuthoredStage:
    """A stage that has passed every rule."""

    name: str
    title: str
    points: float
    cells: tuple[PageCell, ...]
    exercises: tuple[Exercise, ...] = field(repr=False)


def read_stage(path: Path) -> AuthoredStage:
    """The stage in this file; a `StageError` when it breaks a rule."""
    try:
        title = stage_named(path.stem).title
    except UnknownStage as unknown:
        raise StageError(path, 1, str(unknown)) from None
    text = path.read_text("utf-8")
    try:
        notebook = jupytext.reads(text, fmt="py:percent")
    except Exception as error:
        raise StageError(path, 1, f"jupytext cannot read this file: {error}") from error
    header = notebook.metadata.get("course") or {}
    if "points" not in header:
        raise StageError(path, 1, "the header lacks `course: {points: …}` below `jupyter:`")
    lines = _first_lines(text, len(notebook.cells), path)
    exercises = exercises_of(path.stem)
    by_id = {exercise.id: exercise for exercise in exercises}
    cells = tuple(_classify(cell, line, by_id, path) for cell, line in zip(notebook.cells, lines, strict=True))
    stage = AuthoredStage(path.stem, title, header["points"], cells, exercises)
    _check_pairs(stage, path)
    _check_points(stage, path)
    _check_names(stage, path)
    _check_variants(stage, path)
    return stage


def inlined_source(exercise: Exercise) -> str:
    """The source of the object that an exercise asks for, as it stands in `course_lib`, markers included."""
    source = inspect.getsource(exercise.reference).rstrip("\n")
    try:
        found = regions(source)
    except MarkerError as error:
        path = Path(inspect.getfile(exercise.reference))
        first = inspect.getsourcelines(exercise.reference)[1]
        raise StageError(path, first + error.line - 1, str(error)) from error
    if not found:
        path = Path(inspect.getfile(exercise.reference))
        line = inspect.getsourcelines(exercise.reference)[1]
        raise StageError(path, line, f"`{exercise.id}` has no `# BEGIN SOLUTION`; nothing would be left to write")
    return source


def _first_lines(text: str, count: int, path: Path) -> list[int]:
    starts = [number for number, line in enumerate(text.split("\n"), start=1) if line.startswith("# %%")]
    if len(starts) != count:
        raise StageError(path, 1, f"{len(starts)} cell markers `# %%` for {count} cells: each cell needs its own")
    return starts


def _classify(cell: NotebookNode, line: int, exercises: dict[str, Exercise], path: Path) -> PageCell:
    source, metadata = cell.source, cell.metadata
    if cell.cell_type == "markdown":
        if "question" not in metadata:
            _no_markers(source, line, path)
            return PageCell("prose", NOTE.sub("", source), line)
        _check_question(source, metadata, line, path)
        return PageCell("question", source, line, metadata["question"], float(metadata["points"]))
    if "exercise" in metadata:
        return _answer(source, metadata["exercise"], line, exercises, path)
    _no_markers(source, line, path)
    if check := CHECK.fullmatch(source.strip()):
        if name_of(check[1]) != check[2]:
            raise StageError(path, line, f"a check names the exercise twice: {check[1]} and {check[2]} differ")
        if check[1] not in exercises:
            raise StageError(path, line, f"unknown exercise “{check[1]}”; {_known(exercises)}")
        return PageCell("test", source.strip(), line, check[1], exercises[check[1]].points, locked=True)
    if re.search(r"^\s*check\(", source, re.MULTILINE):
        raise StageError(path, line, 'a check must be alone in its cell, as `check("name", name)`')
    locked, tags = bool(metadata.get("locked")), tuple(metadata.get("tags", ()))
    return PageCell("code", source, line, locked=locked, tags=tags)


def _answer(source: str, name: str, line: int, exercises: dict[str, Exercise], path: Path) -> PageCell:
    if name not in exercises:
        raise StageError(path, line, f"unknown exercise “{name}”; {_known(exercises)}")
    try:
        statements = ast.parse(source).body
    except SyntaxError as error:
        raise StageError(path, line + (error.lineno or 0), f"the cell of exercise “{name}” is not Python") from error
    imported = [
        alias.name
        for statement in statements
        if isinstance(statement, ast.ImportFrom) and (statement.module or "").startswith("course_lib.")
        for alias in statement.names
    ]
    if imported != [(asked := name_of(name))] or len(statements) != 1:
        raise StageError(path, line, f"the cell of exercise “{name}” must be one `from course_lib.… import {asked}`")
    return PageCell("answer", inlined_source(exercises[name]), line, name)


def _check_pairs(stage: AuthoredStage, path: Path) -> None:
    answers = [cell for cell in stage.cells if cell.kind == "answer"]
    tests = [cell for cell in stage.cells if cell.kind == "test"]
    for cells, kind in ((answers, "an answer cell"), (tests, "a check")):
        seen: set[str | None] = set()
        for cell in cells:
            if cell.id in seen:
                raise StageError(path, cell.line, f"exercise “{cell.id}” has {kind} twice")
            seen.add(cell.id)
    for cell in answers:
        after = [test for test in tests if test.id == cell.id and test.line > cell.line]
        if not after:
            check = f'check("{cell.id}", {name_of(str(cell.id))})'
            raise StageError(path, cell.line, f"exercise “{cell.id}” has no `{check}` below it")
    for cell in tests:
        if cell.id not in {answer.id for answer in answers}:
            raise StageError(path, cell.line, f'this check has no exercise: no cell is marked exercise="{cell.id}"')
    absent = [exercise.id for exercise in stage.exercises if exercise.id not in {cell.id for cell in answers}]
    if absent:
        raise StageError(path, 1, f"the page has no cell for {', '.join(absent)}")


def _check_points(stage: AuthoredStage, path: Path) -> None:
    total = sum(cell.points for cell in stage.cells)
    if total != stage.points:
        raise StageError(path, 1, f"points do not add up: the header says {stage.points:g}, the cells {total:g}")
    for exercise in stage.exercises:
        prose = "\n".join(cell.source for cell in stage.cells if cell.kind == "prose")
        stated = re.search(rf"`{exercise.id}`[^\n]*?\(([\d.]+) points?", prose)
        if stated and float(stated[1]) != exercise.points:
            line = next(cell.line for cell in stage.cells if cell.kind == "prose" and stated[0] in cell.source)
            raise StageError(
                path,
                line,
                f"points do not add up: the page gives `{exercise.id}` {stated[1]}, its criteria {exercise.points:g}",
            )


def _check_names(stage: AuthoredStage, path: Path) -> None:
    """An answer may use what a cell above it makes, and nothing else of the module that it was copied from."""
    known: set[str] = set()
    for cell in stage.cells:
        if cell.kind not in ("code", "answer"):
            continue
        if cell.kind == "answer" and (names := missing(cell.source, known)):
            said = f"exercise “{cell.id}” uses {', '.join(f'`{name}`' for name in names)}"
            raise StageError(path, cell.line, f"{said}, which no cell above it imports or defines")
        known |= made(cell.source)


def _check_question(source: str, metadata: dict, line: int, path: Path) -> None:
    """Every variant of a written question has its model answer, and a rubric that adds up to the same points."""
    _balanced(
        source.replace("BEGIN SOLUTION", "# BEGIN SOLUTION").replace("END SOLUTION", "# END SOLUTION"), line, path
    )
    name, points = metadata["question"], metadata.get("points")
    if not points:
        raise StageError(path, line, f"question “{name}” has no points=")
    for number in range(max(1, len(_variants(source, line, path)))):
        if (rubric := rubric_of(chosen(source, number))).points != float(points):
            said = f"question “{name}” is worth {points}, its rubric {rubric.points:g}"
            raise StageError(path, line, f"{said}: below `{HEADING}` each line must be `- 1 point: for what`")


def _check_variants(stage: AuthoredStage, path: Path) -> None:
    """All passages of a stage have the same variants, and none is in a cell that is graded by a program."""
    found = {cell: names for cell in stage.cells if (names := _variants(cell.source, cell.line, path))}
    for cell, names in found.items():
        if cell.locked or cell.kind in ("answer", "test"):
            raise StageError(path, cell.line, "a locked cell, an exercise or a check cannot have variants")
        if names != (first := next(iter(found.values()))):
            raise StageError(path, cell.line, f"variants {', '.join(names)}, but {', '.join(first)} above")


def _variants(source: str, line: int, path: Path) -> tuple[str, ...]:
    try:
        return variants_of(source)
    except VariantError as error:
        raise StageError(path, line + error.line, str(error)) from error


def _balanced(source: str, line: int, path: Path) -> None:
    try:
        if not regions(source):
            raise StageError(
                path, line, "a written question needs its model answer between `BEGIN SOLUTION` and `END SOLUTION`"
            )
    except MarkerError as error:
        raise StageError(path, line + error.line, str(error)) from error


def _no_markers(source: str, line: int, path: Path) -> None:
    for offset, text in enumerate(source.split("\n")):
        if text.strip().lstrip("# ") in ("BEGIN SOLUTION", "END SOLUTION"):
            raise StageError(
                path, line + 1 + offset, f"`{text.strip()}` in a cell that is neither exercise nor question"
            )


def _known(exercises: dict[str, Exercise]) -> str:
    return f"this stage has {', '.join(exercises)}"
