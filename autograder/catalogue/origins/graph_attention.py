"""GraphAttention(in_dim, out_dim, num_heads, negative_slope=0.2): every node asks those that it hears."""

import numpy as np
import torch
from torch import nn

import course_lib.model.graph as reference
from autograder.catalogue.checks import (
    finite,
    fits,
    forgets,
    is_true,
    matches,
    same_in_training,
    shaped_as_expected,
    unmoved,
    where,
)
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise, common_criterion
from autograder.catalogue.gradients import gradients_flow
from autograder.catalogue.origins.graph_attention_mistakes import (
    FILL,
    LOOPS,
    MISTAKES,
    NODES,
    OUT,
    OVERFLOWS,
    SCORES,
    SHINES_THROUGH,
)
from autograder.catalogue.origins.graph_attention_promises_mistakes import PARAMETERS_AND_PROMISES
from autograder.catalogue.weights import drawn

N, IN, WIDTH, HEADS = 7, 5, 3, 2
HEARER, HEARD, ALONE = 2, 0, 4  # HEARER hears HEARD, which does not hear it; ALONE has no edge
SIZES = {"proj.weight": (HEADS * WIDTH, IN), "source": (HEADS, WIDTH), "target": (HEADS, WIDTH)}


def graph(g, kind=torch.bool, loops=False, whole=False, slope=None, heads=HEADS, cut=False, far=0, **settings):
    """x [7, 5], adjacency [7, 7], not symmetric; or with all edges, another slope, fewer heads, or as the cases say."""
    weights = drawn(g, SIZES)
    weights |= {name: 2 * weights[name] for name in ("source", "target")}
    x = torch.randn(N, IN, generator=g)
    adjacency = torch.rand(N, N, generator=g) < 0.4
    adjacency[HEARER, HEARD], adjacency[HEARD, HEARER], adjacency[HEARD, 1] = True, False, True
    adjacency[5, HEARD], adjacency[6, 3] = True, True
    if cut:
        adjacency[ALONE], adjacency[:, ALONE] = False, False
    adjacency = adjacency | torch.eye(N, dtype=torch.bool) if loops else adjacency & ~torch.eye(N, dtype=torch.bool)
    if whole:
        adjacency = torch.ones_like(adjacency)
    if far:  # exact in float32, whatever is added first: every feature of a node is about 500, every score ±15,000
        x = 1 + x[:, :1].round().expand(N, IN) / 1024
        if far < 0:  # a node that HEARD doesn't hear, with a score as far on the other side
            x[HEARER] = -16.0
        weights["proj.weight"] = torch.full_like(weights["proj.weight"], 100.0)
        weights |= {name: torch.full_like(weights[name], 5.0 * far) for name in ("source", "target")}
    arguments = {"in_dim": IN, "out_dim": WIDTH, "num_heads": HEADS}
    if slope is not None:
        arguments["negative_slope"] = slope
    if heads < HEADS:
        arguments["num_heads"] = heads
        weights = {name: weight[: heads * len(weight) // HEADS] for name, weight in weights.items()}
    return {"arguments": arguments, "weights": weights, "x": x, "adjacency": adjacency.to(kind)} | settings


def head_by_head(out, attention, x, proj):
    """Each head's own part of the projected nodes, averaged by its weights, side by side."""
    parts = [weights @ x @ rows.T for weights, rows in zip(attention, np.split(proj, HEADS), strict=True)]
    return attention.shape == (HEADS, N, N) and np.allclose(out, np.concatenate(parts, axis=1), atol=1e-4)


def heard_alone(attention, adjacency):
    """No weight where nobody is heard, and some along every edge; the diagonal is another criterion's."""
    other = ~np.eye(N, dtype=bool)
    nobody, along = attention[:, ~adjacency & other], attention[:, adjacency & other]
    return attention.shape == (HEADS, N, N) and np.abs(nobody).max() < 1e-6 and along.min() > 0


def unheard_alone(attention, adjacency):
    """No weight where nobody is heard."""
    return attention.shape == (HEADS, N, N) and np.abs(attention[:, ~adjacency & ~np.eye(N, dtype=bool)]).max() < 1e-6


def hears_itself_alone(attention):
    return attention.shape == (HEADS, N, N) and np.abs(attention[:, ALONE] - np.eye(N)[ALONE]).max() < 1e-5


class ByConcatenation(nn.Module):
    """The paper's own form: a product of the whole vector a with every pair of nodes."""

    def __init__(self, in_dim, out_dim, num_heads, negative_slope=0.2):
        super().__init__()
        self.source = nn.Parameter(torch.empty(num_heads, out_dim))
        self.target = nn.Parameter(torch.empty(num_heads, out_dim))
        self.proj = nn.Linear(in_dim, out_dim * num_heads, bias=False)
        self.bend = nn.LeakyReLU(negative_slope)
        for part in (self.source, self.target):
            nn.init.xavier_uniform_(part)

    def forward(self, x, adj):
        n, (h, d) = x.size(0), self.source.shape
        z = self.proj(x).view(n, h, d)
        pairs = torch.cat([z[:, None].expand(n, n, h, d), z[None].expand(n, n, h, d)], dim=-1)
        e = self.bend(torch.einsum("ijhd,hd->hij", pairs, torch.cat([self.target, self.source], -1)))
        seen = adj.bool().clone()
        seen.fill_diagonal_(True)
        weights = e.masked_fill(~seen, float("-inf")).softmax(-1)
        return torch.einsum("hij,jhd->ihd", weights, z).reshape(n, h * d), weights


PARAMETERS, WEIGHTS, HEARS_THEM = "parameters of the contract", "scores and weights", "i hears j along the edges"
ITSELF, JOINED = "every node hears itself", "the heads are averaged and joined"
ALONE_TOO, KINDS = "a node without neighbours gets finite numbers", "an adjacency of 0 and 1"
UNHEARD_FAR_BELOW = fits("scores far below 0", ["attention"], ["adjacency"], unheard_alone, SHINES_THROUGH)

GRAPH_ATTENTION = Exercise(
    id="GraphAttention",
    title="Attention on a graph",
    reference=reference.GraphAttention,
    cases=(
        Case("parameters", lambda g: graph(g, ask="parameters")),
        Case("all edges", lambda g: graph(g, whole=True)),
        Case("a slope of 0, one head", lambda g: graph(g, whole=True, slope=0.0, heads=1), same_as="all edges"),
        Case("some edges", graph),
        Case("in training", lambda g: graph(g, ask="training"), same_as="some edges"),
        Case("after another call", lambda g: graph(g, ask="afterwards"), same_as="some edges"),
        Case("with its diagonal", lambda g: graph(g, loops=True), same_as="some edges"),
        Case("edges as integers", lambda g: graph(g, kind=torch.int64), same_as="some edges"),
        Case("edges as doubles", lambda g: graph(g, kind=torch.float32, double=True), same_as="some edges"),
        Case("a node alone", lambda g: graph(g, cut=True), same_as="some edges"),
        Case("scores far above 0", lambda g: graph(g, far=1, whole=True)),
        Case("scores far below 0", lambda g: graph(g, far=-1, slope=1.0), same_as="scores far above 0"),
        Case("gradients", lambda g: graph(g, ask="gradients")),
    ),
    criteria=(
        Criterion(PARAMETERS, 0.5, matches("parameters")),
        Criterion(
            WEIGHTS,
            1.25,
            matches("all edges", "attention"),
            matches("a slope of 0, one head", "attention"),
            same_in_training("some edges"),
            finite("scores far above 0", text=OVERFLOWS),
            where(matches("all edges", "attention"), matches("scores far above 0", "attention")),
            where(matches("some edges"), where(UNHEARD_FAR_BELOW, matches("scores far below 0", "attention"))),
        ),
        Criterion(
            HEARS_THEM,
            0.75,
            shaped_as_expected("some edges", "attention"),
            fits(
                "some edges",
                ["attention"],
                ["adjacency"],
                heard_alone,
                "a node that is not a neighbour has a weight, or a neighbour has none",
            ),
            where(matches("all edges"), matches("with its diagonal")),
            UNHEARD_FAR_BELOW,
        ),
        Criterion(
            ITSELF,
            0.5,
            unmoved("some edges", "with its diagonal", text="it matters whether the adjacency has a diagonal"),
            shaped_as_expected("some edges", "attention"),
            is_true(
                "some edges",
                ["attention"],
                lambda attention: np.diagonal(attention, axis1=-2, axis2=-1).min() > 0,
                "a node does not hear itself",
            ),
        ),
        Criterion(
            JOINED,
            0.75,
            shaped_as_expected("all edges"),
            fits(
                "all edges",
                ["out", "attention"],
                ["x", "weights/proj.weight"],
                head_by_head,
                "out is not each head's average, head after head",
            ),
        ),
        Criterion(
            ALONE_TOO,
            0.25,
            finite("a node alone", text="a node without neighbours gives NaN"),
            shaped_as_expected("a node alone", "attention"),
            is_true(
                "a node alone",
                ["attention"],
                hears_itself_alone,
                "a node without neighbours does not hear itself alone",
            ),
        ),
        Criterion(
            KINDS,
            0.25,
            unmoved("some edges", "edges as integers", text="the same edges as integers give different numbers"),
            unmoved("some edges", "edges as doubles", text="the same edges as float64 give different numbers"),
        ),
        gradients_flow(0.25, SIZES, ("x",), matches("some edges")),
        common_criterion(0.5, forgets("some edges")),
    ),
    mistakes=MISTAKES + PARAMETERS_AND_PROMISES,
    forbidden=("GATConv", "GATv2Conv"),
    right_variants=(
        ByConcatenation,
        right(
            "by einsum",
            {
                NODES: 'torch.einsum("ni,hdi->hnd", x, self.proj.weight.unflatten(0, (self.num_heads, -1)))',
                OUT: 'torch.einsum("hij,hjd->ihd", attention, nodes).flatten(1)',
            },
        ),
        right(
            "bent by the larger of two",
            {
                SCORES: "torch.maximum(of_target[:, :, None] + of_source[:, None], "
                "self.negative_slope * (of_target[:, :, None] + of_source[:, None]))"
            },
        ),
        right(
            "diagonal by adding",
            {
                f"(adjacency != 0){LOOPS}": "(adjacency.to(x.dtype) + torch.eye(len(x), dtype=x.dtype)) > 0",
                FILL: "scores.masked_fill(~heard, -1e9)",
            },
        ),
        right("heads side by side", {OUT: "torch.cat(list(attention @ nodes), dim=-1)"}),
    ),
)
