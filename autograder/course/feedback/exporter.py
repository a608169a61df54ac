"""The page of feedback: nbgrader's, with the verdicts first and formulas that need no network."""

from pathlib import Path

import nbgrader.server_extensions.formgrader
from docutils.utils.math import MathError
from jinja2 import Environment, pass_context
from jinja2.runtime import Context
from nbconvert.exporters import HTMLExporter
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor
from pygments.formatters import HtmlFormatter
from traitlets import default
from traitlets.config import Config

from autograder.course.feedback.mathml import mathml

READABLE = "xcode"  # of Pygments' styles the one whose every colour has a contrast of 4.5 on the page's grey
READABLE_IN_THE_DARK = "lightbulb"  # and on the dark page's black
NOTHING_WRITTEN = "No response."  # nbgrader's comment on an answer that is as released
LONGEST = 2000  # characters of a formula; a longer one stands as it was typed
TEMPLATES = Path(__file__).parent / "templates"
NBGRADERS = Path(nbgrader.server_extensions.formgrader.__file__).parent / "templates"


class Formulas(IPythonRenderer):
    """Markdown to HTML, formulas to MathML; a formula that cannot be parsed is shown as typed."""

    def inline_math(self, body: str) -> str:
        return self._drawn(body, False)

    def block_math(self, body: str) -> str:
        return self._drawn(body, True)

    def _drawn(self, body: str, alone: bool) -> str:
        try:
            if len(body) <= LONGEST:
                return mathml(body.strip(), alone)
        except (MathError, ValueError, LookupError, AttributeError, TypeError, RecursionError):
            pass  # a student may type anything
        return f"<code>{self.escape_html(body)}</code>"


class FeedbackExporter(HTMLExporter):
    """A graded notebook as the student's page."""

    @default("template_name")
    def _template_name(self) -> str:
        return "course_feedback"

    def _create_environment(self) -> Environment:
        environment = super()._create_environment()
        dark = HtmlFormatter(style=READABLE_IN_THE_DARK).get_token_style_defs("#notebook .highlight")
        environment.globals["dark_code"] = "\n".join(dark)
        return environment

    @pass_context
    def markdown2html(self, context: Context, source: str) -> str:
        """The filter that renders Markdown."""
        attachments = context.get("cell", {}).get("attachments", {})
        renderer = Formulas(escape=False, attachments=attachments, exclude_anchor_links=True)
        return MarkdownWithMath(renderer=renderer).render(source)


class MarkWhatWaits(NbGraderPreprocessor):
    """After nbgrader's `GetGrades`: which answers wait for a person, how many points these are, and which are empty."""

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        """The same notebook; `waits` in the metadata of a graded cell, and in the resources the sum of their points."""
        about = resources["nbgrader"]
        with Gradebook(about["db_url"]) as gradebook:
            found = gradebook.find_submission_notebook(about["notebook"], about["assignment"], about["student"])
            waiting = {grade.name for grade in found.grades if grade.needs_manual_grade}
        about["waiting"] = 0
        for cell in nb.cells:
            grading = cell.metadata.get("nbgrader", {})
            if grading.get("comment") == NOTHING_WRITTEN:
                grading |= {"comment": "No answer.", "unanswered": True}
            if grading.get("grade_id") in waiting:
                grading["waits"] = True
                about["waiting"] += grading["points"]
        return nb, resources


def configure_feedback(c: Config) -> None:
    """The exporter and its templates, in nbgrader's configuration."""
    c.CSSHTMLHeaderPreprocessor.style = READABLE
    c.GenerateFeedback.exporter_class = FeedbackExporter
    c.FeedbackExporter.template_name = "course_feedback"
    c.FeedbackExporter.extra_template_basedirs = [str(TEMPLATES)]
    c.FeedbackExporter.extra_template_paths = [str(NBGRADERS)]
