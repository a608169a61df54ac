import networkx as nx
import pytest
import torch
from torch.nn import functional as F

from course_lib.model.graph import GraphAttention

N, IN, OUT, HEADS = 7, 5, 3, 2


@pytest.fixture
def layer():
    torch.manual_seed(3)
    return GraphAttention(IN, OUT, HEADS, negative_slope=0.3).double()


@pytest.fixture
def x():
    return torch.randn(N, IN, dtype=torch.float64, generator=torch.Generator().manual_seed(5))


@pytest.fixture
def adjacency():
    """Of one direction, no node with itself, node 4 without neighbours."""
    edges = torch.rand(N, N, generator=torch.Generator().manual_seed(7)) < 0.4
    edges[4], edges[:, 4] = False, False
    return edges & ~torch.eye(N, dtype=torch.bool)


def test_it_is_the_formula_node_by_node(layer, x, adjacency):
    out, attention = layer(x, adjacency)
    for head, rows in enumerate(layer.proj.weight.chunk(HEADS)):
        z = x @ rows.T
        for i in range(N):
            near = [j for j in range(N) if adjacency[i, j] or i == j]
            scores = [F.leaky_relu(layer.target[head] @ z[i] + layer.source[head] @ z[j], 0.3) for j in near]
            weights = torch.stack(scores).softmax(0)
            torch.testing.assert_close(attention[head, i, near], weights, rtol=0, atol=1e-12)
            torch.testing.assert_close(out[i, head * OUT : (head + 1) * OUT], weights @ z[near], rtol=0, atol=1e-12)


def test_a_graph_of_networkx_serves_as_it_comes(layer):
    club = torch.from_numpy(nx.to_numpy_array(nx.karate_club_graph()))  # its weights are numbers of meetings
    out, attention = layer(torch.randn(34, IN, dtype=torch.float64), club)
    assert out.shape == (34, HEADS * OUT)
    assert ((attention > 0) == ((club != 0) | torch.eye(34, dtype=torch.bool))).all()


def test_it_is_the_gat_conv_of_torch_geometric(layer, x, adjacency):
    geometric = pytest.importorskip("torch_geometric.nn", reason="torch_geometric is not installed")
    theirs = geometric.GATConv(IN, OUT, heads=HEADS, negative_slope=0.3, bias=False).double()
    theirs.lin.weight.data = layer.proj.weight.data
    theirs.att_src.data, theirs.att_dst.data = layer.source.data[None], layer.target.data[None]
    edges = adjacency.T.nonzero().T  # from j to i
    torch.testing.assert_close(theirs(x, edges), layer(x, adjacency)[0], rtol=0, atol=1e-10)
