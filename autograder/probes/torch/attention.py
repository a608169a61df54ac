"""Stage 01: functions of tensors. Each probe calls the student's function and names what it returned."""

import torch

from autograder.probes.calling import call


def softmax(student, logits, gradient=False, **arguments):
    """logits [...] → weights [...]; with `gradient`, also what comes back to the logits.

    In-place operations are allowed, also those after which autograd can only tell that there was a way back.
    """
    logits.requires_grad_(gradient)
    weights = call(student, logits=logits * 1, **arguments)  # not a leaf, so that it may be overwritten
    if not gradient:
        return {"weights": weights}
    found = {"weights": weights, "connected": getattr(weights, "requires_grad", False)}
    try:
        return found | {"gradient": _back_to(logits, weights), "overwritten": False}
    except RuntimeError as error:
        if "inplace operation" not in str(error):
            raise
        return found | {"gradient": torch.zeros_like(logits), "overwritten": True}


def scaled_dot_product(student, q, k, v, mask=None, gradient=False, blind_query=None):
    """q [..., L, d_k], k [..., S, d_k], v [..., S, d_v] → values [..., L, d_v], attention [..., L, S].

    With `gradient`, also those of q, k and v. A `blind_query` sees no key: what it gets is free as long
    as it is a number, so its row is taken out and only its finiteness reported.
    """
    inputs = {"q": q, "k": k, "v": v}
    for tensor in inputs.values():
        tensor.requires_grad_(gradient)
    found = _pair(call(student, q=q, k=k, v=v, **({} if mask is None else {"mask": mask})))
    if blind_query is not None:
        seeing = [query for query in range(q.shape[-2]) if query != blind_query]
        blind = torch.cat([tensor[..., blind_query, :].flatten() for tensor in found.values()])
        return {name: tensor[..., seeing, :] for name, tensor in found.items()} | {"finite": blind.isfinite().all()}
    if gradient:
        found |= {f"gradient_{name}": _back_to(tensor, found["values"]) for name, tensor in inputs.items()}
    return found


def causal_mask(student, size):
    """size → mask [size, size]."""
    return _mask(student(size))


def padding_mask(student, lengths, max_len=None):
    """lengths [B] → mask [B, max_len]."""
    return _mask(call(student, lengths=lengths, **({} if max_len is None else {"max_len": max_len})))


def expand_mask(student, mask):
    """mask [L, S], [B, L, S] or 4-D → mask 4-D."""
    return {"mask": student(mask)}


def _pair(result):
    """What a function that is to return two things gave; a tensor alone would come apart in samples."""
    if isinstance(result, torch.Tensor):
        return {"values": result}
    values, attention = result
    return {"values": values, "attention": attention}


def _mask(mask):
    """A mask, and whether it is a tensor: NumPy's arrays hold the same numbers."""
    return {"mask": mask, "tensor": isinstance(mask, torch.Tensor)}


def _back_to(tensor, result):
    """The gradient of a tensor when the entries of the result weigh −1 to 1; 0 where none comes back."""
    if not getattr(result, "requires_grad", False):
        return torch.zeros_like(tensor)
    ramp = torch.linspace(-1, 1, result.numel(), dtype=result.dtype).reshape(result.shape)
    grad = torch.autograd.grad((result * ramp).sum(), tensor, retain_graph=True, allow_unused=True)[0]
    return torch.zeros_like(tensor) if grad is None else grad
