"""Formulas of the documentation as MathML."""

from docutils.nodes import SkipNode
from docutils.utils.math import MathError
from sphinx.application import Sphinx
from sphinx.util import logging

from autograder.course.feedback.mathml import mathml

log = logging.getLogger(__name__)


def setup(app: Sphinx) -> dict:
    """Offer `mathml` as a value of `html_math_renderer`."""
    app.add_html_math_renderer("mathml", inline_renderers=(inline, None), block_renderers=(block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def inline(writer, node) -> None:
    """A formula in a line of text."""
    writer.body.append(f'<span class="math notranslate">{_or_as_it_stands(node, False)}</span>')
    raise SkipNode


def block(writer, node) -> None:
    """A formula that stands alone."""
    writer.body.append(f'<div class="math notranslate">{_or_as_it_stands(node, True)}</div>')
    raise SkipNode


def _or_as_it_stands(node, alone: bool) -> str:
    try:
        return mathml(node.astext(), alone)
    except MathError as error:
        log.warning("the formula %s cannot be drawn: %s", node.astext(), error, location=node)
        return f"<code>{node.astext()}</code>"
