"""Build a student's module and put known weights into it, so that its outputs can be compared."""

import torch
from torch import nn

from autograder.probes.calling import call

NAMED = 4


class ParameterMismatch(Exception):
    """The module's parameters are not those of the contract; both lists travel to the judge."""

    def __init__(self, expected: dict, found: dict):
        self.expected, self.found = expected, found
        missing = [name for name in expected if name not in found]
        extra = [name for name in found if name not in expected]
        changed = [name for name in expected if name in found and expected[name] != found[name]]
        parts = [
            f"{label} {', '.join(names[:NAMED])}" + f" and {len(names) - NAMED} more" * (len(names) > NAMED)
            for label, names in (("missing:", missing), ("unexpected:", extra), ("other shape:", changed))
            if names
        ]
        super().__init__("parameters differ from the contract; " + "; ".join(parts))


def shapes(state: dict) -> dict[str, list[int]]:
    """Names and shapes of a state dict, as JSON."""
    return {name: list(value.shape) for name, value in state.items()}


def build(
    student: type[nn.Module], arguments: dict, weights: dict[str, torch.Tensor], buffers: bool = False
) -> nn.Module:
    """`student(**arguments)` holding `weights`, in eval mode; a `ParameterMismatch` if they do not fit.

    With `buffers` it may have buffers of its own, such as a causal mask that it saves along with them.
    """
    module = call(student, **arguments)
    own = _own_buffers(module) if buffers else {}
    state = {name: value for name, value in module.state_dict().items() if name not in own}
    expected, found = shapes(weights), shapes(state)
    if expected != found:
        raise ParameterMismatch(expected, found)
    module.load_state_dict(weights | own)
    return module.eval()


def load_matching_weights(student: type[nn.Module], arguments: dict, weights: dict[str, torch.Tensor]) -> nn.Module:
    """Like `build`, but parameters that do not fit are no error: they get numbers of their own. Buffers keep theirs.

    For what can be asked of a module whatever its parameters are called, so that a name costs one property.
    The numbers follow from name and place alone: the same module gives the same outputs on every run.
    """
    module = call(student, **arguments)
    state = _own_buffers(module)
    for place, (name, own) in enumerate(module.state_dict().items()):
        if name in state:
            continue
        known = weights.get(name)
        fits = known is not None and known.shape == own.shape
        wave = 0.5 * torch.cos(1.7 * torch.arange(own.numel(), dtype=torch.float64) + place)
        state[name] = known if fits else wave.reshape(own.shape).to(own.dtype)
    module.load_state_dict(state)
    return module.eval()


def _own_buffers(module: nn.Module) -> dict[str, torch.Tensor]:
    """What is saved with a module and not learned."""
    learned = {name for name, _ in module.named_parameters(remove_duplicate=False)}
    return {name: value for name, value in module.state_dict().items() if name not in learned}


def leaves(inputs: dict) -> tuple[dict, dict]:
    """The inputs that a gradient may come back to; and all inputs as they are given: no leaf may be overwritten."""
    found = {name: x.requires_grad_() for name, x in inputs.items() if torch.is_tensor(x) and x.is_floating_point()}
    return found, inputs | {name: leaf * 1 for name, leaf in found.items()}


def gradient_norms(module: nn.Module, output: torch.Tensor, names, **inputs) -> dict[str, torch.Tensor]:
    """What comes back from output to the named parameters and to these inputs, all in alphabetical order.

    Of each the largest entry (`gradients`), and the length (`norms`), which tells a way back that is cut in part; 0
    for none. By alphabet, for on their way here names may have lost the order they had.
    """
    ramp = torch.linspace(-1, 2, output.numel(), dtype=output.dtype).reshape(output.shape)
    module.zero_grad()
    if output.requires_grad:
        (output * ramp).sum().backward()
    reached = {**dict(module.named_parameters()), **inputs}
    grads = [getattr(reached.get(name), "grad", None) for name in sorted([*names, *inputs])]
    grads = [torch.zeros(1) if grad is None else grad for grad in grads]
    return {
        "gradients": torch.stack([grad.abs().max() for grad in grads]),
        "norms": torch.stack([grad.norm() for grad in grads]),
    }


def differ(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Whether two calls gave something else: all that can be compared of what is drawn at random."""
    return bool((one - other).abs().max() > 1e-3)


def dropouts(module: nn.Module, outside: str = "no such part") -> torch.Tensor:
    """The probability of every Dropout in a module, but for those `outside`; none when it drops in another way."""
    found = [
        part.p for name, part in module.named_modules() if isinstance(part, nn.Dropout) and not name.startswith(outside)
    ]
    return torch.tensor(found, dtype=torch.float64)
