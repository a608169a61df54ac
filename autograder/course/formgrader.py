"""nbgrader's page for grading by hand, without a network."""

from pathlib import Path

from jinja2 import FileSystemLoader
from nbconvert.preprocessors import Preprocessor

TEMPLATES = Path(__file__).parent / "formgrader_templates"


class LocalMathJax(Preprocessor):
    """The exporter that it belongs to loads MathJax from its own server: our macro comes before nbconvert's."""

    def __init__(self, **given):
        super().__init__(**given)
        self.parent.extra_loaders = [FileSystemLoader(TEMPLATES), *self.parent.extra_loaders]

    def preprocess(self, nb, resources):
        """The same notebook."""
        return nb, resources
