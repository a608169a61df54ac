"""Rows that the exercises of the JAX track share, and what checks of transformations say."""

from collections.abc import Mapping

from autograder.catalogue.edits import KnownMistake, mistake

UNDER_JIT = (
    "What does your code know about an array while `jax.jit` traces it: its values, or only its shape and dtype?"
)
BACKWARD = "Which of your calls takes an array out of JAX's differentiation?"
NOISE = '{"deterministic": deterministic, "rngs": rngs}'  # what a module passes on when it is told to train


def decides_by_value(name: str, edits: Mapping[str, str], what: str, **more) -> KnownMistake:
    """An answer with an `if` on a traced array, which has no value yet."""
    says = (
        f"You decide with `if` on {what}, which has no value while tracing. Use `jnp.where` to choose between arrays."
    )
    return mistake(name, edits, **more).because(says, UNDER_JIT)


def leaves_jax(name: str, edits: Mapping[str, str], call: str, instead: str, **more) -> KnownMistake:
    """An answer that calls NumPy on an array that may be traced."""
    says = f"`{call}` needs the numbers themselves, and a tracer has none. Use `{instead}` instead."
    return mistake(name, edits, **more).because(says, UNDER_JIT)


def cut(name: str, edits: Mapping[str, str], what: str, **more) -> KnownMistake:
    """An answer that gradients do not flow through."""
    says = f"The numbers are right, but `stop_gradient` cuts off {what}. Let the gradient through."
    return mistake(name, edits, **more).because(says, BACKWARD)


def told_half(parts: str) -> tuple[KnownMistake, KnownMistake]:
    """A module that passes only half of `NOISE` to these parts."""
    return (
        mistake("flag not passed on", {NOISE: '{"deterministic": True, "rngs": rngs}'}).because(
            f"Nothing drops, whatever `deterministic` says. Pass it on to both dropouts and the {parts}."
        ),
        mistake("rngs not passed on", {NOISE: '{"deterministic": deterministic}'}).because(
            "You pass `deterministic` on and not `rngs`, so nnx.Dropout finds no key. Pass both."
        ),
    )


MODEL_NEVER_TOLD = mistake(
    "flags not passed on",
    {", deterministic=deterministic, rngs=rngs": ""},
    shown_by="the model isn't told to train",
).because("`deterministic` or `rngs` doesn't reach the model, so it never drops anything. Pass both on.")
