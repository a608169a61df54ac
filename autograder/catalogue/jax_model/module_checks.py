"""What the flax modules of stage 22 promise besides the numbers of torch's."""

import re
from dataclasses import replace

import numpy as np

from autograder.catalogue.checks import Check, is_true, matches, unmoved
from autograder.catalogue.common_jax_mistakes import ALIKE, GUESSED, KEY_USED_TWICE, NOT_DRAWN, PARTLY_DRAWN
from autograder.catalogue.exercise import Case
from autograder.catalogue.results import Finding, Results
from autograder.probes.jax.modules import name_in_flax

STATE, JIT = "parameters of the contract, and nothing else is state", "it works under jit"
KEYS = "the key decides what drops"
OF_TORCH = re.compile(r"[\w.]+\.(weight|bias)\b")
NOT_ONLY_PARAMS = "nnx.state(module) holds more than Params"


def state(case: str = "parameters") -> tuple[Check, ...]:
    """The parameters have the names and shapes of the contract, and all leaves are Params."""
    return matches(case), is_true(case, ["only_params"], bool, NOT_ONLY_PARAMS)


def begin_apart(start) -> bool:
    """No two kernels begin with the same numbers, whatever their scale: a dozen of them never agree by chance."""
    return bool((abs(np.corrcoef(start)[~np.eye(len(start), dtype=bool)]) < 0.95).all())


DRAWS = (
    is_true("draws", ["draws"], bool, NOT_DRAWN),
    is_true("draws", ["undrawn"], lambda number: number == 0, PARTLY_DRAWN),
    is_true("draws", ["start"], begin_apart, ALIKE),
)
OWN_KEYS = is_true("dropped again", ["own_keys"], bool, KEY_USED_TWICE)


def in_flax(*checks: Check) -> tuple[Check, ...]:
    """The same checks, whose findings name parameters as flax does."""

    def renamed(check: Check) -> Check:
        def asked(results: Results) -> Finding | None:
            found = check(results)
            return found and replace(found, text=OF_TORCH.sub(lambda name: name_in_flax(name[0]), found.text))

        return asked

    return tuple(map(renamed, checks))


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
