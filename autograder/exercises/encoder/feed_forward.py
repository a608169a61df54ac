"""FeedForward(dim, hidden_dim, dropout=0.0): Linear, Dropout, ReLU, Linear."""

import numpy as np
import torch
from torch import nn

import course_lib.layers as reference
from autograder.exercise import Case, Exercise, Misconception, Property
from autograder.exercises.weights import drawn, linear
from autograder.properties import fits, gradients_reach, is_true, matches, moved, unmoved, where

DIM, HIDDEN = 5, 11
PARAMETERS = ("0.weight", "0.bias", "3.weight", "3.bias")
NAMES, VALUES, DROPOUT, EVAL, GRADIENTS = (
    "parameters of the contract",
    "values",
    "dropout of hidden features, in training",
    "no dropout in eval",
    "gradients reach every parameter",
)


def layer(g, dropout=None, **settings):
    return {
        "arguments": {"dim": DIM, "hidden_dim": HIDDEN} | ({} if dropout is None else {"dropout": dropout}),
        "weights": drawn(g, linear("0", DIM, HIDDEN) | linear("3", HIDDEN, DIM)),
        "x": torch.randn(2, 3, DIM, generator=g),
    } | settings


def one_token(g):
    inputs = layer(g)
    return inputs | {"x": inputs["x"][1, 2]}


def kept_or_dropped(g):
    """Every hidden feature is 1 before dropout, and each output shows one of them."""
    inputs = layer(g, 0.25, training=True, x=torch.zeros(67, DIM))
    weights = {name: torch.zeros_like(value) for name, value in inputs["weights"].items()}
    weights["0.bias"] += 1
    weights["3.weight"] += torch.eye(DIM, HIDDEN)
    return inputs | {"weights": weights}


def a_quarter_dropped(output):
    dropped, kept = abs(output) < 1e-6, abs(output - 1 / 0.75) < 1e-4
    return (dropped | kept).all() and 0.12 < dropped.mean() < 0.38  # five standard deviations of 335 draws


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


GELU = mistake("GELU", lambda first, drop, relu, second: (first, drop, nn.GELU(), second))
LEAKY = mistake("Leaky", lambda first, drop, relu, second: (first, drop, nn.LeakyReLU(), second))
SIGMOID = mistake("Sigmoid", lambda first, drop, relu, second: (first, drop, nn.Sigmoid(), second))
DROPOUT_LAST = mistake("DropoutLast", lambda first, drop, relu, second: (first, relu, second, drop))


class Named(nn.Module):
    """Modules under the names "0" and "3"; dropout after the ReLU, which is the same."""

    def __init__(self, dim: int, hidden_dim: int, dropout: float = 0.0, activation=torch.relu):
        super().__init__()
        self.add_module("0", nn.Linear(dim, hidden_dim))
        self.add_module("3", nn.Linear(hidden_dim, dim))
        self.rate, self.activation = dropout, activation

    def forward(self, inputs):
        hidden = self.activation(getattr(self, "0")(inputs))
        return getattr(self, "3")(nn.functional.dropout(hidden, self.rate, training=self.training))


class ByMatrices(Steps):
    """The formula of the paper, max(0, x W₁ + b₁) W₂ + b₂."""

    def forward(self, x):
        hidden = self[1](x @ self[0].weight.T + self[0].bias)
        return torch.where(hidden > 0, hidden, 0.0) @ self[3].weight.T + self[3].bias


WHAT = "What does formula (2) of the paper do between the two linear maps, and what after them?"
WHERE = "Which numbers are to be dropped: those of the input, of the hidden layer, or of the output?"
WHICH = "Which names and sizes does the docstring give under “Parameters”?"

FEED_FORWARD = Exercise(
    id="FeedForward",
    title="The feed-forward network",
    reference=reference.FeedForward,
    cases=(
        Case("parameters", lambda g: layer(g, ask="parameters")),
        Case("values", layer),
        Case("one token alone", one_token, like="values"),
        Case("eval, dropout 0.5", lambda g: layer(g, 0.5), like="values"),
        Case("training, dropout 1", lambda g: layer(g, 1.0, training=True), like="values"),
        Case("training, no dropout given", lambda g: layer(g, training=True), like="values"),
        Case("training, dropout 0.25", kept_or_dropped),
        Case("gradients", lambda g: layer(g, ask="gradients")),
    ),
    properties=(
        Property(NAMES, 0.5, matches("parameters")),
        Property(
            VALUES,
            1,
            matches("values"),
            unmoved(
                "values",
                "one token alone",
                "output",
                at=lambda o: o[1, 2],
                at_other=lambda o: o,
                text="a token alone gives other numbers than inside a batch",
            ),
        ),
        Property(
            DROPOUT,
            0.5,
            moved("eval, dropout 0.5", "training, dropout 1", "output", text="dropout=1 changes nothing in training"),
            unmoved("values", "training, no dropout given", "output", text="without dropout given, something drops"),
            where(matches("values"), matches("training, dropout 1")),
            where(
                matches("values"),
                is_true(
                    "training, dropout 0.25",
                    ["output"],
                    a_quarter_dropped,
                    "with dropout=0.25 the hidden features are not 0 in a quarter of the cases and 1/0.75 times "
                    "themselves in the others",
                ),
            ),
        ),
        Property(
            EVAL,
            0.5,
            fits(
                "eval, dropout 0.5",
                ["output", "again"],
                ["x"],
                lambda first, second, x: np.array_equal(first, second) and np.ptp(first) > 1e-3,
                "two calls in eval mode give different outputs",
            ),
            unmoved("values", "eval, dropout 0.5", "output", text="dropout changes the output in eval mode"),
        ),
        Property(GRADIENTS, 0.5, gradients_reach("gradients", PARAMETERS)),
    ),
    misconceptions=(
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
    ),
    hints=(
        "nn.Sequential(first, second, …) calls its modules one after the other and names them 0, 1, 2, 3.",
        "A subclass of nn.Sequential hands its modules to super().__init__(…); forward comes with it.",
    ),
    right_variants=(Named, ByMatrices),
)
