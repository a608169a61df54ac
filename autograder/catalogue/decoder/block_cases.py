"""The cases of `DecoderBlock`: with injected weights, masks on both sides, and sub-layers that are silent."""

import torch

from autograder.catalogue.exercise import Case
from autograder.catalogue.weights import decoder_block, drawn, scaling

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


def masked_by_heads(g, name, keys):
    """A mask [2, 3, 5, keys] that differs between samples, heads and queries.

    Each query sees a key that causality shows too. In many rows the first such key is hidden, and the last.
    """
    case, queries = inputs(g), torch.arange(T)
    visible = torch.rand(B, HEADS, T, keys, generator=g) < 0.4
    visible[..., queries, queries // 2] = True
    return case | {name: visible}


def memory_masked_by_queries(g):
    """A mask [5, 7] of the memory that differs between the queries."""
    case = masked_by_heads(g, "memory_mask", S)
    return case | {"memory_mask": case["memory_mask"][0, 0]}


def padded(g, moved=False):
    """A mask [2, 1, 1, 5] of padding: the sentences have 5 and 3 tokens.

    When `moved`, the first four tokens of the first sentence are others, and so is padding in the second.
    """
    case = inputs(g)
    if moved:
        case["x"][0, :4] = 2 * torch.randn(4, DIM, generator=g)
        case["x"][1, 3] = 2 * torch.randn(DIM, generator=g)
    return case | {"mask": (torch.arange(T) < torch.tensor([[5], [3]]))[:, None, None]}


def memory_masked(g, kind=torch.bool, axes=3, moved=None):
    """A mask [2, 1, 7] or [2, 1, 1, 7] of padding in the memory; what is hidden, or visible row 3, is `moved`."""
    case, real = inputs(g), torch.arange(S) < torch.tensor([[5], [4]])
    if moved:
        places = ~real if moved == "hidden" else torch.arange(S).expand(B, S) == 3
        case["memory"][places] = 2 * torch.randn(int(places.sum()), DIM, generator=g)
    return case | {"memory_mask": real.view(B, *(axes - 2) * [1], S).to(kind)}


def one_moved(g, place):
    case = inputs(g)
    case["x"][:, place] = 2 * torch.randn(B, DIM, generator=g)
    return case


def memory_moved(g):
    case = inputs(g)
    return case | {"memory": case["memory"] + torch.randn(B, S, DIM, generator=g)}


def silent(g, but=None, dropout=0.0):
    """Sub-layers that give zero, all but one: what is left are the residuals and the norms."""
    case = inputs(g, dropout)
    for name in {"self_attn.o_proj", "cross_attn.out_proj", "linear_net.3"} - {but}:
        case["weights"][f"{name}.weight"].zero_()
        case["weights"][f"{name}.bias"].zero_()
    return case


def only(g, sub_layer):
    """Half is dropped while training; all other sub-layers give zero, and the feed-forward gets no input."""
    case = silent(g, sub_layer, dropout=0.5)
    case["weights"]["linear_net.0.weight"].zero_()
    case["weights"]["linear_net.0.bias"].fill_(-1)  # after ReLU zero, whatever is dropped in between
    return case | {"training": True}


def all_ones(g):
    """Two tokens and two memory rows, all 1; each sub-layer returns 3, 7 or 5 times what it reads; half is dropped."""
    case = inputs(g, dropout=0.5) | {"x": torch.ones(23, 2, DIM), "memory": torch.ones(23, 2, DIM), "ones": True}
    factors = {"self_attn.o_proj": 3, "cross_attn.out_proj": 7, "linear_net.3": 5}
    return case | {"weights": scaling(decoder_block(DIM, HIDDEN_WIDTH), HEADS, factors)}


def without_dropout(g):
    """In training mode, and dropout left to its default."""
    case = inputs(g)
    del case["arguments"]["dropout"]
    return case | {"training": True}


CASES = (
    Case("parameters", lambda g: inputs(g) | {"strict": True}, same_as="values"),
    Case("values", inputs),
    Case("memory as long as the tokens", lambda g: inputs(g, memory_len=T)),
    Case("one sample alone", lambda g: inputs(g, rows=slice(1, 2)), same_as="values"),
    Case("one token moved", lambda g: one_moved(g, 2), same_as="values"),
    Case("another memory", memory_moved, same_as="values"),
    Case("influence", lambda g: inputs(g) | {"influence": True}),
    Case("masked", masked, same_as="values"),
    Case("masked, influence", lambda g: masked(g) | {"influence": True}, same_as="values"),
    Case("mask of integers", lambda g: masked(g, torch.int64), same_as="values"),
    Case("mask of floats", lambda g: masked(g, torch.float32, axes=3), same_as="values"),
    Case("padding in the tokens", padded),
    Case("other tokens before the last", lambda g: padded(g, moved=True), same_as="padding in the tokens"),
    Case("padding in the memory", memory_masked),
    Case("hidden memory moved", lambda g: memory_masked(g, moved="hidden"), same_as="padding in the memory"),
    Case("visible memory moved", lambda g: memory_masked(g, moved="visible"), same_as="padding in the memory"),
    Case("memory mask of floats", lambda g: memory_masked(g, torch.float32, axes=4), same_as="padding in the memory"),
    Case("a mask for each head", lambda g: masked_by_heads(g, "mask", T)),
    Case("a memory mask for each head", lambda g: masked_by_heads(g, "memory_mask", S)),
    Case("a memory mask for each query", memory_masked_by_queries),
    Case("silent sub-layers", silent),
    Case("dropout, evaluated", lambda g: inputs(g, dropout=0.5), same_as="values"),
    Case("dropout on the self-attention", lambda g: only(g, "self_attn.o_proj")),
    Case("dropout on the cross-attention", lambda g: only(g, "cross_attn.out_proj")),
    Case("dropout on the feed-forward", lambda g: only(g, "linear_net.3")),
    Case("all ones, dropped", all_ones),
    Case("no dropout, training", without_dropout, same_as="values"),
    Case("everything dropped", lambda g: inputs(g, dropout=1.0) | {"training": True}, same_as="silent sub-layers"),
    Case("gradients", lambda g: inputs(g) | {"gradients": True}, same_as="values"),
    Case("fewer tokens", lambda g: inputs(g) | {"fewer": 3}, same_as="values"),
)
