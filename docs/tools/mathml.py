"""Formulas as MathML, which browsers draw themselves: no script, no font and no network."""

import re

from docutils.nodes import SkipNode
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.util import logging

OTHER_NAMES = {
    r"\\dots(?![a-z])": r"\\ldots",
    r"\\mathrm(?![a-z])": r"\\text",
    r"\\[bB]igg?(?![a-z])": "",
}  # what docutils has no name for
log = logging.getLogger(__name__)


def setup(app: Sphinx) -> dict:
    """Offer `mathml` as a value of `html_math_renderer`."""
    app.add_html_math_renderer("mathml", inline_renderers=(inline, None), block_renderers=(block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def mathml(formula: str, alone: bool = False) -> str:
    """A formula of LaTeX as MathML; a `MathError` for what docutils cannot read.

    >>> "mfrac" in mathml(r"\\frac{1}{2}, \\dots")
    True
    """
    for name, other in OTHER_NAMES.items():
        formula = re.sub(name, other, formula)
    return tex2mathml(formula, as_block=alone)


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
