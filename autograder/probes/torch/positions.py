"""Stage 03: what is added to tokens to say where they stand."""

import torch

from autograder.probes.calling import call
from autograder.probes.torch.modules import build, load_matching_weights


def PositionalEncoding(student, arguments, x=None, ask="table"):
    """The "table" pe [1, max_len, d_model]; with `ask`, something else.

    The "ends" of the table: two rows of its beginning and two of its end. What is "added" to x [B, T, d_model];
    the same in "training", and "afterwards", when a shorter sequence has come before. How it is "kept": whether pe
    is a buffer, how many entries the state dict has, and the shape of pe. The "output" for x. The "gradient" of x.
    """
    module = call(student, "d_model max_len", **arguments).train(ask == "training")
    if ask == "kept":
        shape = torch.tensor(module.pe.shape)
        return {"buffer": "pe" in dict(module.named_buffers()), "saved": len(module.state_dict()), "shape": shape}
    if ask == "ends":
        return {"ends": module.pe[..., [0, 1, -2, -1], :]}
    if ask == "gradient":
        return {"of_x": _back_to(x, module)}
    if ask == "afterwards":
        module(x[:1, :-1].clone())
    if ask in ("added", "training", "afterwards"):
        return {"added": module(x.clone()) - x, "own": module.pe.squeeze()[: x.shape[1]]}
    if ask == "output":
        return {"output": module(x)}
    return {"table": module.pe[:, : arguments["max_len"] + 1]}  # one row too many says enough


def LearnedPositions(student, arguments, weights=None, x=None, ask="output"):
    """x [B, T, d_model] → output [B, T, d_model]; with `ask`, something else.

    Its "parameters", only that they fit; what is "added" to x, the same in "training", and "afterwards", when a
    shorter sequence has come before; the "gradients" that reach the rows of its table, [max_len], and the x.
    """
    if ask == "parameters":
        return {"number of parameters": sum(p.numel() for p in build(student, arguments, weights).parameters())}
    module = load_matching_weights(student, arguments, weights)
    if ask == "afterwards":
        module(x[:1, :-1].clone())
    if ask in ("added", "training", "afterwards"):
        return {"added": module.train(ask == "training")(x.clone()) - x}
    if ask == "output":
        return {"output": module(x)}
    of_x, table = _back_to(x, module), next(iter(module.parameters()))
    rows = torch.zeros(len(table)) if table.grad is None else table.grad.abs().amin(dim=1)
    return {"rows": rows, "of_x": of_x.abs().min()}


def _back_to(x, module):
    """The gradient of x [...] when the entries of the output weigh 1 to 2; 0 where none comes back."""
    x.requires_grad_()
    output = module(x * 1)
    if output.requires_grad:
        (output * torch.linspace(1, 2, output.numel(), dtype=output.dtype).reshape(output.shape)).sum().backward()
    return torch.zeros_like(x) if x.grad is None else x.grad
