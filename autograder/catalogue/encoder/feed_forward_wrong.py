"""What goes wrong in `FeedForward`."""

from torch import nn

from autograder.catalogue.edits import wrong

WIDEN, NARROW = "nn.Linear(dim, hidden_dim)", "nn.Linear(hidden_dim, dim)"
DROPOUT = "nn.Dropout(dropout),\n            "
END = f"{NARROW},\n        )"

WHAT = "What does formula (2) of the paper do between the two linear maps, and what after them?"
WHERE = "Which numbers are to be dropped: those of the input, of the hidden layer, or of the output?"
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


MISTAKES = (
    wrong(
        "GELU in the place of ReLU",
        {"nn.ReLU()": "nn.GELU()"},
        "Your non-linearity is a GELU; the paper's is a ReLU.",
        WHAT,
    ),
    wrong("leaky ReLU", {"nn.ReLU()": "nn.LeakyReLU()"}, "Your ReLU leaks: what is negative must become 0.", WHAT),
    wrong("sigmoid in the place of ReLU", {"nn.ReLU()": "nn.Sigmoid()"}),
    wrong("capped ReLU", {"nn.ReLU()": "nn.ReLU6()"}),
    wrong(
        "no ReLU",
        {"nn.ReLU()": "nn.Identity()"},
        "There is no non-linearity between your two linear maps: together they are a single one.",
        WHAT,
    ),
    wrong("ReLU at the end", forward("super().forward(x).relu()"), "Another ReLU follows the second linear map.", WHAT),
    wrong(
        "residual inside",
        forward("x + super().forward(x)"),
        "You add the input; the residual belongs to the block, not to the feed-forward.",
        WHAT,
    ),
    wrong(
        "dropout last",
        {DROPOUT: "", f"{NARROW},": f"{NARROW}, nn.Dropout(dropout)"},
        "The order is Linear, Dropout, ReLU, Linear; the second Linear must be number 3.",
        WHICH,
    ),
    wrong(
        "dropout of the output",
        forward("self[1](self[3](self[2](self[0](x))))"),
        "You drop entries of the output; the block does that. Here hidden features are dropped.",
        WHERE,
    ),
    wrong("dropout of the input", forward("self[3](self[2](self[0](self[1](x))))")),
    wrong(
        "dropout in eval too",
        forward("self[3](self[2](F.dropout(self[0](x), self[1].p)))"),
        "You drop in eval mode too: F.dropout needs training=self.training.",
        "What differs between model.train() and model.eval()?",
    ),
    wrong(
        "no dropout",
        {"nn.Dropout(dropout)": "nn.Dropout(0.0)"},
        "Your dropout is never applied.",
        "Is the second module in the path of x?",
    ),
    wrong(
        "dropout as the share that is kept",
        {"nn.Dropout(dropout)": "nn.Dropout(1 - dropout if dropout else 0.0)"},
        "dropout is the share that is dropped; you drop the rest.",
        "With dropout=0.25, how many of 100 hidden features survive?",
    ),
    wrong(
        "dropout by default",
        {"dropout: float = 0.0": "dropout: float = 0.5"},
        "Your layer drops even when no dropout is given: the default is 0.",
        "What does the signature in the contract say?",
        shown_by="without dropout given, something drops",
    ),
    wrong(
        "survivors not scaled up",
        forward("self[3]((h := self[2](self[0](x))) * (torch.rand_like(h) >= self[1].p * self.training))"),
    ),
    wrong(
        "dim and hidden_dim exchanged",
        {"super().__init__(": "dim, hidden_dim = hidden_dim, dim\n        super().__init__("},
        "Your first Linear takes hidden_dim features; tokens come with dim.",
        WHICH,
    ),
    wrong(
        "not narrowed again",
        {NARROW: "nn.Linear(hidden_dim, hidden_dim)"},
        "Your output is hidden_dim wide; it must be dim wide, to be added to the input later.",
        WHICH,
    ),
    wrong(
        "no biases",
        {WIDEN: "nn.Linear(dim, hidden_dim, bias=False)", NARROW: "nn.Linear(hidden_dim, dim, bias=False)"},
        "Your linear maps have no bias.",
        WHICH,
    ),
    wrong(
        "other names",
        NamedLayers,
        "Your layers have names; those of nn.Sequential are numbers, and saved weights know them as 0 and 3.",
        WHICH,
    ),
    wrong(
        "cut from the graph",
        forward("self[3](self[2](self[1](self[0](x))).detach())"),
        "The hidden layer is cut off, so the first Linear never learns.",
        GRAPH,
    ),
    wrong("input cut from the graph", forward("super().forward(x.detach())")),
)
