"""The student notebook, by nbgrader's own converters; and what `course build` writes or checks."""

import os
from collections.abc import Iterable
from pathlib import Path

import nbformat
from nbconvert.exporters import NotebookExporter
from traitlets.config import Config

from autograder import answers
from autograder.answers.compute import answers_of
from autograder.build.notebook import source_notebook
from autograder.build.stage import Stage, read_stage
from autograder.exercises import exercises_of
from autograder.nbgrader_plugins import WRITTEN_ANSWER, release_preprocessors


def solved_notebook(stage: Stage) -> bytes:
    """The source notebook as a file."""
    return _bytes(nbformat.writes(source_notebook(stage)))


def student_notebook(stage: Stage) -> bytes:
    """The notebook that a student opens: what `nbgrader generate_assignment` makes of the source."""
    config = Config()
    config.Exporter.default_preprocessors = []
    config.ClearSolutions.text_stub = WRITTEN_ANSWER
    exporter = NotebookExporter(config=config)
    for preprocessor in release_preprocessors(save=False):
        exporter.register_preprocessor(preprocessor, enabled=True)
    text, _ = exporter.from_notebook_node(source_notebook(stage), resources={"nbgrader": {}, "metadata": {}})
    return _bytes(text)


def stages_in(solutions: Path, only: tuple[str, ...] = ()) -> list[Stage]:
    """The stages of a folder, in order, or `only` some; all are read, and refused, before anything is written."""
    paths = sorted(solutions.glob("[0-9]*.py"))
    return [read_stage(path) for path in paths if not only or path.stem in only]


def outputs(root: Path) -> Iterable[tuple[Path, bytes]]:
    """Each file that the build makes, and what is to stand in it."""
    stages = stages_in(root / "solutions")
    notebooks = [(root / "notebooks" / f"{stage.name}.ipynb", student_notebook(stage)) for stage in stages]
    return notebooks + [(answers.public_file(stage.name), _public_answers(stage.name)) for stage in stages]


def write(path: Path, content: bytes) -> None:
    """Write under a temporary name, then rename."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.write_bytes(content)
    temporary.replace(path)


def _public_answers(stage: str) -> bytes:
    """The committed answers when they still hold, and newly computed ones when not.

    Float arithmetic differs in its last bits between processors; the file moves only when a number does.
    """
    path = answers.public_file(stage)
    computed = answers_of(exercises_of(stage), answers.PUBLIC_SEED)
    if path.exists() and answers.same(answers.load(path), computed, tolerance=1e-6):
        return path.read_bytes()
    return answers.serialise(computed)


def _bytes(text: str) -> bytes:
    return (text.rstrip("\n") + "\n").encode()
