"""Stage 03: what is added to tokens to say where they stand."""

import torch

from autograder.probes.calling import call
from autograder.probes.torch.modules import build, load_matching_weights


def PositionalEncoding(student, arguments, x=None, ask="table"):
    """What `ask` names, of a module with these arguments; x [B, T, d_model]."""
    module = call(student, "d_model max_len", **arguments).eval()
    if ask == "table":  # its rows, whatever axes it has besides: `kept` tells its shape
        return {"table": _table(module).flatten(0, -2)[None, : arguments["max_len"]]}
    if ask == "ends":  # two rows of its beginning and two of its end
        return {"ends": _table(module).flatten(0, -2)[None, [0, 1, -2, -1]]}
    if ask == "kept":
        found = {"named": hasattr(module, "pe"), "buffer": "pe" in dict(module.named_buffers())}
        return found | {"saved": len(module.state_dict()), "shape": torch.tensor(_table(module).shape)}
    if ask == "gradients":
        return {"of_x": _gradient(module, x)}
    if ask == "output":
        return {"output": call(module, x=x)}
    return _added(module, x, ask) | {"own": _table(module).squeeze()[: x.shape[1]]}


def LearnedPositions(student, arguments, weights, x, ask="added"):
    """What `ask` names, of a module with these weights; x [B, T, d_model].

    Only the number of parameters asks for the weights of the contract: for all else a name costs nothing.
    """
    if ask == "parameters":
        module = build(student, arguments, weights)
        return {"number of parameters": sum(parameter.numel() for parameter in module.parameters())}
    module = load_matching_weights(student, arguments, weights)
    if ask == "gradients":  # the smallest entry of the gradient of each row of the table, [max_len], and that of x
        of_x, table = _gradient(module, x), next(iter(module.parameters()))
        rows = torch.zeros(len(table)) if table.grad is None else table.grad.to_dense().abs().amin(dim=1)
        return {"rows": rows, "of_x": of_x.abs().min()}
    return {"output": call(module, x=x)} if ask == "output" else _added(module, x, ask)


def _table(module):
    """The table of a module: `pe`, or, if it has another name, its first buffer."""
    buffers = [*module.buffers()]
    return buffers[0] if buffers and not hasattr(module, "pe") else module.pe


def _added(module, x, ask):
    """What is added to x, in training or after other calls if `ask` says so.

    After other calls also what is added to the first token alone, in the second call with it.
    """
    module.train(ask == "training")
    if ask != "afterwards":
        return {"added": _difference(module, x)}
    _call_with_other_parameters(module, x[:1, :-1], x[:1, :1], x.flip(0))
    found = {"added": _difference(module, x)}
    call(module, x=x[:, :1].clone())
    return found | {"alone": _difference(module, x[:, :1])}


def _difference(module, x):
    """The output without x; the output itself, if it has another shape."""
    output = call(module, x=x.clone())
    return output - x if output.shape == x.shape else output


def _call_with_other_parameters(module, *inputs):
    """Call it on these inputs before training has led to the parameters that it has now."""
    _negate(module)
    for x in inputs:
        call(module, x=x.clone())
    _negate(module)


@torch.no_grad()
def _negate(module):
    """Twice, it leaves the parameters exactly as they were."""
    for parameter in module.parameters():
        parameter.neg_()


def _gradient(module, x):
    """The gradient of x [...] when the entries of the output weigh 1 to 2; 0 where none comes back."""
    x.requires_grad_()
    output = call(module, x=x * 1)  # not a leaf, which could not be overwritten
    if output.requires_grad:
        (output * torch.linspace(1, 2, output.numel(), dtype=output.dtype).reshape(output.shape)).sum().backward()
    return torch.zeros_like(x) if x.grad is None else x.grad
