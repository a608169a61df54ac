"""What goes wrong in `FeedForward`."""

from torch import nn

from autograder.catalogue.common_mistakes import in_double_precision, other_names, overwrites
from autograder.catalogue.edits import mistake

WIDEN, NARROW = "nn.Linear(dim, hidden_dim)", "nn.Linear(hidden_dim, dim)"
DROPOUT = "nn.Dropout(dropout),\n            "
END = f"{NARROW},\n        )"

WHAT = "What does formula (2) of the paper do between the two linear maps, and what after them?"
WHERE = "What is dropout applied to: the input, the hidden layer, or the output?"
WHICH = "Which names and sizes does the docstring give under “Parameters”?"
GRAPH = "Which call in your code cuts the graph: .data, .detach(), torch.tensor?"


def forward(output: str) -> dict[str, str]:
    """An edit: a method `forward` of its own, which returns this; parts of an nn.Sequential are self[0] to self[3]."""
    return {END: f"{END}\n\n    def forward(self, x):\n        return {output}"}


class NamedLayers(nn.Module):
    def __init__(self, dim, hidden_dim, dropout=0.0):
        super().__init__()
        self.linear1, self.linear2 = nn.Linear(dim, hidden_dim), nn.Linear(hidden_dim, dim)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.dropout(self.linear1(x)).relu())


WORDED = (
    mistake("GELU instead of ReLU", {"nn.ReLU()": "nn.GELU()"}).because(
        "Your non-linearity is a GELU; use the paper's ReLU.", WHAT
    ),
    mistake("no ReLU", {"nn.ReLU()": "nn.Identity()"}).because(
        "Your two linear maps have no ReLU between them, so together they are a single linear map; add it.", WHAT
    ),
    mistake("ReLU at the end", forward("super().forward(x).relu()")).because(
        "You apply another ReLU after the second linear map; leave it out.", WHAT
    ),
    mistake("residual inside", forward("x + super().forward(x)")).because(
        "You add the input; leave the residual to the block.", WHAT
    ),
    mistake("no dropout module", {DROPOUT: ""}).because(
        "You leave out the Dropout between the first Linear and the ReLU; with it the second Linear is number 3.", WHICH
    ),
    mistake("dropout last", {DROPOUT: "", f"{NARROW},": f"{NARROW}, nn.Dropout(dropout)"}).because(
        "Your modules are in another order; use Linear, Dropout, ReLU, Linear, with the second Linear as number 3.",
        WHICH,
    ),
    mistake(
        "dim and hidden_dim exchanged",
        {"super().__init__(": "dim, hidden_dim = hidden_dim, dim\n        super().__init__("},
    ).because("Your first Linear takes hidden_dim features; tokens have dim.", WHICH),
    mistake("not narrowed again", {NARROW: "nn.Linear(hidden_dim, hidden_dim)"}).because(
        "Your output is hidden_dim wide; make it dim wide, so that it can be added to the input.", WHICH
    ),
    mistake(
        "no biases", {WIDEN: "nn.Linear(dim, hidden_dim, bias=False)", NARROW: "nn.Linear(hidden_dim, dim, bias=False)"}
    ).because("Your linear maps have no bias; use plain Linears, which have one.", WHICH),
    other_names(NamedLayers),
    mistake("dropout of the output", forward("self[1](self[3](self[2](self[0](x))))")).because(
        "You apply dropout to the output; leave that to the block, and apply it to the hidden features.", WHERE
    ),
    mistake("dropout of the input", forward("self[3](self[2](self[0](self[1](x))))")).because(
        "You apply dropout to the input; apply it to the hidden features.", WHERE
    ),
    mistake("dropout in eval too", forward("self[3](self[2](F.dropout(self[0](x), self[1].p)))")).because(
        "You apply dropout in eval mode too; pass training=self.training to F.dropout.",
        "What differs between model.train() and model.eval()?",
    ),
    mistake("no dropout", {"nn.Dropout(dropout)": "nn.Dropout(0.0)"}).because(
        "You never apply the dropout; apply it to the hidden features.", "Is the second module in the path of x?"
    ),
    mistake(
        "dropout by default",
        {"dropout: float = 0.0": "dropout: float = 0.5"},
        shown_by="without a dropout given, training and eval mode differ",
    ).because(
        "Your layer applies dropout even if none is given; with dropout=0.0, the default, apply none.",
        "What does the signature in the contract say?",
    ),
    mistake("cut from the graph", forward("self[3](self[2](self[1](self[0](x))).detach())")).because(
        "Your hidden layer is detached, so the first Linear never learns.", GRAPH
    ),
    *(
        mistake(f"the {which} without a bias", {made: f"{made[:-1]}, bias=False)"}).because(
            f"Your {which} has no bias; use a plain Linear, which has one.", WHICH
        )
        for which, made in (("first Linear", WIDEN), ("second Linear", NARROW))
    ),
    mistake("a hidden width of its own", {WIDEN: "nn.Linear(dim, 4 * dim)", NARROW: "nn.Linear(4 * dim, dim)"}).because(
        "Your hidden layer is 4·dim wide; make it hidden_dim wide.", WHICH
    ),
    mistake("leaky ReLU", {"nn.ReLU()": "nn.LeakyReLU()"}).because("Your ReLU is leaky; make negative values 0.", WHAT),
    mistake(
        "dropout as the share that is kept", {"nn.Dropout(dropout)": "nn.Dropout(1 - dropout if dropout else 0.0)"}
    ).because(
        "You keep the fraction `dropout` and drop the rest; drop the fraction `dropout`.",
        "With dropout=0.25, how many of 100 hidden features survive?",
    ),
)

MISTAKES = (
    *WORDED,
    mistake("sigmoid instead of ReLU", {"nn.ReLU()": "nn.Sigmoid()"}).because(
        "You use a sigmoid between the two linear layers. Use a ReLU.",
        "What does the function between the two layers return for −3, and for 3?",
    ),
    mistake("tanh instead of ReLU", {"nn.ReLU()": "nn.Tanh()"}).because(
        "You use a tanh between the two linear layers. Use a ReLU.",
        "What does the function between the two layers return for −3, and for 3?",
    ),
    mistake("a third Linear", {f"{NARROW},": f"{NARROW}, nn.Linear(dim, dim),"}).because(
        "You have a third Linear at the end; stop after the second.", WHICH
    ),
    mistake("capped ReLU", {"nn.ReLU()": "nn.ReLU6()"}).because(
        "Your ReLU stops at 6. Use one without an upper limit: nn.ReLU.",
        "What does the function between the two layers return for 10?",
    ),
    mistake(
        "survivors not scaled up",
        forward("self[3]((h := self[2](self[0](x))) * (torch.rand_like(h) >= self[1].p * self.training))"),
    ).because(
        "You set entries to 0 but don't scale up the others. Divide these by 1 − p, as nn.Dropout does.",
        "What is the mean of your output over many calls in training mode?",
    ),
    *(
        mistake(f"one dropout for all {what}", forward(f"self[3](self[2](self[0](x) * self[1]({ones})))")).because(
            f"You drop the same entries for all {what}; nn.Dropout decides for each entry separately.",
            "What is the shape of the tensor that you give to the dropout?",
        )
        for what, ones in (
            ("hidden features", "torch.ones_like(x[..., :1])"),
            ("tokens", "torch.ones(self[0].out_features)"),
            ("samples", "torch.ones_like(self[0](x)[:1])"),
        )
    ),
    mistake(
        "one dropout for all calls",
        forward(
            "self[3](self[2](self[0](x) * self.__dict__.setdefault('kept', self[1](torch.ones_like(self[0](x))))))"
        ),
    ).because(
        "You keep what was dropped in the first call and drop the same in later calls. Draw again in every call.",
        "What does your module store in forward?",
    ),
    mistake("input cut from the graph", forward("super().forward(x.detach())")).because(
        "Your input is detached from the graph, so the layers before get no gradient. Keep it in the graph.",
        "Which call in your code cuts the graph: .data, .detach(), torch.tensor?",
    ),
    overwrites(
        "x",
        forward("super().forward(x.unsqueeze_(0)).squeeze(0)"),
        "unsqueeze_ changes the caller's own x; use unsqueeze.",
    ),
    in_double_precision("output", forward("super().forward(x).double()")),
)
