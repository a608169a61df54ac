"""What several exercises of the decoder share: rows whose numbers are right, and the checks of dropout."""

from collections.abc import Mapping

import numpy as np

from autograder.catalogue.checks import Check, is_true, unmoved
from autograder.catalogue.edits import Mistake, wrong


def dropout_as_asked(undropped: str, output: str) -> tuple[Check, ...]:
    """As much as was asked for, everywhere; nothing where nothing was asked for, and nothing in eval mode."""
    return (
        unmoved(undropped, "dropout, evaluated", output, text="dropout still acts in eval mode"),
        is_true("dropout, evaluated", [output, "again"], np.array_equal, "two calls in eval mode differ"),
        is_true("dropout, evaluated", ["dropouts"], lambda p: (p == 0.5).all(), "some part has another dropout"),
        unmoved(undropped, "no dropout, training", output, text="dropout=0.0 still drops while training"),
    )


def overwrites(argument: str, edits: Mapping[str, str], loss: str, name: str = "") -> Mistake:
    """An answer that writes into an argument, and what is lost by that."""
    return wrong(
        name or f"{argument} overwritten", edits, shown_by=f"the argument {argument} is another one after the call"
    ).because(
        f"The result is right, but `{argument}` has been overwritten: {loss}",
        f"Which of your lines writes into `{argument}` itself?",
    )


def of_dtype(dtype: str, output: str, edits: Mapping[str, str], says: str, asks: str, due: str = "float32") -> Mistake:
    """An answer with the right numbers in another dtype."""
    return wrong(f"{output} as {dtype}", edits, shown_by=f"{output} is {dtype} where {due} is due").because(says, asks)


def in_double_precision(output: str, edits: Mapping[str, str]) -> Mistake:
    """An answer in float64 whatever came in."""
    return of_dtype(
        "float64",
        output,
        edits,
        "You answer in double precision whatever came in: the next layer, in single, will refuse it.",
        "Which of your lines makes a float64 tensor, and do you cast back?",
    )
