"""Build a student's module and put known weights into it, so that its outputs can be compared."""

import torch
from torch import nn


class ParameterMismatch(Exception):
    """The module's parameters are not those of the contract; both lists travel to the judge."""

    def __init__(self, expected: dict, found: dict):
        self.expected, self.found = expected, found
        missing = [name for name in expected if name not in found]
        extra = [name for name in found if name not in expected]
        changed = [name for name in expected if name in found and expected[name] != found[name]]
        parts = [
            f"{label} {', '.join(names)}"
            for label, names in (("missing:", missing), ("unexpected:", extra), ("other shape:", changed))
            if names
        ]
        super().__init__("parameters differ from the contract; " + "; ".join(parts))


def shapes(state: dict) -> dict[str, list[int]]:
    """Names and shapes of a state dict, as JSON."""
    return {name: list(value.shape) for name, value in state.items()}


def build(student: type[nn.Module], arguments: dict, weights: dict[str, torch.Tensor]) -> nn.Module:
    """`student(**arguments)` holding `weights`, in eval mode; a `ParameterMismatch` if they do not fit."""
    module = student(**arguments)
    expected, found = shapes(weights), shapes(module.state_dict())
    if expected != found:
        raise ParameterMismatch(expected, found)
    module.load_state_dict(weights)
    return module.eval()
