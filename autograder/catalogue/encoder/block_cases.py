"""What the two encoder blocks are tried on; both have the same parameters."""

import torch

from autograder.catalogue.exercise import Case
from autograder.catalogue.weights import drawn, encoder_block, scaling

B, T, H, DIM, HIDDEN_DIM = 2, 5, 3, 6, 11
HIDDEN, VISIBLE = 3, 0  # a token that is hidden from all others, one that all see
PARTS = ("self_attn", "linear_net", "norm1", "norm2")
PARAMETERS = tuple(encoder_block(DIM, HIDDEN_DIM))


def block(g, dropout=None, **settings):
    """A block with known weights, and x [B, T, DIM]."""
    given = {} if dropout is None else {"dropout": dropout}
    return {
        "arguments": {"input_dim": DIM, "num_heads": H, "dim_feedforward": HIDDEN_DIM} | given,
        "weights": drawn(g, encoder_block(DIM, HIDDEN_DIM)),
        "x": torch.randn(B, T, DIM, generator=g),
    } | settings


def wired(g, masked=False, **settings):
    """A block whose parts are stand-ins."""
    inputs = block(g, **settings)
    inputs["parts"] = {name: 0.7 * torch.randn(DIM, DIM, generator=g) for name in PARTS}
    return inputs | ({"mask": mask(g)} if masked else {})


def mask(g):
    """[T, T]"""
    visible = torch.rand(T, T, generator=g) < 0.6
    visible[:, VISIBLE], visible[:, HIDDEN] = True, False
    return visible


def masked(g, moved=None, samples=None):
    """A mask [T, T], or [B, T, T]; the token `moved` is another one."""
    inputs = block(g)
    visible = mask(g)
    if moved is not None:
        inputs["x"][:, moved] = 2 * torch.randn(B, DIM, generator=g)
    return inputs | {"mask": visible if samples is None else visible.expand(samples, -1, -1).contiguous()}


def masks_of_samples(g, which=None):
    """A mask [B, T, T] that differs between the samples; or one sample alone, with its own mask [T, T]."""
    inputs = block(g)
    visible = torch.rand(B, T, T, generator=g) < 0.5
    visible[..., VISIBLE] = True
    return inputs | ({"mask": visible} if which is None else {"mask": visible[which], "x": inputs["x"][[which]]})


def masks_of_heads(g):
    """A mask [1, H, T, T] that differs between the heads."""
    visible = torch.rand(1, H, T, T, generator=g) < 0.5
    visible[..., VISIBLE] = True
    return block(g, mask=visible)


def zeroed(g):
    """Both sub-layers give 0."""
    inputs = block(g, ask="norms")
    for name in ("self_attn.o_proj", "linear_net.3"):
        for part in ("weight", "bias"):
            inputs["weights"][f"{name}.{part}"] *= 0
    return inputs


def faint_sums(g):
    """What the norms of the sums get varies as little as eps."""
    inputs = block(g)
    small = ("self_attn.o_proj", "linear_net.3", "norm1")
    weights = {name: 2e-3 * value if name.startswith(small) else value for name, value in inputs["weights"].items()}
    return inputs | {"weights": weights, "x": 2e-3 * inputs["x"]}


def faint_input(g):
    """What the first norm gets, when it comes first, varies as little as eps."""
    inputs = block(g)
    return inputs | {"x": 2e-3 * inputs["x"]}


def all_ones(g):
    """Two tokens, all 1; each sub-layer returns 3 or 5 times what it reads; half is dropped."""
    weights = scaling(encoder_block(DIM, HIDDEN_DIM), H, {"self_attn.o_proj": 3, "linear_net.3": 5})
    return block(g, 0.5, ask="left by dropout", x=torch.ones(23, 2, DIM), weights=weights)


def other_sample(g):
    inputs = block(g)
    inputs["x"][1] = 2 * torch.randn(T, DIM, generator=g)
    return inputs


def one_sample(g):
    inputs = block(g)
    return inputs | {"x": inputs["x"][:1]}


def block_cases(faint) -> tuple[Case, ...]:
    """The cases of a block, given what its eps is tried on."""
    return (
        Case("parameters", lambda g: block(g, ask="parameters")),
        Case("wiring", wired),
        Case("wiring, masked", lambda g: wired(g, masked=True)),
        Case("values", block),
        Case("faint", faint),
        Case("sub-layers zeroed", zeroed),
        Case("masked", masked),
        Case("mask [B, T, T]", lambda g: masked(g, samples=B), same_as="masked"),
        Case("a mask for each sample", masks_of_samples),
        Case("the second sample, its mask", lambda g: masks_of_samples(g, 1), same_as="a mask for each sample"),
        Case("a mask for each head", masks_of_heads),
        Case("hidden token moved", lambda g: masked(g, HIDDEN), same_as="masked"),
        Case("visible token moved", lambda g: masked(g, VISIBLE), same_as="masked"),
        Case("another second sample", other_sample, same_as="values"),
        Case("after another call", lambda g: block(g, ask="afterwards"), same_as="values"),
        Case("the first sample alone", one_sample, same_as="values"),
        Case("eval, dropout 0.5", lambda g: block(g, 0.5, ask="twice"), same_as="values"),
        Case("training, dropout 1", lambda g: wired(g, dropout=1.0, training=True)),
        Case("training, no dropout given", lambda g: block(g, training=True), same_as="values"),
        Case("training, dropout 1, own parts", lambda g: block(g, 1.0, training=True), same_as="values"),
        Case("training, dropout 1 inside", lambda g: block(g, 1.0, training=True, ask="inside"), same_as="values"),
        Case("all ones, dropped", all_ones),
        Case("gradients", lambda g: block(g, ask="gradients")),
    )
