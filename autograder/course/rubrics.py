"""On the formgrader's page for grading by hand: the rubric below a written answer, and what was said before.

Made when the page is, from source/ and the gradebook: nothing of it is in a notebook or in feedback.
"""

from collections import Counter
from pathlib import Path

import nbformat
from jinja2 import Environment
from markupsafe import Markup
from nbconvert.preprocessors import Preprocessor
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell
from nbgrader.api import MissingEntry

from autograder.build.rubric import rubric_of
from autograder.directory.course import Course, CourseError
from autograder.directory.database import open_gradebook
from autograder.directory.variants import variant_of
from autograder.grading.notebook import Notebook
from autograder.stripping.variants import chosen

OFFERED = 12  # earlier comments
ADD = (
    "const box = document.getElementById(this.name); box.value += (box.value && '\\n\\n') + this.value; "
    "for (const kind of ['input', 'change']) box.dispatchEvent(new Event(kind, {bubbles: true}))"
)
PANEL = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string("""\
<div class="panel panel-info rubric">
{% if rubric.items %}
<div class="panel-heading">Rubric
{%- if rubric.points != points %}: it adds up to {{ "%g" % rubric.points }}, the question counts {{ "%g" % points }}
{%- endif %}</div>
<ul class="list-group">
{% for points, what in rubric.items %}
<li class="list-group-item"><span class="badge">{{ "%g" % points }}</span>{{ what }}</li>
{% endfor %}
</ul>
{% endif %}
{% if said %}
<div class="panel-body"><p>Said before; a click adds it to your comment:</p>
{% for comment, times in said %}
<p><button type="button" class="btn btn-default btn-sm" style="white-space: normal; text-align: left"
name="{{ cell }}-comment" value="{{ lines(comment) }}" onclick="{{ add }}">{{ lines(comment) }}
<span class="badge">{{ times }}</span></button></p>
{% endfor %}
</div>
{% endif %}
{% if rubric.items %}
<div class="panel-footer"><details><summary style="display: list-item">Model answer</summary>

{{ model_answer }}

</details></div>
{% endif %}
</div>
""")


class ShowRubrics(Preprocessor):
    """Below each answer that a person may comment on, where the formgrader shows it."""

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        """The notebook with the panels in it; as it came where it is not the formgrader that asks."""
        if "submission_id" not in resources:
            return nb, resources
        try:
            course = Course.open(Path.cwd())  # where JupyterLab was started, or this would not be configured
            solved = Notebook(nbformat.read(course.source_file(resources["assignment_id"]), as_version=4)).named
            said = _said_before(course, resources["assignment_id"], resources["notebook_id"])
            variant = variant_of(course, resources["assignment_id"], resources["student"])
        except (CourseError, MissingEntry, OSError, ValueError) as error:
            self.log.warning("No rubrics: %s", error)
            return nb, resources
        cells = []
        for cell in nb.cells:
            cells.append(cell)
            name = cell.metadata.get("nbgrader", {}).get("grade_id")
            if shown := panel(cell, solved.get(name), said.get(name, Counter()), variant):
                cells.append(new_markdown_cell(shown))
        nb.cells = cells
        return nb, resources


def panel(cell: NotebookNode, solved: NotebookNode | None, said: Counter, variant: int) -> str:
    """The panel below a cell, in Markdown; empty where there is nothing to show."""
    written = solved.source if solved is not None and cell.cell_type == "markdown" else ""
    rubric = rubric_of(chosen(written, variant))
    if not rubric.items and not said:
        return ""
    grading = cell.metadata["nbgrader"]
    return PANEL.render(
        rubric=rubric,
        points=grading.get("points", 0),
        model_answer=Markup(rubric.model_answer),
        said=said.most_common(OFFERED),
        cell=grading["grade_id"],
        add=ADD,
        lines=_lines,
    )


def _lines(text: str) -> Markup:
    """Text inside HTML that Markdown must not see the end of."""
    return Markup(Markup.escape(text).replace("\r", "").replace("\n", Markup("&#10;")))


def _said_before(course: Course, stage: str, notebook: str) -> dict[str, Counter]:
    """Cell → each comment that a person gave there, and how often."""
    with open_gradebook(course.db_url, course.course_id) as gradebook:
        return {
            cell.name: Counter(c.manual_comment.strip() for c in cell.comments if (c.manual_comment or "").strip())
            for cell in gradebook.find_notebook(notebook, stage).solution_cells
        }
