"""Rows that many exercises share: the numbers are right, and something else is not."""

import math
from collections.abc import Callable, Mapping

from autograder.catalogue.edits import KnownMistake, mistake

NAMES = "Which names and sizes does the docstring give under “Parameters”?"
CUT = "Which call in your code cuts the graph: .data, .detach(), torch.tensor?"


def changed(thing: str) -> str:
    """What a check says of what is changed by the call."""
    return f"the {thing} is changed by the call"


def overwrites(argument: str, edits: Mapping[str, str] | Callable, loss: str, name: str = "", **more) -> KnownMistake:
    """An answer that writes into an argument, and what is lost by that."""
    return mistake(name or f"{argument} overwritten", edits, shown_by=changed(f"argument {argument}"), **more).because(
        f"The result is right, but `{argument}` has been overwritten: {loss}",
        f"Which of your lines writes into `{argument}` itself?",
    )


def takes_the_weight(what: str) -> str:
    """What is said where something hidden still counts, if what is visible counts for very little."""
    return (
        f"If all visible scores are very low, {what} still takes the weight from them; hide it before the softmax, "
        "with the lowest number of the dtype."
    )


def cut_off_scores(edits: Callable[[str], Mapping[str, str]]) -> tuple[KnownMistake, ...]:
    """Answers whose scores end at a limit; `edits` takes the arguments of `clamp`."""
    return tuple(
        mistake(f"scores cut off {where}", edits(limits)).because(
            "You cut the scores off at a limit, so beyond it they are all the same. Leave them as they are: to keep "
            "the softmax finite, subtract the row's largest score first.",
            "Which weights do two keys with scores of 60 and 100 get?",
        )
        for where, limits in (("above", "max=50"), ("below", "min=-50"), ("above and below", "-50, 50"))
    )


def of_other_dtypes(output: str, tokens: str) -> tuple[KnownMistake, ...]:
    """Answers whose tokens, made by this text of the reference, are no int64."""
    return tuple(
        mistake(
            f"{output} as {dtype}", {tokens: f"{tokens}.{cast}()"}, shown_by=f"{output} is {dtype}, expected int64"
        ).because(
            f"Your token ids are {dtype}; make them int64, so that an embedding accepts them.",
            "What is the dtype of `torch.zeros(…)`, and which of your lines changes it from int64?",
        )
        for dtype, cast in (("float32", "float"), ("int32", "int"))
    )


def in_double_precision(
    output: str, edits: Mapping[str, str], name: str = "in double precision", **more
) -> KnownMistake:
    """An answer that returns float64 for every input dtype."""
    says = "You return double precision; keep the input's dtype, or the next layer will refuse it."
    return mistake(name, edits, shown_by=f"{output} is float64, expected float32", **more).because(says, IN_DOUBLE)


def switches(what: str, name: str, edits: Mapping[str, str], says: str) -> KnownMistake:
    """An answer that leaves a mode, or everybody's random numbers, other than they were."""
    return mistake(name, edits, shown_by=changed(what)).because(
        says, f"What is the {what} before your call, and what is it afterwards?"
    )


def drops_in_training(edits: Mapping[str, str], name: str) -> KnownMistake:
    """An answer that applies dropout where none is specified."""
    says = "You apply dropout in training; this exercise has none."
    return mistake(name, edits, shown_by=DROPS).because(says, "Does the contract have a dropout?")


def other_names(edits: Mapping[str, str] | Callable, **more) -> KnownMistake:
    """A module that is right except for the names of its parameters."""
    says = "Your parameter names differ from the docstring's, so published weights will not load."
    return mistake("other names", edits, **more).because(
        says, "Which names does the docstring give under “Parameters”?"
    )


def no_super(what: str = "layers") -> KnownMistake:
    """A module that doesn't call `super().__init__()`, and so cannot register its parts."""
    return mistake("super().__init__() forgotten", {"super().__init__()\n": "pass\n"}).because(
        f"Your __init__ does not call super().__init__(), so the module cannot keep its {what}.",
        "What is the first line of a Module's __init__?",
    )


def floors(log_p: str, edited: str, probabilities: str, what: str = "token") -> tuple[KnownMistake, ...]:
    """Answers that add a small number before the logarithm, instead of taking log_softmax: `what` costs too little."""
    return tuple(
        mistake(f"a floor of {floor} added", {log_p: edited.format(f"({probabilities} + {floor}).log()")}).because(
            f"You take the logarithm of the probabilities plus {floor}, so no {what} can cost more than "
            f"{-math.log(float(floor)):.0f}. Use log_softmax.",
            "What is log p if the target's logit is 100 below the largest one?",
        )
        for floor in ("1e-12", "1e-10", "1e-9", "1e-8")
    )


IN_DOUBLE = "Which of your lines makes a float64 tensor, and do you cast back?"
DROPS = "in training the same inputs give different numbers"


def modes_not_restored(question: str, after_an_error: str | None = None) -> tuple[KnownMistake, ...]:
    """Where the reference restores each module's `training` in a `finally`; the finding that shows an error's."""
    restored = "module.training = training"
    return (
        mistake(
            "left in training mode", {restored: "module.training = True"}, shown_by=changed("mode of model")
        ).because("You leave the model in training mode, whatever mode it came in.", question),
        mistake(
            "one mode for all parts",
            {
                "    try:\n": "    whole = getattr(model, 'training', False)\n    try:\n",
                restored: "module.training = whole",
            },
        ).because(
            "You give every part of the model the mode of the whole, but a part may have come in another, as a frozen "
            "one does: give each part its own mode back.",
            question,
        ),
        mistake(
            "mode not restored after an error",
            {"    finally:\n": "    except ZeroDivisionError:\n        pass\n    if True:\n"},
            shown_by=after_an_error,
        ).because("If the model raises an error, it stays in eval mode: restore the modes in `finally`.", question),
    )
