"""A stage as nbgrader's source notebook: solved, with the metadata that nbgrader works by."""

import hashlib
from collections import Counter
from importlib.metadata import metadata

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from autograder.build.stage import AuthoredStage, PageCell
from autograder.stages import Stage, stage_named
from autograder.stripping.variants import chosen

INSTALL = """\
# Runs only where the course is not installed yet (Colab): everywhere else it does nothing.
import importlib.util

if importlib.util.find_spec("course_lib") is None:
    %pip install -q "attention-workshop{extra} @ git+{repository}@{tag}\""""

REQUIRE = """

from course_lib.extras import require_packages

require_packages({modules}, extra="{extra}")"""

BADGE = (
    "[![Open in Colab](https://colab.research.google.com/assets/colab-badge.svg)]"
    "(https://colab.research.google.com/github/{slug}/blob/{tag}/notebooks/{stage}.ipynb)"
)


def repository() -> str:
    """Where the course is published: named once, in `pyproject.toml`."""
    urls = dict(url.split(", ", 1) for url in metadata("attention-workshop").get_all("Project-URL") or ())
    return urls["Repository"]


def tag() -> str:
    """The tag of this version's release, from which pages are opened and the course is installed."""
    return f"v{metadata('attention-workshop')['Version']}"


def source_notebook(stage: AuthoredStage) -> nbformat.NotebookNode:
    """The notebook that `nbgrader generate_assignment` starts from; the same stage gives the same bytes."""
    slug = repository().removeprefix("https://github.com/")
    install = PageCell("code", _setup(stage_named(stage.name)), 0, "setup", locked=True)
    first, *rest = stage.cells
    badge = BADGE.format(slug=slug, tag=tag(), stage=stage.name)
    cells = [PageCell("prose", f"{badge}\n\n{first.source}", first.line), install, *rest]
    ids: Counter[str] = Counter()
    return new_notebook(
        cells=[_cell(cell, ids) for cell in cells],
        metadata={
            "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
    )


def _setup(stage: Stage) -> str:
    """The first code cell: the course installed where it is not, and a sentence where the page lacks a package."""
    if not stage.imports:
        return INSTALL.format(extra="", repository=repository(), tag=tag())
    modules = ", ".join(f'"{name}"' for name in stage.imports)
    install = INSTALL.format(extra=f"[{stage.extra}]", repository=repository(), tag=tag())
    return install + REQUIRE.format(modules=modules, extra=stage.extra)


def _cell(cell: PageCell, ids: Counter[str]) -> nbformat.NotebookNode:
    make = new_markdown_cell if cell.kind in ("prose", "question") else new_code_cell
    metadata: dict[str, object] = {"tags": list(cell.tags)} if cell.tags else {}
    grading = _nbgrader(cell)
    if "@guess_first(" in cell.source or "@draw_first(" in cell.source:
        metadata["jupyter"] = {"source_hidden": True}  # the code says what is to be guessed
    if grading:
        metadata["nbgrader"] = grading
        name = grading["grade_id"]
    else:
        name = f"{cell.kind}-{hashlib.sha256(chosen(cell.source).encode()).hexdigest()[:8]}"
    ids[name] += 1
    return make(cell.source, id=name if ids[name] == 1 else f"{name}-{ids[name]}", metadata=metadata)


def _nbgrader(cell: PageCell) -> dict | None:
    """nbgrader's own metadata, schema version 3, or None for a cell that it does not concern."""
    grade_id = f"test_{cell.id}" if cell.kind == "test" else cell.id
    if cell.kind == "code" and cell.locked:
        grade_id = cell.id or f"locked-{hashlib.sha256(cell.source.encode()).hexdigest()[:8]}"
    elif cell.kind not in ("answer", "test", "question"):
        return None
    grade = cell.kind in ("test", "question")
    points = {"points": int(cell.points) if cell.points == int(cell.points) else cell.points} if grade else {}
    return {
        "cell_type": "markdown" if cell.kind == "question" else "code",
        "grade": grade,
        "grade_id": grade_id,
        "locked": cell.kind == "test" or cell.locked,
        "schema_version": 3,
        "solution": cell.kind in ("answer", "question"),
        "task": False,
        **points,
    }
