"""What goes wrong in `FeedForward`."""

from torch import nn

from autograder.catalogue.edits import wrong
from autograder.catalogue.encoder.rows import in_double, in_place, worded

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


WORDED = {
    WHAT: {
        "Your non-linearity is a GELU; the paper's is a ReLU.": wrong(
            "GELU in the place of ReLU", {"nn.ReLU()": "nn.GELU()"}
        ),
        "Your ReLU leaks: what is negative must become 0.": wrong("leaky ReLU", {"nn.ReLU()": "nn.LeakyReLU()"}),
        "There is no non-linearity between your two linear maps: together they are a single one.": wrong(
            "no ReLU", {"nn.ReLU()": "nn.Identity()"}
        ),
        "Another ReLU follows the second linear map.": wrong("ReLU at the end", forward("super().forward(x).relu()")),
        "You add the input; the residual belongs to the block, not to the feed-forward.": wrong(
            "residual inside", forward("x + super().forward(x)")
        ),
    },
    WHICH: {
        "The Dropout is missing between the first Linear and the ReLU; the second Linear is number 3.": wrong(
            "no dropout module", {DROPOUT: ""}
        ),
        "The order is Linear, Dropout, ReLU, Linear; the second Linear must be number 3.": wrong(
            "dropout last", {DROPOUT: "", f"{NARROW},": f"{NARROW}, nn.Dropout(dropout)"}
        ),
        "Your first Linear takes hidden_dim features; tokens come with dim.": wrong(
            "dim and hidden_dim exchanged",
            {"super().__init__(": "dim, hidden_dim = hidden_dim, dim\n        super().__init__("},
        ),
        "Your output is hidden_dim wide; it must be dim wide, to be added to the input later.": wrong(
            "not narrowed again", {NARROW: "nn.Linear(hidden_dim, hidden_dim)"}
        ),
        "Your linear maps have no bias.": wrong(
            "no biases",
            {WIDEN: "nn.Linear(dim, hidden_dim, bias=False)", NARROW: "nn.Linear(hidden_dim, dim, bias=False)"},
        ),
        "Your layers have names; saved weights know them by their places in nn.Sequential, 0 and 3.": wrong(
            "other names", NamedLayers
        ),
    },
    WHERE: {
        "You drop entries of the output; the block does that. Here hidden features are dropped.": wrong(
            "dropout of the output", forward("self[1](self[3](self[2](self[0](x))))")
        ),
        "You drop features of the input; it is the hidden ones that are to be dropped.": wrong(
            "dropout of the input", forward("self[3](self[2](self[0](self[1](x))))")
        ),
    },
    "What differs between model.train() and model.eval()?": {
        "You drop in eval mode too: F.dropout needs training=self.training.": wrong(
            "dropout in eval too", forward("self[3](self[2](F.dropout(self[0](x), self[1].p)))")
        ),
    },
    "Is the second module in the path of x?": {
        "Your dropout is never applied.": wrong("no dropout", {"nn.Dropout(dropout)": "nn.Dropout(0.0)"}),
    },
    "With dropout=0.25, how many of 100 hidden features survive?": {
        "dropout is the share that is dropped; you drop the rest.": wrong(
            "dropout as the share that is kept", {"nn.Dropout(dropout)": "nn.Dropout(1 - dropout if dropout else 0.0)"}
        ),
    },
    "What does the signature in the contract say?": {
        "Your layer drops even when no dropout is given: the default is 0.": wrong(
            "dropout by default",
            {"dropout: float = 0.0": "dropout: float = 0.5"},
            shown_by="without dropout given, something drops",
        ),
    },
    GRAPH: {
        "The hidden layer is cut off, so the first Linear never learns.": wrong(
            "cut from the graph", forward("self[3](self[2](self[1](self[0](x))).detach())")
        ),
    },
}

MISTAKES = (
    *worded(WORDED),
    wrong("sigmoid in the place of ReLU", {"nn.ReLU()": "nn.Sigmoid()"}),
    wrong("capped ReLU", {"nn.ReLU()": "nn.ReLU6()"}),
    wrong(
        "survivors not scaled up",
        forward("self[3]((h := self[2](self[0](x))) * (torch.rand_like(h) >= self[1].p * self.training))"),
    ),
    wrong("input cut from the graph", forward("super().forward(x.detach())")),
    in_place(
        "x", forward("super().forward(x.unsqueeze_(0)).squeeze(0)"), "unsqueeze_ changes the caller's own x: unsqueeze."
    ),
    in_double(forward("super().forward(x).double()")),
)
