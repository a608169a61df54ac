"""Build a student's module and put known weights into it, so that its outputs can be compared."""

from collections.abc import Callable

import torch
from torch import nn

from autograder.probes.calling import call
from autograder.protocol.sentences import OTHER_NAMES

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
        alike = missing and not changed and _depths(expected) == _depths(found)
        super().__init__("; ".join([OTHER_NAMES if alike else "parameters differ from the contract", *parts]))


def _depths(shapes: dict) -> list:
    """How deep each parameter lies, and its shape: what is left when names are not looked at."""
    return sorted((name.count("."), shape) for name, shape in shapes.items())


def shapes(state: dict) -> dict[str, list[int]]:
    """Names and shapes of a state dict, as JSON."""
    return {name: list(value.shape) for name, value in state.items()}


def build(student: type[nn.Module], arguments: dict, weights: dict[str, torch.Tensor]) -> nn.Module:
    """`student(**arguments)` holding `weights`, in eval mode; a `ParameterMismatch` if they do not fit."""
    return fit(call(student, **arguments), weights)


def fit(module: nn.Module, weights: dict[str, torch.Tensor], buffers: bool = False) -> nn.Module:
    """The module holding `weights`, in eval mode; a `ParameterMismatch`, and nothing is changed, if they do not fit.

    With `buffers` it may have buffers of its own, such as a causal mask that it saves along with them.
    """
    own = _own_buffers(module) if buffers else {}
    state = {name: value for name, value in module.state_dict().items() if name not in own}
    expected, found = shapes(weights), shapes(state)
    if expected != found:
        raise ParameterMismatch(expected, found)
    module.load_state_dict(weights | own)
    return module.eval()


def load_matching_weights(student: type[nn.Module], arguments: dict, weights: dict[str, torch.Tensor]) -> nn.Module:
    """Like `build`, but parameters that do not fit are no error: see `hold`. Buffers keep their numbers."""
    return hold(call(student, **arguments), weights)


def hold(module: nn.Module, weights: dict[str, torch.Tensor]) -> nn.Module:
    """The module with these weights, in eval mode, found also under the names of the contract if it has others.

    So a name costs the one criterion that asks for it. What has no counterpart there stays when it starts as one number
    throughout, as the scale of a norm does, and gets numbers of its own otherwise, the same ones in every run.
    """
    own, state = dict(module.named_parameters(remove_duplicate=False)), {}
    for expected, name in counterparts(module, weights).items():
        if weights[expected].shape == own[name].shape:
            state[name] = weights[expected]
            _alias(module, expected, name)
    held = {id(own[name]) for name in state}
    others = sorted(name for name, parameter in own.items() if id(parameter) not in held)
    for place, name in enumerate(others):
        value = own[name].detach()
        if value.numel() == 1 or (value != value.flatten()[0]).any():
            wave = torch.cos(1.7 * torch.arange(value.numel(), dtype=torch.float64) + place)
            state[name] = (0.5 * wave).reshape(value.shape)
    module.load_state_dict(state, strict=False)
    return module.eval()


def counterparts(module: nn.Module, weights: dict[str, torch.Tensor]) -> dict[str, str]:
    """Name in the contract → the parameter of a module that holds it: of this name, or else of this shape.

    Of several those whose names are more alike (see `ALIKE`), and then by alphabet.
    """
    own = dict(module.named_parameters(remove_duplicate=False))
    found = {name: name for name in sorted(weights) if name in own}
    wanted, offered = ({name: x.shape for name, x in sorted(of.items()) if name not in found} for of in (weights, own))
    for alike in ALIKE:
        for expected, shape in [*wanted.items()]:
            name = next((n for n in offered if offered[n] == shape and alike(expected, n, own[n])), None)
            if name:
                found[expected] = name
                del wanted[expected], offered[name]
    return found


ALIKE = (
    lambda expected, name, own: expected.partition(".")[2] == name.partition(".")[2] != "",  # the part is renamed
    lambda expected, name, own: "." in name and expected.rpartition(".")[2] == name.rpartition(".")[2],
    lambda expected, name, own: expected.endswith("bias") == bool((own == 0).all()),  # beta and gamma
    lambda expected, name, own: True,
)


def _alias(module: nn.Module, expected: str, name: str) -> None:
    """What is kept under a dotted name is found under that of the contract too, whole and part by part."""
    parts, names = expected.split("."), name.split(".")
    if not hasattr(module, expected):
        module.__dict__[expected] = module.get_parameter(name)
    for wanted, kept in zip(parts, names, strict=True) if len(parts) == len(names) else ():
        if not hasattr(module, wanted):
            module.__dict__[wanted] = getattr(module, kept)
        module = getattr(module, kept)


def replace_part(module: nn.Module, name: str, part: nn.Module) -> None:
    """Put another part where a module that holds its weights keeps this one of the contract."""
    held = getattr(module, name, None)
    setattr(module, next((own for own, child in module.named_children() if child is held), name), part)


def left_by_dropout(block: nn.Module, norms: tuple[str, ...], output: Callable) -> dict[str, torch.Tensor]:
    """Of a block without its norms: its output in eval mode (`plain`), and each number of that in training (`left`)."""
    for name in norms:
        replace_part(block, name, nn.Identity())
    plain = output(block.eval())
    return {"plain": plain, "left": torch.unique(torch.round(output(block.train()), decimals=2))}


def _own_buffers(module: nn.Module) -> dict[str, torch.Tensor]:
    """What is saved with a module and not learned."""
    learned = {name for name, _ in module.named_parameters(remove_duplicate=False)}
    return {name: value for name, value in module.state_dict().items() if name not in learned}


def leaves(inputs: dict) -> tuple[dict, dict]:
    """The inputs that a gradient may come back to; and all inputs as they are given: no leaf may be overwritten."""
    found = {name: x.requires_grad_() for name, x in inputs.items() if torch.is_tensor(x) and x.is_floating_point()}
    return found, inputs | {name: leaf * 1 for name, leaf in found.items()}


def gradient_norms(module: nn.Module, output: torch.Tensor, weights: dict, **inputs) -> dict[str, torch.Tensor]:
    """What comes back from output to the parameters of the contract and to these inputs, all in alphabetical order.

    Of each the largest entry (`gradients`), and the length (`norms`), which tells a way back that is cut in part; 0
    for no gradient, −1 for no such parameter. By alphabet, for on their way here names may have lost the order they
    had.
    """
    ramp = torch.linspace(-1, 2, output.numel(), dtype=output.dtype).reshape(output.shape)
    module.zero_grad()
    if output.requires_grad:
        (output * ramp).sum().backward()
    reached = vars(module) | dict(module.named_parameters(remove_duplicate=False)) | inputs
    asked = sorted([*weights, *inputs])
    grads = [getattr(reached.get(name), "grad", None) for name in asked]
    grads = [torch.zeros(1) if grad is None else grad for grad in grads]
    missing = torch.tensor([float(name not in reached) for name in asked])
    return {
        "gradients": torch.stack([grad.abs().max() for grad in grads]) - missing,
        "norms": torch.stack([grad.norm() for grad in grads]) - missing,
    }


def differ(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Whether two calls gave something else: all that can be compared of what is drawn at random."""
    return bool((one - other).abs().max() > 1e-3)


def dropouts(module: nn.Module, outside: str = "no such part") -> torch.Tensor:
    """The probabilities of the Dropouts in a module, but for those `outside`, the smallest first; none when it drops in
    another way. Parts may be made in any order."""
    found = [
        part.p for name, part in module.named_modules() if isinstance(part, nn.Dropout) and not name.startswith(outside)
    ]
    return torch.tensor(sorted(found), dtype=torch.float64)
