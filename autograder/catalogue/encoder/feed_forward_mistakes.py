"""Wrong ways to write `FeedForward`, each with what a good assistant would say."""

import torch
from torch import nn

from autograder.catalogue.exercise import Misconception

NAMES, VALUES, DROPOUT, EVAL, GRADIENTS = (
    "parameters of the contract",
    "values",
    "dropout of hidden features, in training",
    "no dropout in eval",
    "gradients reach every parameter",
)


class Steps(nn.Sequential):
    """The four in order, any of which a mistake replaces."""

    def __init__(self, dim, hidden_dim, dropout=0.0):
        super().__init__(*self.parts(dim, hidden_dim, dropout))

    def parts(self, dim, hidden_dim, dropout):
        return nn.Linear(dim, hidden_dim), nn.Dropout(dropout), nn.ReLU(), nn.Linear(hidden_dim, dim)


def mistake(name, make):
    """A class whose parts are those that `make(linear, dropout, relu, linear)` gives."""

    def parts(self, dim, hidden_dim, dropout):
        return make(*Steps.parts(self, dim, hidden_dim, dropout))

    return type(name, (Steps,), {"parts": parts})


class WithResidual(Steps):
    def forward(self, x):
        return x + super().forward(x)


class WithoutReLU(Steps):
    def forward(self, x):
        return self[3](self[1](self[0](x)))


class ReLUAtTheEnd(Steps):
    def forward(self, x):
        return super().forward(x).relu()


class AlwaysDropping(Steps):
    def parts(self, dim, hidden_dim, dropout):
        self.rate = dropout
        return super().parts(dim, hidden_dim, dropout)

    def forward(self, x):
        return self[3](self[2](nn.functional.dropout(self[0](x), self.rate)))


class NeverDropping(Steps):
    def forward(self, x):
        return self[3](self[2](self[0](x)))


class KeepsTheRate(Steps):
    def parts(self, dim, hidden_dim, dropout):
        return super().parts(dim, hidden_dim, 1 - dropout if dropout else 0.0)


class SomeByDefault(Steps):
    def __init__(self, dim, hidden_dim, dropout=0.5):
        super().__init__(dim, hidden_dim, dropout)


class DroppedAtTheEnd(Steps):
    def forward(self, x):
        return self[1](self[3](self[2](self[0](x))))


class DroppedAtTheBeginning(Steps):
    def forward(self, x):
        return self[3](self[2](self[0](self[1](x))))


class NotScaledUp(Steps):
    def forward(self, x):
        rate = self[1].p if self.training else 0.0
        hidden = self[2](self[0](x))
        return self[3](hidden * (torch.rand_like(hidden) >= rate))


class Exchanged(Steps):
    def __init__(self, dim, hidden_dim, dropout=0.0):
        super().__init__(hidden_dim, dim, dropout)


class BackToHidden(Steps):
    def parts(self, dim, hidden_dim, dropout):
        return nn.Linear(dim, hidden_dim), nn.Dropout(dropout), nn.ReLU(), nn.Linear(hidden_dim, hidden_dim)


class WithoutBias(Steps):
    def parts(self, dim, hidden_dim, dropout):
        first, second = nn.Linear(dim, hidden_dim, bias=False), nn.Linear(hidden_dim, dim, bias=False)
        return first, nn.Dropout(dropout), nn.ReLU(), second


class NamedLayers(nn.Module):
    def __init__(self, dim, hidden_dim, dropout=0.0):
        super().__init__()
        self.linear1, self.linear2 = nn.Linear(dim, hidden_dim), nn.Linear(hidden_dim, dim)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.dropout(self.linear1(x)).relu())


class CutFromTheGraph(Steps):
    def forward(self, x):
        return self[3](self[2](self[1](self[0](x))).detach())


class InputCutOff(Steps):
    def forward(self, x):
        return super().forward(x.detach())


GELU = mistake("GELU", lambda first, drop, relu, second: (first, drop, nn.GELU(), second))
LEAKY = mistake("Leaky", lambda first, drop, relu, second: (first, drop, nn.LeakyReLU(), second))
SIGMOID = mistake("Sigmoid", lambda first, drop, relu, second: (first, drop, nn.Sigmoid(), second))
CAPPED = mistake("Capped", lambda first, drop, relu, second: (first, drop, nn.ReLU6(), second))
DROPOUT_LAST = mistake("DropoutLast", lambda first, drop, relu, second: (first, relu, second, drop))


WHAT = "What does formula (2) of the paper do between the two linear maps, and what after them?"
WHERE = "Which numbers are to be dropped: those of the input, of the hidden layer, or of the output?"
WHICH = "Which names and sizes does the docstring give under “Parameters”?"

MISCONCEPTIONS = (
    Misconception(
        "GELU in the place of ReLU", GELU, "Your non-linearity is a GELU; the paper's is a ReLU.", WHAT, (VALUES,)
    ),
    Misconception("leaky ReLU", LEAKY, "Your ReLU leaks: what is negative must become 0.", WHAT, (VALUES,)),
    Misconception("sigmoid in the place of ReLU", SIGMOID, "Your non-linearity is a sigmoid.", WHAT, (VALUES,)),
    Misconception(
        "no ReLU",
        WithoutReLU,
        "There is no non-linearity between your two linear maps: together they are a single one.",
        WHAT,
        (VALUES,),
    ),
    Misconception("ReLU at the end", ReLUAtTheEnd, "Another ReLU follows the second linear map.", WHAT, (VALUES,)),
    Misconception(
        "residual inside",
        WithResidual,
        "You add the input; the residual belongs to the block, not to the feed-forward.",
        WHAT,
        (VALUES,),
    ),
    Misconception(
        "dropout last",
        DROPOUT_LAST,
        "The order is Linear, Dropout, ReLU, Linear; the second Linear must be number 3.",
        WHICH,
        (NAMES, VALUES, GRADIENTS),
    ),
    Misconception(
        "dropout of the output",
        DroppedAtTheEnd,
        "You drop entries of the output; the block does that. Here hidden features are dropped.",
        WHERE,
        (DROPOUT,),
    ),
    Misconception(
        "dropout of the input",
        DroppedAtTheBeginning,
        "You drop features of the input; it is the hidden ones that are to be dropped.",
        WHERE,
        (DROPOUT,),
    ),
    Misconception(
        "dropout in eval too",
        AlwaysDropping,
        "You drop in eval mode too: F.dropout needs training=self.training.",
        "What differs between model.train() and model.eval()?",
        (EVAL,),
    ),
    Misconception(
        "no dropout",
        NeverDropping,
        "Your dropout is never applied.",
        "Is the second module in the path of x?",
        (DROPOUT,),
    ),
    Misconception(
        "dropout as the share that is kept",
        KeepsTheRate,
        "dropout is the share that is dropped; you drop the rest.",
        "With dropout=0.25, how many of 100 hidden features survive?",
        (DROPOUT,),
    ),
    Misconception(
        "dropout by default",
        SomeByDefault,
        "Your layer drops even when no dropout is given: the default is 0.",
        "What does the signature in the contract say?",
        (DROPOUT,),
        shown_by="without dropout given, something drops",
    ),
    Misconception(
        "survivors not scaled up",
        NotScaledUp,
        "What survives dropout must be divided by 1 − p, or the layer gets smaller in training than in eval.",
        "What is the mean of the hidden features, in training and in eval?",
        (DROPOUT,),
    ),
    Misconception(
        "dim and hidden_dim exchanged",
        Exchanged,
        "Your first Linear takes hidden_dim features; tokens come with dim.",
        WHICH,
        (NAMES, VALUES, DROPOUT, EVAL, GRADIENTS),
    ),
    Misconception(
        "not narrowed again",
        BackToHidden,
        "Your output is hidden_dim wide; it must be dim wide, to be added to the input later.",
        WHICH,
        (NAMES, VALUES),
    ),
    Misconception("no biases", WithoutBias, "Your linear maps have no bias.", WHICH, (NAMES, VALUES, GRADIENTS)),
    Misconception(
        "other names",
        NamedLayers,
        "Your layers have names; those of nn.Sequential are numbers, and saved weights know them as 0 and 3.",
        WHICH,
        (NAMES, VALUES, GRADIENTS),
    ),
    Misconception(
        "cut from the graph",
        CutFromTheGraph,
        "The hidden layer is cut off, so the first Linear never learns.",
        "Which call in your code cuts the graph: .data, .detach(), torch.tensor?",
        (GRADIENTS,),
    ),
    Misconception(
        "capped ReLU",
        CAPPED,
        "Your ReLU stops at 6; the paper's lets through whatever is positive.",
        WHAT,
        (VALUES,),
    ),
    Misconception(
        "input cut from the graph",
        InputCutOff,
        "No gradient gets through your layer to x: what lies below it never learns.",
        "Which call in your code cuts the graph: .data, .detach(), torch.tensor?",
        (GRADIENTS,),
    ),
)
