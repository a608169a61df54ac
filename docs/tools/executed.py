"""The solved stages, executed: each once, and again only when what it is made of has changed."""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import nbformat
from nbclient import NotebookClient
from traitlets.config import Config

from autograder.build.notebook import source_notebook
from autograder.build.stage import AuthoredStage
from autograder.stripping.variants import chosen

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / "build" / "executed"
SECONDS_A_CELL = 1200
SURROUNDINGS = {  # nobody's points or parts; pictures at once; one thread is the faster here
    "COURSE_PROGRESS": "off",
    "COURSE_MY_TRANSFORMER": "off",
    "COURSE_GUESS": "off",
    "OMP_NUM_THREADS": "1",
}
APART = Config(KernelManager={"transport": "ipc"})  # no port that others could speak to


def executed(stage: AuthoredStage) -> nbformat.NotebookNode:
    """The solved notebook of a stage with its outputs; a cell that fails is an error of the build."""
    notebook = source_notebook(stage)
    for cell in notebook.cells:
        cell.source = chosen(cell.source)
    path = KEPT / f"{stage.name}-{_digest(notebook)}.ipynb"
    if not path.exists():
        with patch.dict(os.environ, SURROUNDINGS):
            NotebookClient(notebook, timeout=SECONDS_A_CELL, kernel_name="python3", config=APART).execute()
        KEPT.mkdir(parents=True, exist_ok=True)
        for old in KEPT.glob(f"{stage.name}-*.ipynb"):
            old.unlink()
        path.write_text(nbformat.writes(notebook), "utf-8")
    return nbformat.read(path, as_version=4)


def _digest(notebook: nbformat.NotebookNode) -> str:
    """Of the page, and of all that it may import."""
    digest = hashlib.sha256(nbformat.writes(notebook).encode())
    for path in _sources():
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def _sources() -> Iterator[Path]:
    for package in ("course_lib", "autograder"):
        for kind in ("*.py", "*.j2", "*.css"):
            yield from sorted((ROOT / package).rglob(kind))
