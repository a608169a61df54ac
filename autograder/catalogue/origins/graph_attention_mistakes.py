"""What goes wrong in the formula of `GraphAttention`."""

from autograder.catalogue.common_mistakes import cut_off_scores, takes_the_weight
from autograder.catalogue.edits import mistake

SCORE = "Read LeakyReLU(target · W x_i + source · W x_j) from the inside: what is added, and what goes through what?"
HEARS = "adjacency[2, 0] is true and adjacency[0, 2] is not: which of the two nodes hears the other?"
ITSELF = "What does a node without neighbours hear?"
SUM = "Along which axis of the scores, [h, i, j], are the weights of one node i?"
HEADS = "The rows of proj are head by head: which of its outputs belong to head 0?"
LARGE = "What is exp(1000) in float32?"
SHINES_THROUGH = "where all scores are far below 0, a node that is not heard still has a weight"
OVERFLOWS = "large scores give NaN or infinity"
HIDING = "What must the score of a node that is not heard be before the softmax, so that its weight is 0 after it?"

NODES = "self.proj(x).unflatten(-1, (self.num_heads, -1)).transpose(0, 1)"
TARGET, SOURCE = "of_target.unsqueeze(-1)", "of_source.unsqueeze(-2)"
SUMS = f"{TARGET} + {SOURCE}"
SCORES = f"F.leaky_relu({SUMS}, self.negative_slope)"
LOOPS = " | torch.eye(len(x), dtype=torch.bool, device=x.device)"
HEARD = f"(adjacency != 0){LOOPS}"
FILL = "scores.masked_fill(~heard, torch.finfo(scores.dtype).min)"
WEIGHTS = f"softmax({FILL}, dim=-1)"
BY_HAND = f"(lambda e: e / e.sum(dim=-1, keepdim=True).clamp(min=1e-38))({FILL}.exp())"
OUT = "(attention @ nodes).transpose(0, 1).flatten(start_dim=1)"
RESULT = "return out, attention"
START = "nn.Parameter(torch.randn(num_heads, out_dim) / out_dim**0.5)"

OF_SCORES = (
    mistake("averages the input, not the projected nodes", {"attention @ nodes": "attention @ x"}).because(
        "You average the inputs. Average the projected nodes, W x.", "How wide is what you average?"
    ),
    mistake("no LeakyReLU", {SCORES: SUMS}).because(
        "You leave out the LeakyReLU, so target · W x_i adds the same to every score of node i and the "
        "softmax cancels it; add it.",
        SCORE,
    ),
    mistake("slope of torch", {", self.negative_slope)": ")"}).because(
        "You use torch's default slope, 0.01; pass negative_slope.",
        "What does F.leaky_relu take as its second argument?",
    ),
    mistake("slope fixed", {", self.negative_slope)": ", 0.2)"}).because(
        "Your slope is always 0.2; use negative_slope.", "Where does your class use negative_slope?"
    ),
    mistake("a slope of 0 not taken", {"= num_heads, negative_slope": "= num_heads, negative_slope or 0.2"}).because(
        "If negative_slope is 0 you use 0.2, because 0 counts as false; use what the caller gives.",
        "What is `0.0 or 0.2`?",
    ),
    mistake("relu", {SCORES: f"F.relu({SUMS})"}).because(
        "You use a ReLU, which makes all negative scores 0; use a LeakyReLU.", SCORE
    ),
    mistake(
        "LeakyReLU of each",
        {SCORES: f"F.leaky_relu({TARGET}, self.negative_slope) + F.leaky_relu({SOURCE}, self.negative_slope)"},
    ).because("You apply the LeakyReLU to each half and add afterwards, so the query has no effect; add first.", SCORE),
    mistake("source and target exchanged", {SUMS: "of_source.unsqueeze(-1) + of_target.unsqueeze(-2)"}).because(
        "You swap the halves; `target` belongs to the node that hears, i, and `source` to the one that is heard, j.",
        "Which of the two indices of the scores is the one that hears?",
    ),
    mistake("scaled", {WEIGHTS: WEIGHTS.replace("scores.masked", "(scores / nodes.shape[-1] ** 0.5).masked")}).because(
        "You divide by a root, as the Transformer does; leave the score unscaled.", SCORE
    ),
    mistake(
        "dot products of source and target",
        {
            SCORES: "F.leaky_relu((nodes * self.target.unsqueeze(1)) @ (nodes * self.source.unsqueeze(1)).mT, "
            "self.negative_slope)"
        },
    ).because(
        "You multiply target · W x_i and source · W x_j feature by feature; sum each over its features first, then "
        "add the two.",
        SCORE,
    ),
    mistake(
        "LeakyReLU before source and target",
        {
            SCORES: "(lambda bent: (bent(nodes) * self.target.unsqueeze(1)).sum(-1).unsqueeze(-1)"
            " + (bent(nodes) * self.source.unsqueeze(1)).sum(-1).unsqueeze(-2))"
            "(lambda part: F.leaky_relu(part, self.negative_slope))"
        },
    ).because(
        "You apply the LeakyReLU to the projected nodes, before `target` and `source`; apply it to the sum.", SCORE
    ),
    mistake(
        "as in GATv2",
        {
            SCORES: "(F.leaky_relu(nodes.unsqueeze(2) + nodes.unsqueeze(1), self.negative_slope) "
            "* (self.target + self.source)[:, None, None]).sum(dim=-1)"
        },
    ).because(
        "You apply the LeakyReLU to W x_i + W x_j, as GATv2 does; apply it to the score, after `target` and `source`.",
        SCORE,
    ),
    mistake("dot products", {SCORES: "nodes @ nodes.transpose(-2, -1)"}).because(
        "You score by dot products of the nodes; use source and target.", SCORE
    ),
    mistake(
        "all neighbours alike", {SCORES: "torch.zeros_like(of_target.unsqueeze(-1) + of_source.unsqueeze(-2))"}
    ).because("You give all neighbours the same weight; compute it from the scores.", SCORE),
    mistake("tanh", {SCORES: f"torch.tanh({SUMS})"}).because(
        "You use a tanh, as in additive attention; use a LeakyReLU.", SCORE
    ),
    mistake("multiplied", {SUMS: f"{TARGET} * {SOURCE}"}).because("You multiply the two halves; add them.", SCORE),
    mistake("source twice", {SUMS: f"of_source.unsqueeze(-1) + {SOURCE}"}).because(
        "You use `source` for both ends; use `target` for the node that hears.", SCORE
    ),
)

OF_NEIGHBOURS = (
    *cut_off_scores(lambda limits: {SCORES: f"{SCORES}.clamp({limits})"}),
    mistake("−10,000 added to hidden scores", {FILL: "scores - 10000.0 * ~heard"}, shown_by=SHINES_THROUGH).because(
        takes_the_weight("a node that isn't heard"), HIDING
    ),
    mistake("adjacency transposed", {HEARD: HEARD.replace("adjacency", "adjacency.T")}).because(
        "You reverse the edges; adjacency[i, j] means that i hears j.", HEARS
    ),
    mistake("everybody heard", {FILL: "scores"}).because(
        "You ignore the graph, so every node hears every node; use the adjacency.", HIDING
    ),
    mistake("mask inverted", {"~heard": "heard"}).because(
        "You hide the nodes that are heard; hide those that are not.", HIDING
    ),
    mistake("edges inverted", {HEARD: f"(adjacency == 0){LOOPS}"}).because(
        "Your nodes hear those they are not connected to; invert your mask.", HEARS
    ),
    mistake("scores times adjacency", {FILL: "scores * heard"}).because(
        "You multiply hidden scores by 0, and exp(0) is 1; fill them with a very low number.", HIDING
    ),
    mistake("masked after the softmax", {WEIGHTS: "softmax(scores, dim=-1) * heard"}).because(
        "You mask after the softmax, so a node's weights no longer sum to 1; mask before it.",
        "What do the weights of a node sum to if it hears only half of all nodes?",
    ),
    *(
        mistake(
            name, {WEIGHTS: f"(lambda w: w / w.sum(dim=-1, keepdim=True){least})(softmax(scores, dim=-1) * heard)"}
        ).because(
            "You hide nodes after the softmax: if one that isn't heard had nearly all of the weight, almost nothing is "
            "left for the others. Hide the scores before the softmax.",
            HIDING,
        )
        for name, least in (
            ("renormalised after masking", ""),
            ("renormalised after masking, without 0 / 0", ".clamp(min=1e-9)"),
        )
    ),
    mistake("edges in both directions", {HEARD: f"(adjacency != 0) | (adjacency.T != 0){LOOPS}"}).because(
        "You make every edge run both ways; keep the direction of each edge.", HEARS
    ),
    mistake("a self-loop undoes hearing itself", {HEARD: HEARD.replace(" | ", " ^ ")}).because(
        "A node with a self-loop in the adjacency no longer hears itself; join the two masks with a logical or.",
        ITSELF,
    ),
    mistake("no self-loops", {LOOPS: ""}).because(
        "Your nodes hear themselves only if the adjacency says so; they always must.",
        ITSELF,
    ),
    mistake("no self-loops, minus infinity", {LOOPS: "", "torch.finfo(scores.dtype).min": 'float("-inf")'}).because(
        "Your nodes without neighbours hear nothing, so their row is all −inf and returns NaN; let every node "
        "hear itself.",
        ITSELF,
    ),
    mistake(
        "self-loops for isolated nodes alone",
        {LOOPS: " | (torch.eye(len(x), dtype=torch.bool) & (adjacency == 0).all(-1, keepdim=True))"},
    ).because("You let only nodes without neighbours hear themselves; let every node.", ITSELF),
    mistake("nobody hears itself", {LOOPS: " & ~torch.eye(len(x), dtype=torch.bool, device=x.device)"}).because(
        "You remove the diagonal; every node must hear itself.", ITSELF
    ),
    mistake(
        "isolated nodes set to zero",
        {"        out = ": "        attention = attention * (adjacency != 0).any(-1, keepdim=True)\n        out = "},
        shown_by="a node without neighbours does not hear itself alone",
    ).because("You return nothing for a node without neighbours; let it hear itself.", ITSELF),
    mistake(
        "booleans only",
        {"(adjacency != 0)": "(adjacency & True if adjacency.dtype == torch.bool else adjacency.bool_())"},
    ).because(
        "Your mask works only for booleans; accept an adjacency of 0 and 1 too.",
        "What does networkx.to_numpy_array return?",
    ),
    mistake("weights counted as edges above one half", {"(adjacency != 0)": "(adjacency > 1)"}).because(
        "You read only large entries of adjacency as edges. Every entry but 0 is an edge.", HEARS
    ),
)

OF_WEIGHTS = (
    mistake("scores not low enough", {"torch.finfo(scores.dtype).min": "-1000.0"}, shown_by=SHINES_THROUGH).because(
        takes_the_weight("a node that isn't heard"),
        HIDING,
    ),
    mistake("exp of large scores", {WEIGHTS: BY_HAND}, shown_by=OVERFLOWS).because(
        "You take exp of the scores as they are, which overflows above 88; subtract the row's largest score first.",
        LARGE,
    ),
    mistake("softmax over those that hear", {WEIGHTS: WEIGHTS.replace("dim=-1", "dim=-2")}).because(
        "Your softmax runs over i; run it over j, the nodes that i hears.", SUM
    ),
    mistake("softmax over the heads", {WEIGHTS: WEIGHTS.replace("dim=-1", "dim=0")}).because(
        "Your softmax runs over the heads; run it over j, the nodes that i hears.", SUM
    ),
    mistake("no softmax", {WEIGHTS: "scores.masked_fill(~heard, 0.0)"}).because(
        "You average with the raw scores; apply the softmax first.", SUM
    ),
    mistake("attention transposed", {RESULT: "return out, attention.transpose(-2, -1)"}).because(
        "You return the attention as [h, j, i]; return [h, i, j].", SUM
    ),
    mistake("attention of one head squeezed", {RESULT: "return out, attention.squeeze()"}).because(
        "You call `squeeze()`, so with one head your attention is [N, N]; return [h, N, N], even if h is 1.",
        "What does squeeze() do to [1, N, N]?",
    ),
    mistake("mean of the heads' attention", {RESULT: "return out, attention.mean(dim=0)"}).because(
        "You return the mean of the heads' attention; return one map per head.", SUM
    ),
    mistake("out alone", {RESULT: "return out"}).because(
        "You return only the nodes; return the attention too.", "How many things does forward return?"
    ),
    mistake("heads last", {RESULT: "return out, attention.permute(1, 2, 0)"}).because(
        "You return the attention as [N, N, h]; return [h, N, N].", SUM
    ),
)

OF_HEADS = (
    mistake(
        "every h-th feature",
        {"unflatten(-1, (self.num_heads, -1)).transpose(0, 1)": "unflatten(-1, (-1, self.num_heads)).permute(2, 0, 1)"},
    ).because("Your head 0 gets the features 0, h, 2h, …; give it the first out_dim features.", HEADS),
    mistake("reshaped straight to heads", {NODES: "self.proj(x).reshape(self.num_heads, len(x), -1)"}).because(
        "You reshape straight to [h, N, out_dim], which mixes up heads and nodes; split first, then swap two axes.",
        HEADS,
    ),
    mistake("joined without moving the axis back", {OUT: "(attention @ nodes).reshape(len(x), -1)"}).because(
        "You reshape [h, N, out_dim] straight to [N, h·out_dim], which mixes up nodes and heads; swap their "
        "axes first.",
        HEADS,
    ),
    mistake("mean over the heads", {OUT: "(attention @ nodes).mean(dim=0)"}).because(
        "You take the mean over the heads; concatenate them, [N, h·out_dim].",
        "What does the paper do with its heads in the hidden layers, and what in the last one?",
    ),
    mistake("joined feature by feature", {OUT: "(attention @ nodes).permute(1, 2, 0).flatten(start_dim=1)"}).because(
        "You interleave the heads' features; concatenate head after head.", HEADS
    ),
)

OF_OUT = (
    mistake("ELU", {RESULT: "return F.elu(out), attention"}).because(
        "You apply an ELU to the result; leave it out of this layer.",
        "What does the docstring leave out of the paper?",
    ),
    mistake("sums of neighbours", {OUT: OUT.replace("attention @", "heard.to(nodes.dtype) @")}).because(
        "You add up all neighbours without the attention; weight them by it.",
        "What is averaged, and with which weights?",
    ),
    mistake("residual", {OUT: f"self.proj(x) + {OUT}"}).because(
        "You add the projected nodes again; this layer has no residual.", "What does an isolated node get?"
    ),
    mistake("relu at the end", {RESULT: "return F.relu(out), attention"}).because(
        "You apply a ReLU to the result; leave it out of this layer.",
        "What does the docstring leave out of the paper?",
    ),
    *(
        mistake(
            f"divided by the number of {what}", {OUT: OUT.replace("attention @", f"(attention / {number}) @")}
        ).because(
            f"You divide the average by the number of {what}; the weights of a node already sum to 1.",
            "What do the weights of a node sum to?",
        )
        for what, number in (("nodes that are heard", "heard.sum(dim=-1, keepdim=True)"), ("all nodes", "len(x)"))
    ),
    mistake(
        "averaged with transposed weights", {OUT: OUT.replace("attention @", "attention.transpose(-2, -1) @")}
    ).because("You average with the transposed weights; use row i, not column i.", SUM),
)

MISTAKES = OF_SCORES + OF_NEIGHBOURS + OF_WEIGHTS + OF_HEADS + OF_OUT
