"""Weights, tokens, memories and masks for a decoder block."""

import torch

from autograder.catalogue.weights import decoder_block, drawn

B, T, S, DIM, HEADS, HIDDEN_WIDTH = 2, 5, 7, 6, 3, 11


def inputs(g, dropout=0.0, rows=slice(None), memory_len=S):
    """Weights, tokens [2, 5, 6] and a memory [2, 7, 6]."""
    arguments = {"input_dim": DIM, "num_heads": HEADS, "dim_feedforward": HIDDEN_WIDTH, "dropout": dropout}
    weights = drawn(g, decoder_block(DIM, HIDDEN_WIDTH))
    x, memory = torch.randn(B, T, DIM, generator=g), torch.randn(B, memory_len, DIM, generator=g)
    return {"arguments": arguments, "weights": weights, "x": x[rows], "memory": memory[rows]}


def masked(g, kind=torch.bool, axes=2):
    """A mask that hides token 1 from all the others; it shows later tokens, which causality hides."""
    case = inputs(g)
    mask = torch.rand(T, T, generator=g) < 0.5
    mask[:, 0] = mask[:, 4] = True
    mask[:, 1] = False
    mask = mask | torch.eye(T, dtype=torch.bool)
    if axes == 3:
        mask = mask.expand(B, T, T).clone()
    return case | {"mask": mask.to(kind)}


def padded(g, moved=False):
    """A mask [2, 1, 1, 5] of padding: the sentences have 5 and 3 tokens.

    When `moved`, the first four tokens of the first sentence are others, and so is padding in the second.
    """
    case = inputs(g)
    if moved:
        case["x"][0, :4] = 2 * torch.randn(4, DIM, generator=g)
        case["x"][1, 3] = 2 * torch.randn(DIM, generator=g)
    return case | {"mask": (torch.arange(T) < torch.tensor([[5], [3]]))[:, None, None]}


def memory_masked(g, kind=torch.bool, moved=None):
    """A mask [2, 1, 7] of padding in the memory; the rows at `moved` are others."""
    case = inputs(g)
    if moved is not None:
        case["memory"][:, moved] = 2 * torch.randn(B, DIM, generator=g)
    return case | {"memory_mask": (torch.arange(S) < torch.tensor([[5], [4]]))[:, None].to(kind)}


def one_moved(g, place):
    case = inputs(g)
    case["x"][:, place] = 2 * torch.randn(B, DIM, generator=g)
    return case


def memory_moved(g):
    case = inputs(g)
    return case | {"memory": case["memory"] + torch.randn(B, S, DIM, generator=g)}


def silent(g):
    """Sub-layers that give zero: what is left are the residuals and the norms."""
    case = inputs(g)
    for name in ("self_attn.o_proj", "cross_attn.out_proj", "linear_net.3"):
        for part in ("weight", "bias"):
            case["weights"][f"{name}.{part}"].zero_()
    return case


def only(g, heard):
    """Half is dropped while training; all sub-layers but one give zero, and the feed-forward hears nothing."""
    case = inputs(g, dropout=0.5)
    weights = case["weights"]
    weights["linear_net.0.weight"].zero_()
    weights["linear_net.0.bias"].fill_(-1)  # after ReLU zero, whatever is dropped in between
    for name in {"self_attn.o_proj", "cross_attn.out_proj", "linear_net.3"} - {heard}:
        weights[f"{name}.weight"].zero_()
        weights[f"{name}.bias"].zero_()
    return case | {"training": True}


def all_dropped(g):
    """Everything is dropped while training: the residuals and the norms alone are left."""
    return inputs(g, dropout=1.0) | {"training": True}


def without_dropout(g):
    """In training mode, and dropout left to its default."""
    case = inputs(g)
    del case["arguments"]["dropout"]
    return case | {"training": True}
