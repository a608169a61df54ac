"""Stage 01: functions of tensors. Each probe calls the student's function and names what it returned."""

import torch

from autograder.probes.calling import call


def softmax(student, logits, gradient=False, **arguments):
    """logits [...] → weights [...]; with `gradient`, also whether autograd can follow them back."""
    logits.requires_grad_(gradient)
    weights = call(student, logits=logits * 1, **arguments)  # not a leaf, so that in-place operations are allowed
    return {"weights": weights} | ({"connected": weights.requires_grad} if gradient else {})


def scaled_dot_product(student, q, k, v, mask=None, gradient=False, blind_query=None):
    """q [..., L, d_k], k [..., S, d_k], v [..., S, d_v] → values [..., L, d_v], attention [..., L, S].

    With `gradient`, also those of q, k and v. A `blind_query` sees no key: what it gets is free as long
    as it is a number, so its row is taken out and only its finiteness reported.
    """
    inputs = {"q": q, "k": k, "v": v}
    for tensor in inputs.values():
        tensor.requires_grad_(gradient)
    values, attention = call(student, q=q, k=k, v=v, **({} if mask is None else {"mask": mask}))
    found = {"values": values, "attention": attention}
    if blind_query is not None:
        seeing = [query for query in range(q.shape[-2]) if query != blind_query]
        blind = torch.cat([tensor[..., blind_query, :].flatten() for tensor in (values, attention)])
        return {name: tensor[..., seeing, :] for name, tensor in found.items()} | {"finite": blind.isfinite().all()}
    if gradient:
        ramp = torch.linspace(-1, 1, values.numel(), dtype=values.dtype).reshape(values.shape)
        for name, tensor in inputs.items():
            grad = torch.autograd.grad((values * ramp).sum(), tensor, retain_graph=True, allow_unused=True)[0]
            found[f"gradient_{name}"] = torch.zeros_like(tensor) if grad is None else grad
    return found


def causal_mask(student, size):
    """size → mask [size, size]."""
    return {"mask": student(size)}


def padding_mask(student, lengths, max_len=None):
    """lengths [B] → mask [B, max_len]."""
    return {"mask": call(student, lengths=lengths, **({} if max_len is None else {"max_len": max_len}))}


def expand_mask(student, mask):
    """mask [L, S], [B, L, S] or 4-D → mask 4-D."""
    return {"mask": student(mask)}
