"""Stage 03: what is added to tokens to say where they stand."""

import torch

from autograder.probes.modules import build, furnish


def PositionalEncoding(student, arguments, x=None, ask="table"):
    """The "table" pe [1, max_len, d_model]; with `ask`, something else.

    The "ends" of the table: two rows of its beginning and two of its end. What is "added" to x [B, T, d_model].
    How it is "kept": whether pe is a buffer, how many entries the state dict has, and the shape of pe. The
    "output" for x.
    """
    module = student(**arguments).eval()
    if ask == "kept":
        shape = torch.tensor(module.pe.shape)
        return {"buffer": "pe" in dict(module.named_buffers()), "saved": len(module.state_dict()), "shape": shape}
    if ask == "ends":
        return {"ends": module.pe[..., [0, 1, -2, -1], :]}
    if ask == "added":
        return {"added": module(x.clone()) - x, "own": module.pe.squeeze()[: x.shape[1]]}
    if ask == "output":
        return {"output": module(x)}
    return {"table": module.pe[:, : arguments["max_len"] + 1]}  # one row too many says enough


def LearnedPositions(student, arguments, weights=None, x=None, ask="output"):
    """x [B, T, d_model] → output [B, T, d_model]; with `ask`, something else.

    Its "parameters", only that they fit; what is "added" to x; the "gradients" that reach the rows of its
    table, [max_len], and the x.
    """
    if ask == "parameters":
        return {"count": sum(p.numel() for p in build(student, arguments, weights).parameters())}
    module = furnish(student, arguments, weights)
    if ask == "added":
        return {"added": module(x.clone()) - x}
    if ask == "output":
        return {"output": module(x)}
    x.requires_grad_()
    (module(x * 1) * torch.linspace(1, 2, x.numel(), dtype=x.dtype).reshape(x.shape)).sum().backward()
    table = next(iter(module.parameters()))
    rows = torch.zeros(len(table)) if table.grad is None else table.grad.abs().amin(dim=1)
    return {"rows": rows, "of_x": torch.zeros(()) if x.grad is None else x.grad.abs().min()}
