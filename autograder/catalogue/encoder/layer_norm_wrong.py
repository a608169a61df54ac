"""What goes wrong in `LayerNorm`."""

from autograder.catalogue.edits import wrong

MEAN, VARIANCE = "x.mean(dim=-1, keepdim=True)", "centred.square().mean(dim=-1, keepdim=True)"
OVER_ROOT = " * torch.rsqrt(variance + self.eps)"
ONES, ZEROS = "torch.ones(dim)", "torch.zeros(dim)"
PARAMETERS = (("weight", ONES), ("bias", ZEROS))

BY_WHAT = "The variance is a mean of squared distances. Divided by how many?"
INSIDE = "What is √(0 + eps), and what is √0 + eps? Which of the two does the formula divide by?"
AXES = "How many means are there for x [B, T, dim]: 1, B, T, dim, or B·T?"
LAST = "In the formula, what is done with weight and bias, and in which order?"
START = "What should a fresh layer give: y = x̂ · 1 + 0?"
NAMES = "Which names and sizes does the docstring give under “Parameters”?"
LEARNED = "What does list(LayerNorm(4).parameters()) give?"

MISTAKES = (
    wrong(
        "unbiased variance",
        {VARIANCE: "x.var(dim=-1, keepdim=True)"},
        "Your variance is divided by dim − 1, torch's habit; layer norm divides by dim: unbiased=False.",
        BY_WHAT,
    ),
    wrong(
        "eps outside the root",
        {OVER_ROOT: " / (variance.sqrt() + self.eps)"},
        "You add eps to the standard deviation; it belongs under the root, next to the variance.",
        INSIDE,
    ),
    wrong(
        "unbiased, and eps outside the root",
        {VARIANCE: "x.var(dim=-1, keepdim=True)", OVER_ROOT: " / (variance.sqrt() + self.eps)"},
        "Your standard deviation is divided by dim − 1, and eps is added to it and not to the variance.",
        BY_WHAT,
    ),
    wrong(
        "no eps",
        {"variance + self.eps": "variance"},
        "Without eps a token whose features are all equal is divided by 0.",
        INSIDE,
    ),
    wrong(
        "eps fixed",
        {"+ self.eps": "+ 1e-5"},
        "Your eps is always 1e-5, whatever is given.",
        "Where does your forward get eps from?",
    ),
    wrong(
        "another default for eps",
        {"eps: float = 1e-5": "eps: float = 1e-6"},
        "Your default eps is not 1e-5.",
        "What does the signature in the contract say?",
    ),
    wrong(
        "eps as a lower limit",
        {OVER_ROOT: " / variance.sqrt().clamp(min=self.eps)"},
        "You use eps as the smallest standard deviation; it is to be added to the variance.",
        INSIDE,
    ),
    wrong("eps squared", {"+ self.eps": "+ self.eps**2"}),
    wrong(
        "no root",
        {OVER_ROOT: " / (variance + self.eps)"},
        "You divide by the variance; the formula divides by its root.",
        "If all features double, what should happen to the output?",
    ),
    wrong(
        "not centred",
        {f"x - {MEAN}": "x"},
        "You divide by the root mean square without taking the mean away: that is RMSNorm.",
        "What is the mean of your output when bias is 0?",
    ),
    wrong(
        "only centred",
        {OVER_ROOT: ""},
        "You take the mean away and never divide.",
        "What is the variance of your output when weight is 1?",
    ),
    wrong("mean of the squares", {"centred.square()": "x.square()"}),
    wrong("only divided", {"return centred": "return x"}),
    wrong(
        "over the batch",
        {"dim=-1": "dim=0"},
        "You normalise each feature over the batch: that is batch norm. Here each token is normalised by itself.",
        AXES,
        times=2,
    ),
    wrong(
        "over the tokens",
        {"dim=-1": "dim=-2"},
        "You normalise each feature over the tokens; it is the features of one token that are to be normalised.",
        AXES,
        times=2,
    ),
    wrong(
        "axis number one",
        {"dim=-1": "dim=1"},
        "You normalise along axis 1, which counts the tokens of [B, T, dim]; the features are the last axis, −1.",
        AXES,
        times=2,
    ),
    wrong(
        "over whole samples",
        {"dim=-1": "dim=tuple(range(1, x.ndim))"},
        "You take one mean for all tokens of a sample; each token has its own.",
        AXES,
        times=2,
    ),
    wrong(
        "over everything",
        {"dim=-1": "dim=tuple(range(x.ndim))"},
        "You take one mean and one variance for the whole tensor; each token has its own.",
        AXES,
        times=2,
    ),
    wrong(
        "axis lost",
        {MEAN: "x.mean(dim=-1)", VARIANCE: "x.var(dim=-1, unbiased=False)"},
        "Without keepdim=True the means [B, T] do not line up with x [B, T, dim].",
        "Which axes does broadcasting line up with which?",
    ),
    wrong(
        "axis number two",
        {"dim=-1": "dim=2"},
        "You count the axes from the front, so the layer works for three axes only: the last axis is −1.",
        "What is the last axis of x [dim], of [B, dim], of [B, T, dim]?",
        times=2,
    ),
    wrong(
        "between 0 and 1",
        {f"x - {MEAN}": "x - x.amin(dim=-1, keepdim=True)", OVER_ROOT: " / (centred.amax(-1, True) + self.eps)"},
    ),
    wrong("weight not used", {" * self.weight": ""}, "Your weight has no effect.", LAST),
    wrong("bias not used", {" + self.bias": ""}, "Your bias has no effect.", LAST),
    wrong("weight and bias not used", {" * self.weight + self.bias": ""}, "Weight and bias have no effect.", LAST),
    wrong(
        "bias first",
        {"return centred": "return self.weight * (centred", " * self.weight + self.bias": " + self.bias)"},
        "You add bias before you multiply by weight.",
        LAST,
    ),
    wrong(
        "born with weight 0", {ONES: ZEROS}, "With weight = 0 at the start your layer gives 0 for everything.", START
    ),
    wrong("born with bias 1", {ZEROS: ONES}, "With bias = 1 at the start your layer shifts everything.", START),
    wrong(
        "born otherwise",
        {ONES: "torch.randn(dim)", ZEROS: "torch.randn(dim)"},
        "Your weight and bias start with other numbers than 1 and 0.",
        START,
    ),
    wrong(
        "gamma and beta",
        {"self.weight": "self.gamma", "self.bias": "self.beta"},
        "Your parameters are called gamma and beta; in this course, as in torch, they are weight and bias.",
        NAMES,
        times=2,
    ),
    wrong(
        "plain tensors",
        {f"nn.Parameter({ONES})": ONES, f"nn.Parameter({ZEROS})": ZEROS},
        "Plain tensors are neither trained nor saved: wrap them in nn.Parameter.",
        LEARNED,
    ),
    wrong(
        "buffers",
        {
            f"self.{name} = nn.Parameter({tensor})": f'self.register_buffer("{name}", {tensor})'
            for name, tensor in PARAMETERS
        },
        "A buffer is saved, but not trained: weight and bias must be parameters, nn.Parameter.",
        LEARNED,
    ),
    wrong(
        "one number for all features",
        {ONES: "torch.ones(1)", ZEROS: "torch.zeros(1)"},
        "Your weight and bias are single numbers; each feature has its own.",
        NAMES,
    ),
    wrong(
        "statistics cut from the graph",
        {MEAN: f"{MEAN}.detach()", "variance + self.eps": "variance.detach() + self.eps"},
        "Mean and variance are cut off from x: the gradient that flows through them is missing.",
        "Does the mean change when a feature changes?",
    ),
    wrong("variance cut from the graph", {"variance + self.eps": "variance.detach() + self.eps"}),
    wrong("mean cut from the graph", {MEAN: f"{MEAN}.detach()"}),
    wrong(
        "weight and bias cut from the graph",
        {"self.weight + self.bias": "self.weight.data + self.bias.data"},
        "You use `.data` or `.detach()` of weight and bias: they never learn.",
        "Along which path does a gradient get from the output to weight?",
    ),
    wrong("dropout by default", {"return centred": "return F.dropout(centred, 0.1, self.training)"}),
)
