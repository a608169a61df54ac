"""The stages as pages: prose, what a student is given to fill in, and the pictures of the solved notebook."""

import re

from nbformat import NotebookNode

from autograder.build.stage import AuthoredStage
from autograder.stripping.release import WRITTEN_ANSWER
from autograder.stripping.strip import strip
from docs.tools.executed import executed

BADGE = re.compile(r"^\[!\[Open in Colab\].*\n+")
NOTEBOOK_LINK = re.compile(r"\((\d\d_\w+)\.ipynb\)")
FENCE = "``````"  # longer than any in a cell
HTML, PNG, PLAIN = "text/html", "image/png", "text/plain"
WIDGET = "application/vnd.jupyter.widget-view+json"


def page(stage: AuthoredStage) -> str:
    """A stage as MyST Markdown: with the outputs of the solution, without the solution."""
    return "\n\n".join(part for cell in executed(stage).cells for part in _parts(cell) if part) + "\n"


def _parts(cell: NotebookNode) -> list[str]:
    grading = cell.metadata.get("nbgrader", {})
    if cell.cell_type == "markdown":
        return [WRITTEN_ANSWER if grading.get("grade") else _prose(cell.source)]
    if grading.get("grade_id") == "setup":
        return []
    source = strip(cell.source) if grading.get("solution") else cell.source
    return [_code(source, folded_as(cell)), *map(_output, cell.outputs)]


def folded_as(cell: NotebookNode) -> str:
    """What stands on a folded cell: those that only import or draw are no reading; empty for all others."""
    if cell.source.lstrip().startswith(("import ", "from ")):
        return "Imports"
    return "The code of this demonstration" if "picture" in cell.metadata.get("tags", ()) else ""


def _code(source: str, folded: str) -> str:
    code = f"{FENCE}python\n{source}\n{FENCE}"
    if not folded:
        return code
    begin, end = f'<details class="code"><summary>{folded}</summary>', "</details>"
    return f"{FENCE}{{raw}} html\n{begin}\n{FENCE}\n\n{code}\n\n{FENCE}{{raw}} html\n{end}\n{FENCE}"


def _prose(source: str) -> str:
    return NOTEBOOK_LINK.sub(r"(\1.md)", BADGE.sub("", source))


def _output(output: NotebookNode) -> str:
    """An output as the best that a page can hold."""
    if output.output_type == "stream":
        return _text(output.text)
    if output.output_type == "error":
        return _text(f"{output.ename}: {output.evalue}")
    data = output.data
    if HTML in data:
        return f'{FENCE}{{raw}} html\n<div class="output">{data[HTML]}</div>\n{FENCE}'
    if PNG in data:
        words = data.get(PLAIN, "").replace('"', "&quot;")
        return f'{FENCE}{{raw}} html\n<img alt="{words}" src="data:image/png;base64,{data[PNG].strip()}">\n{FENCE}'
    return "" if WIDGET in data else _text(data.get(PLAIN, ""))


def _text(text: str) -> str:
    return f"{FENCE}{{code-block}} text\n:class: output\n\n{text.rstrip()}\n{FENCE}"
