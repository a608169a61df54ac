"""What goes wrong in the parameters, the gradients and the promises of `GraphAttention`."""

from autograder.catalogue.common_mistakes import (
    CUT,
    NAMES,
    drops_in_training,
    in_double_precision,
    no_super,
    other_names,
    overwrites,
)
from autograder.catalogue.edits import mistake
from autograder.catalogue.origins.graph_attention_mistakes import HEARD, RESULT, START

OF_PARAMETERS = (
    mistake("a bias in proj", {", bias=False)": ")"}).because("Your proj has a bias; use bias=False.", NAMES),
    mistake(
        "a bias at the end",
        {
            "self.proj = ": "self.bias = nn.Parameter(torch.zeros(num_heads * out_dim))\n        self.proj = ",
            RESULT: "return out + self.bias, attention",
        },
    ).because("You add a bias at the end, as some libraries do; leave it out.", NAMES),
    mistake(
        "one vector a",
        {
            f"self.source = {START}": "self.a = nn.Parameter(torch.randn(num_heads, 2 * out_dim))",
            f"        self.target = {START}\n": "",
            "self.target.": "self.a.chunk(2, dim=-1)[0].",
            "self.source.unsq": "self.a.chunk(2, dim=-1)[1].unsq",
        },
    ).because("You keep the paper's vector a in one piece; split it into target and source.", NAMES),
    mistake("one pair for all heads", {"torch.randn(num_heads, out_dim)": "torch.randn(1, out_dim)"}, times=2).because(
        "Your heads share one source and one target; give each its own.", NAMES
    ),
    mistake("as wide as one head", {"nn.Linear(in_dim, num_heads * out_dim, ": "nn.Linear(in_dim, out_dim, "}).because(
        "Your proj is only out_dim wide and split among the heads; out_dim is the width of each head.", NAMES
    ),
    other_names({"self.proj": "self.lin"}, times=2),
    no_super("parameters"),
)

BESIDES = (
    mistake("0.01 where no slope is given", {"negative_slope: float = 0.2": "negative_slope: float = 0.01"}).because(
        "Your slope is 0.01 if the caller gives none; make it 0.2.", "What is the default of `negative_slope`?"
    ),
    overwrites(
        "adjacency",
        {HEARD: "adjacency.fill_diagonal_(1) != 0"},
        "the caller's graph then has self-loops.",
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
    ).because("You detach the attention before you use it, so source and target cannot learn.", CUT),
    mistake(
        "nodes cut from the graph", {"        out = (attention @ nodes)": "        out = (attention @ nodes.detach())"}
    ).because("The nodes you average are detached from the graph. Keep them in the graph.", CUT),
    mistake(
        "x cut from the graph",
        {"self.proj(x)": "self.proj(x.detach())"},
        shown_by="a part of the gradient is missing on its way to x",
    ).because("You detach the input nodes, so the layer below cannot learn.", CUT),
)

PARAMETERS_AND_PROMISES = OF_PARAMETERS + BESIDES
