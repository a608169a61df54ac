"""Stage 03: what is added to tokens to say where they stand."""

import torch

from autograder.probes.calling import call
from autograder.probes.torch.modules import build, load_matching_weights


def PositionalEncoding(student, arguments, x=None, ask="table"):
    """What `ask` names in `OF_THE_ENCODING`, of a module with these arguments; x [B, T, d_model]."""
    module = call(student, "d_model max_len", **arguments).eval()
    return OF_THE_ENCODING[ask](module, x, arguments)


def LearnedPositions(student, arguments, weights, x, ask):
    """What `ask` names in `OF_LEARNED_POSITIONS`, of a module with these weights; x [B, T, d_model].

    Only the number of parameters asks for the weights of the contract: for all else a name costs nothing.
    """
    make = build if ask == "parameters" else load_matching_weights
    return OF_LEARNED_POSITIONS[ask](make(student, arguments, weights), x)


def _table(module, x, arguments):
    """pe [1, max_len, d_model]; of a longer one, one row too many says enough."""
    return {"table": module.pe[:, : arguments["max_len"] + 1]}


def _ends_of_the_table(module, x, arguments):
    """Two rows of its beginning and two of its end."""
    return {"ends": module.pe[..., [0, 1, -2, -1], :]}


def _how_it_is_kept(module, x, arguments):
    """Whether pe is a buffer, how many entries the state dict has, and the shape of pe."""
    shape = torch.tensor(module.pe.shape)
    return {"buffer": "pe" in dict(module.named_buffers()), "saved": len(module.state_dict()), "shape": shape}


def _added_and_own_rows(module, x, arguments):
    """What is added to x, and the rows of pe that are due."""
    return _added(module, x) | {"own": module.pe.squeeze()[: x.shape[1]]}


def _added_and_own_rows_in_training(module, x, arguments):
    return _added_and_own_rows(module.train(), x, arguments)


def _added_and_own_rows_after_another_call(module, x, arguments):
    return _added_and_own_rows(_after_a_shorter_sequence(module, x), x, arguments)


def _output(module, x, arguments=None):
    return {"output": module(x)}


def _gradient_of_x(module, x, arguments):
    return {"of_x": _gradient(module, x)}


def _number_of_parameters(module, x):
    return {"number of parameters": sum(parameter.numel() for parameter in module.parameters())}


def _added(module, x):
    return {"added": module(x.clone()) - x}


def _added_in_training(module, x):
    return _added(module.train(), x)


def _added_after_another_call(module, x):
    return _added(_after_a_shorter_sequence(module, x), x)


def _gradients(module, x):
    """The smallest entry of the gradient of each row of the table, [max_len], and that of x."""
    of_x, table = _gradient(module, x), next(iter(module.parameters()))
    rows = torch.zeros(len(table)) if table.grad is None else table.grad.abs().amin(dim=1)
    return {"rows": rows, "of_x": of_x.abs().min()}


def _after_a_shorter_sequence(module, x):
    """The module, which has seen one sample of x without its last token."""
    module(x[:1, :-1].clone())
    return module


def _gradient(module, x):
    """The gradient of x [...] when the entries of the output weigh 1 to 2; 0 where none comes back."""
    x.requires_grad_()
    output = module(x * 1)
    if output.requires_grad:
        (output * torch.linspace(1, 2, output.numel(), dtype=output.dtype).reshape(output.shape)).sum().backward()
    return torch.zeros_like(x) if x.grad is None else x.grad


OF_THE_ENCODING = {
    "table": _table,
    "ends": _ends_of_the_table,
    "kept": _how_it_is_kept,
    "added": _added_and_own_rows,
    "training": _added_and_own_rows_in_training,
    "afterwards": _added_and_own_rows_after_another_call,
    "output": _output,
    "gradient": _gradient_of_x,
}

OF_LEARNED_POSITIONS = {
    "parameters": _number_of_parameters,
    "added": _added,
    "training": _added_in_training,
    "afterwards": _added_after_another_call,
    "output": _output,
    "gradients": _gradients,
}
