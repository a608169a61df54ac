"""What goes wrong in `GraphAttention`."""

from autograder.catalogue.common_mistakes import (
    drops_in_training,
    in_double_precision,
    no_super,
    other_names,
    overwrites,
)
from autograder.catalogue.edits import mistake

SCORE = "Read LeakyReLU(target · W x_i + source · W x_j) from the inside: what is added, and what goes through what?"
HEARS = "adjacency[2, 0] is true and adjacency[0, 2] is not: which of the two nodes hears the other?"
ITSELF = "What does a node hear that has no neighbour?"
SUM = "Along which axis of the scores, [h, i, j], do the weights of one node i lie?"
HEADS = "The rows of proj are head by head: which of its outputs belong to head 0?"
NAMES = "Which names and sizes does the docstring give under “Parameters”?"
CUT = "Which call in your code cuts the graph: .data, .detach(), torch.tensor?"
HIDING = "What must the score of a node that is not heard be before the softmax, so that its weight is 0 after it?"

NODES = "self.proj(x).unflatten(-1, (self.num_heads, -1)).transpose(0, 1)"
TARGET, SOURCE = "of_target.unsqueeze(-1)", "of_source.unsqueeze(-2)"
SUMS = f"{TARGET} + {SOURCE}"
SCORES = f"F.leaky_relu({SUMS}, self.negative_slope)"
LOOPS = " | torch.eye(len(x), dtype=torch.bool, device=x.device)"
HEARD = f"(adjacency != 0){LOOPS}"
FILL = "scores.masked_fill(~heard, torch.finfo(scores.dtype).min)"
WEIGHTS = f"softmax({FILL}, dim=-1)"
OUT = "(attention @ nodes).transpose(0, 1).flatten(start_dim=1)"
RESULT = "return out, attention"
START = "nn.Parameter(torch.randn(num_heads, out_dim) / out_dim**0.5)"

OF_SCORES = (
    mistake("averages what came in, not the projected nodes", {"attention @ nodes": "attention @ x"}),
    mistake("no LeakyReLU", {SCORES: SUMS}).because(
        "There is no LeakyReLU: then target · W x_i adds the same to every score of node i, and the softmax does not "
        "see it.",
        SCORE,
    ),
    mistake("slope of torch", {", self.negative_slope)": ")"}).because(
        "You leave the slope to torch, whose LeakyReLU has 0.01; the paper's is 0.2, and it is an argument here.",
        "What does F.leaky_relu take as its second argument?",
    ),
    mistake("slope fixed", {", self.negative_slope)": ", 0.2)"}).because(
        "Your slope is always 0.2; negative_slope is an argument.", "Where does your class use negative_slope?"
    ),
    mistake("relu", {SCORES: f"F.relu({SUMS})"}).because("You have a ReLU: all negative scores become one.", SCORE),
    mistake(
        "LeakyReLU of each",
        {SCORES: f"F.leaky_relu({TARGET}, self.negative_slope) + F.leaky_relu({SOURCE}, self.negative_slope)"},
    ).because("You bend each half and add then: the two must meet first, or the softmax does not see who asks.", SCORE),
    mistake("source and target exchanged", {SUMS: "of_source.unsqueeze(-1) + of_target.unsqueeze(-2)"}).because(
        "You have exchanged the halves: `target` looks at the node that hears, i, and `source` at the one that is "
        "heard, j.",
        "Which of the two indices of the scores is the one that hears?",
    ),
    mistake("scaled", {WEIGHTS: WEIGHTS.replace("scores.masked", "(scores / nodes.shape[-1] ** 0.5).masked")}).because(
        "You divide by a root, as the Transformer does; this score has none.", SCORE
    ),
    mistake("dot products", {SCORES: "nodes @ nodes.transpose(-2, -1)"}).because(
        "You score by dot products of the nodes: source and target are never used.", SCORE
    ),
    mistake(
        "all neighbours alike", {SCORES: "torch.zeros_like(of_target.unsqueeze(-1) + of_source.unsqueeze(-2))"}
    ).because("All neighbours have the same weight: that is a mean over the neighbourhood, not attention.", SCORE),
    mistake("tanh", {SCORES: f"torch.tanh({SUMS})"}).because(
        "You have a tanh, as additive attention has; here it is a LeakyReLU.", SCORE
    ),
    mistake("multiplied", {SUMS: f"{TARGET} * {SOURCE}"}).because(
        "You multiply the two halves; they are added.", SCORE
    ),
    mistake("source twice", {SUMS: f"of_source.unsqueeze(-1) + {SOURCE}"}).because(
        "You use `source` for both ends; the node that hears is seen through `target`.", SCORE
    ),
)

OF_NEIGHBOURS = (
    mistake("adjacency transposed", {HEARD: HEARD.replace("adjacency", "adjacency.T")}).because(
        "You read the edges the other way round: adjacency[i, j] says that i hears j.", HEARS
    ),
    mistake("everybody heard", {FILL: "scores"}).because(
        "Every node hears every node: the graph has no effect.", HIDING
    ),
    mistake("edges inverted", {HEARD: f"(adjacency == 0){LOOPS}"}).because(
        "Your nodes hear those that they are not connected with.", HEARS
    ),
    mistake("scores times adjacency", {FILL: "scores * heard"}).because(
        "Multiplied by 0, a score is 0, and exp(0) is not: fill with a very low number.", HIDING
    ),
    mistake("masked after the softmax", {WEIGHTS: "softmax(scores, dim=-1) * heard"}).because(
        "You mask after the softmax: the weights of a node no longer sum to 1.",
        "What do the weights of a node sum to when half of all nodes are not heard?",
    ),
    mistake("edges in both directions", {HEARD: f"(adjacency != 0) | (adjacency.T != 0){LOOPS}"}).because(
        "You make every edge run both ways; a graph may have edges of one direction.", HEARS
    ),
    mistake("no self-loops", {LOOPS: ""}).because(
        "Your nodes do not hear themselves unless the adjacency says so: the diagonal belongs to the mask, always.",
        ITSELF,
    ),
    mistake("no self-loops, minus infinity", {LOOPS: "", "torch.finfo(scores.dtype).min": 'float("-inf")'}).because(
        "A node without neighbours hears nobody, not even itself: its row is −inf throughout, and gives NaN.", ITSELF
    ),
    mistake(
        "self-loops for isolated nodes alone",
        {LOOPS: " | (torch.eye(len(x), dtype=torch.bool) & (adjacency == 0).all(-1, keepdim=True))"},
    ).because("Only nodes without neighbours hear themselves; all do.", ITSELF),
    mistake("nobody hears itself", {LOOPS: " & ~torch.eye(len(x), dtype=torch.bool, device=x.device)"}).because(
        "You take the diagonal out; every node hears itself.", ITSELF
    ),
    mistake(
        "isolated nodes set to zero",
        {"        out = ": "        attention = attention * (adjacency != 0).any(-1, keepdim=True)\n        out = "},
        shown_by="a node without neighbours does not hear itself alone",
    ).because("A node without neighbours gets nothing from you; it hears itself.", ITSELF),
    mistake(
        "booleans only",
        {"(adjacency != 0)": "(adjacency & True if adjacency.dtype == torch.bool else adjacency.bool_())"},
        "Your mask works for booleans; an adjacency may also hold 0 and 1.",
        "What comes out of networkx.to_numpy_array?",
    ),
    mistake("weights counted as edges above one half", {"(adjacency != 0)": "(adjacency > 1)"}),
)

OF_WEIGHTS = (
    mistake("softmax over those that hear", {WEIGHTS: WEIGHTS.replace("dim=-1", "dim=-2")}).because(
        "Your softmax runs over i; the weights of one node i must sum to 1 over all j that it hears.", SUM
    ),
    mistake("softmax over the heads", {WEIGHTS: WEIGHTS.replace("dim=-1", "dim=0")}).because(
        "Your softmax runs over the heads; each head has its own weights, which sum to 1 over j.", SUM
    ),
    mistake("no softmax", {WEIGHTS: "scores.masked_fill(~heard, 0.0)"}).because(
        "You average with the raw scores: they are no shares, and may be negative.", SUM
    ),
    mistake("attention on its side", {RESULT: "return out, attention.transpose(-2, -1)"}).because(
        "The attention that you return is [h, j, i]: rows are the nodes that hear.", SUM
    ),
    mistake("mean of the heads' attention", {RESULT: "return out, attention.mean(dim=0)"}).because(
        "You return the mean of the heads' attention; each head has its own map.", SUM
    ),
    mistake("out alone", {RESULT: "return out"}).because(
        "You return the nodes alone; the attention is to be seen as well.", "How many things does forward return?"
    ),
    mistake("heads last", {RESULT: "return out, attention.permute(1, 2, 0)"}).because(
        "The attention that you return is [N, N, h]; the heads come first.", SUM
    ),
)

OF_HEADS = (
    mistake(
        "every h-th feature",
        {"unflatten(-1, (self.num_heads, -1)).transpose(0, 1)": "unflatten(-1, (-1, self.num_heads)).permute(2, 0, 1)"},
    ).because("Your head 0 gets the features 0, h, 2h, …; its part is the first out_dim features.", HEADS),
    mistake("reshaped straight to heads", {NODES: "self.proj(x).reshape(self.num_heads, len(x), -1)"}).because(
        "You reshape straight to [h, N, out_dim]: the shape is right, but heads and nodes are mixed up.", HEADS
    ),
    mistake("joined without moving the axis back", {OUT: "(attention @ nodes).reshape(len(x), -1)"}).because(
        "You reshape [h, N, out_dim] straight to [N, h·out_dim]: nodes and heads are mixed up.", HEADS
    ),
    mistake("mean over the heads", {OUT: "(attention @ nodes).mean(dim=0)"}).because(
        "You take the mean over the heads; here they are joined, [N, h·out_dim].",
        "What does the paper do with its heads in the hidden layers, and what in the last one?",
    ),
    mistake("joined feature by feature", {OUT: "(attention @ nodes).permute(1, 2, 0).flatten(start_dim=1)"}).because(
        "You join the heads feature by feature; they stand one after the other.", HEADS
    ),
)

OF_OUT = (
    mistake("ELU", {RESULT: "return F.elu(out), attention"}).because(
        "Your result goes through an ELU; that stands outside this layer.",
        "What does the docstring leave out of the paper?",
    ),
    mistake("sums of neighbours", {OUT: OUT.replace("attention @", "heard.to(nodes.dtype) @")}).because(
        "You add up all that are heard: the attention is computed and never used.",
        "What is averaged, and with which weights?",
    ),
    mistake("residual", {OUT: f"self.proj(x) + {OUT}"}).because(
        "You add the projected nodes once more; there is no residual in this layer.", "What does an isolated node get?"
    ),
    mistake("relu at the end", {RESULT: "return F.relu(out), attention"}).because(
        "Your result goes through a ReLU; that stands outside this layer.",
        "What does the docstring leave out of the paper?",
    ),
    mistake("weights on their side", {OUT: OUT.replace("attention @", "attention.transpose(-2, -1) @")}).because(
        "You average with the transposed weights: column i instead of row i.", SUM
    ),
)

OF_PARAMETERS = (
    mistake("a bias in proj", {", bias=False)": ")"}).because("Your proj has a bias; this layer has none.", NAMES),
    mistake(
        "a bias at the end",
        {
            "self.proj = ": "self.bias = nn.Parameter(torch.zeros(num_heads * out_dim))\n        self.proj = ",
            RESULT: "return out + self.bias, attention",
        },
    ).because("You add a bias at the end, as some libraries do; this layer has none.", NAMES),
    mistake(
        "one vector a",
        {
            f"self.source = {START}": "self.a = nn.Parameter(torch.randn(num_heads, 2 * out_dim))",
            f"        self.target = {START}\n": "",
            "self.target.": "self.a.chunk(2, dim=-1)[0].",
            "self.source.unsq": "self.a.chunk(2, dim=-1)[1].unsq",
        },
    ).because("You keep the paper's vector a in one piece; here its halves are called target and source.", NAMES),
    mistake("one pair for all heads", {"torch.randn(num_heads, out_dim)": "torch.randn(1, out_dim)"}, times=2).because(
        "All heads share one source and one target; each has its own.", NAMES
    ),
    mistake("as wide as one head", {"nn.Linear(in_dim, num_heads * out_dim, ": "nn.Linear(in_dim, out_dim, "}).because(
        "Your proj is as wide as one head, and you share it out; out_dim is the width of each.", NAMES
    ),
    other_names({"self.proj": "self.lin"}, times=2),
    no_super("parameters"),
)

BESIDES = (
    overwrites(
        "adjacency",
        {HEARD: "adjacency.fill_diagonal_(1) != 0"},
        "from then on the graph has the self-loops for everybody.",
        "diagonal written into the adjacency",
    ),
    in_double_precision("out", {RESULT: "return out.double(), attention"}),
    drops_in_training(
        {"        out = ": "        attention = F.dropout(attention, 0.1, self.training)\n        out = "},
        "dropout on the weights",
    ),
    mistake(
        "attention cut from the graph",
        {"        out = (attention @": "        out = (attention.detach() @"},
        shown_by="no gradient reaches source, target",
    ).because("The attention is cut off before you use it: source and target cannot learn.", CUT),
    mistake(
        "nodes cut from the graph", {"        out = (attention @ nodes)": "        out = (attention @ nodes.detach())"}
    ),
    mistake(
        "x cut from the graph",
        {"self.proj(x)": "self.proj(x.detach())"},
        shown_by="a part of the gradient is missing on its way to x",
    ).because("You detach the nodes that come in: the layer below cannot learn.", CUT),
)

MISTAKES = OF_SCORES + OF_NEIGHBOURS + OF_WEIGHTS + OF_HEADS + OF_OUT + OF_PARAMETERS + BESIDES
