"""Stage 01: functions of tensors. Each probe calls the student's function and names what it returned."""

import torch

from autograder.probes.calling import call
from autograder.probes.side_effects import equal


def softmax(student, logits, gradient=False, **arguments):
    """logits [...] → weights [...]; with `gradient`, also that of the logits, and whether weights and logits connect.

    In-place operations are allowed on what is the student's own, also those after which autograd refuses to go
    backward: `overwritten` says so.
    """
    logits, given = _watched_leaf(logits, gradient)
    weights = call(student, logits=given, **arguments)
    if not gradient:
        return {"weights": weights}
    found = {"weights": weights, "connected": getattr(weights, "requires_grad", False)}
    try:
        return found | {"gradient": _gradient(weights, logits), "overwritten": False}
    except RuntimeError as error:
        if "inplace operation" not in str(error):
            raise
        return found | {"gradient": torch.zeros_like(logits), "overwritten": True}


def scaled_dot_product(student, q, k, v, mask=None, gradient=False, fully_masked_query=None):
    """q [..., L, d_k], k [..., S, d_k], v [..., S, d_v] → values [..., L, d_v], attention [..., L, S].

    With `gradient`, also those of q, k and v. What a `fully_masked_query` gets is free as long as it is a number,
    so its row is taken out and only whether it is finite is reported, and whether the gradients are.
    """
    leaves, given = {}, {}
    for name, tensor in {"q": q, "k": k, "v": v}.items():
        leaves[name], given[name] = _watched_leaf(tensor, gradient)
    found = _values_and_attention(call(student, **given, **({} if mask is None else {"mask": mask})))
    if fully_masked_query is not None:
        others = [query for query in range(q.shape[-2]) if query != fully_masked_query]
        finite = {"finite": all(tensor[..., fully_masked_query, :].isfinite().all() for tensor in found.values())}
        if gradient:
            finite["finite gradient"] = all(grad.isfinite().all() for grad in _gradients(found, leaves).values())
        return {name: tensor[..., others, :] for name, tensor in found.items()} | finite
    return found | _gradients(found, leaves) if gradient else found


def causal_mask(student, size):
    """size → mask [size, size]."""
    return _mask(call(student, size=size))


def padding_mask(student, lengths, max_len=None):
    """lengths [B] → mask [B, max_len]; of a list, whether it gives what the tensor of its numbers gives."""
    if isinstance(lengths, list):
        listed = call(student, lengths=torch.tensor(lengths))
        try:
            taken = call(student, lengths=lengths)
            with torch._C.DisableTorchFunctionSubclass():  # whatever its own `==` says
                return {"taken": equal(taken, listed)}
        except Exception:  # whatever is not said of a list
            return {"taken": False}
    return _mask(call(student, lengths=lengths, **({} if max_len is None else {"max_len": max_len})))


def expand_mask(student, mask):
    """mask [L, S], [B, L, S] or 4-D → mask 4-D."""
    return {"mask": call(student, mask=mask)}


def _watched_leaf(tensor, gradient):
    """A tensor whose gradient may be asked for, and what a student is given: no leaf, which cannot be overwritten."""
    return (tensor.requires_grad_(), tensor * 1) if gradient else (tensor, tensor)


def _gradients(found, leaves):
    """The gradients that the values send back to these tensors."""
    return {f"gradient_{name}": _gradient(found["values"], tensor) for name, tensor in leaves.items()}


def _values_and_attention(returned):
    """The two tensors by name; one tensor alone is the values, and is not unpacked along its batch."""
    if isinstance(returned, torch.Tensor):
        return {"values": returned}
    values, attention = returned
    return {"values": values, "attention": attention}


def _mask(mask):
    """A mask, and whether it is a tensor: NumPy's arrays hold the same numbers."""
    return {"mask": mask, "tensor": isinstance(mask, torch.Tensor)}


def _gradient(output, tensor):
    """The gradient of a tensor when the entries of the output weigh −1 to 1; 0 where none comes back."""
    if not getattr(output, "requires_grad", False):
        return torch.zeros_like(tensor)
    ramp = torch.linspace(-1, 1, output.numel(), dtype=output.dtype).reshape(output.shape)
    grad = torch.autograd.grad((output * ramp).sum(), tensor, retain_graph=True, allow_unused=True)[0]
    return torch.zeros_like(tensor) if grad is None else grad
