"""nbgrader's page for grading by hand, without a network."""

from pathlib import Path
from typing import Any

from jinja2 import FileSystemLoader
from nbconvert.preprocessors import Preprocessor
from nbformat import NotebookNode

TEMPLATES = Path(__file__).parent / "formgrader_templates"


class LocalMathJax(Preprocessor):
    """The exporter that it belongs to loads MathJax from its own server: our macro comes before nbconvert's."""

    def __init__(self, **given: Any):
        super().__init__(**given)
        exporter: Any = self.parent
        exporter.extra_loaders = [FileSystemLoader(TEMPLATES), *exporter.extra_loaders]

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        """The same notebook."""
        return nb, resources
