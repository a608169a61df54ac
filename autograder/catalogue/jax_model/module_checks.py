"""What the flax modules of stage 22 promise besides the numbers of torch's."""

from autograder.catalogue.checks import Check, is_true, matches, unmoved
from autograder.catalogue.common_jax_mistakes import GUESSED, NOT_DRAWN
from autograder.catalogue.exercise import Case

STATE, JIT = "parameters of the contract, and nothing else is state", "it works under jit"
KEYS = "the key decides what drops"
NOT_ONLY_PARAMS = "nnx.state(module) holds more than Params"


def state(case: str = "parameters") -> tuple[Check, ...]:
    """The parameters have the names and shapes of the contract, and all leaves are Params."""
    return matches(case), is_true(case, ["only_params"], bool, NOT_ONLY_PARAMS)


DRAWS = is_true("draws", ["draws"], bool, NOT_DRAWN)


def keyed(make, like: str = "values", rate: float = 0.5) -> tuple[Case, ...]:
    """Three calls that drop: two with one key, one with another."""
    return (
        Case("dropped", lambda g: make(g, rate, training=True), same_as=like),
        Case("dropped again", lambda g: make(g, rate, training=True, ask="again"), same_as=like),
        Case("dropped, another key", lambda g: make(g, rate, training=True, seed=2), same_as=like),
    )


def with_keys_alone(make) -> Case:
    """A call that gets keys and isn't told to train."""
    return Case("keys, and nobody trains", lambda g: make(g, 0.5, training="keys alone"), same_as="values")


SILENT = unmoved("values", "keys, and nobody trains", "output", text=GUESSED)


def traced(case: str = "values", how: str = "traced") -> Check:
    """The same numbers come under jit."""
    return unmoved(case, how, "output", text="under jit the numbers differ")
