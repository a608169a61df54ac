"""Stage 03: what is added to tokens to say where they stand."""

import torch

from autograder.probes.calling import call
from autograder.probes.torch.modules import build, load_matching_weights


def PositionalEncoding(student, arguments, x=None, ask="table"):
    """What `ask` names, of a module with these arguments; x [B, T, d_model]."""
    module = call(student, "d_model max_len", **arguments).eval()
    if ask == "table":  # of a longer one, one row too many says enough
        return {"table": module.pe[:, : arguments["max_len"] + 1]}
    if ask == "ends":  # two rows of its beginning and two of its end
        return {"ends": module.pe[..., [0, 1, -2, -1], :]}
    if ask == "kept":
        buffer, saved = "pe" in dict(module.named_buffers()), len(module.state_dict())
        return {"buffer": buffer, "saved": saved, "shape": torch.tensor(module.pe.shape)}
    if ask == "gradients":
        return {"of_x": _gradient(module, x)}
    if ask == "output":
        return {"output": call(module, x=x)}
    return {"added": _added(module, x, ask), "own": module.pe.squeeze()[: x.shape[1]]}


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
        rows = torch.zeros(len(table)) if table.grad is None else table.grad.abs().amin(dim=1)
        return {"rows": rows, "of_x": of_x.abs().min()}
    return {"output": call(module, x=x)} if ask == "output" else {"added": _added(module, x, ask)}


def _added(module, x, ask):
    """What is added to x: in training, or after a sample without its last token has been seen, if `ask` says so."""
    module.train(ask == "training")
    if ask == "afterwards":
        call(module, x=x[:1, :-1].clone())
    before = x.clone()
    return call(module, x=x) - before


def _gradient(module, x):
    """The gradient of x [...] when the entries of the output weigh 1 to 2; 0 where none comes back."""
    x.requires_grad_()
    output = call(module, x=x * 1)  # not a leaf, which could not be overwritten
    if output.requires_grad:
        (output * torch.linspace(1, 2, output.numel(), dtype=output.dtype).reshape(output.shape)).sum().backward()
    return torch.zeros_like(x) if x.grad is None else x.grad
