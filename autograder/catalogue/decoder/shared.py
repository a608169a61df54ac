"""What several exercises of the decoder share: the checks of dropout."""

import numpy as np

from autograder.catalogue.checks import Check, is_true, unmoved


def dropout_as_asked(undropped: str, output: str) -> tuple[Check, ...]:
    """As much as was asked for, everywhere; nothing where nothing was asked for, and nothing in eval mode."""
    return (
        unmoved(undropped, "dropout, evaluated", output, text="dropout still acts in eval mode"),
        is_true("dropout, evaluated", [output, "again"], np.array_equal, "two calls in eval mode differ"),
        is_true("dropout, evaluated", ["dropouts"], lambda p: (p == 0.5).all(), "some part has another dropout"),
        unmoved(undropped, "no dropout, training", output, text="with dropout=0.0, training and eval mode differ"),
    )
