"""Formulas as MathML, which browsers draw themselves: no script, no font and no network."""

import re

from docutils.utils.math.latex2mathml import tex2mathml

OTHER_NAMES = {
    r"\\dots(?![a-z])": r"\\ldots",
    r"\\mathrm(?![a-z])": r"\\text",
    r"\\[bB]igg?(?![a-z])": "",
}  # what docutils has no name for


def mathml(formula: str, alone: bool = False) -> str:
    """A formula of LaTeX as MathML.

    Raises:
        docutils.utils.math.MathError: docutils cannot read it.

    >>> "mfrac" in mathml(r"\\frac{1}{2}, \\dots")
    True
    """
    for name, other in OTHER_NAMES.items():
        formula = re.sub(name, other, formula)
    return tex2mathml(formula, as_block=alone)
