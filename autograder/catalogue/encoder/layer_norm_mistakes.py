"""What goes wrong in `LayerNorm`."""

from autograder.catalogue.common_mistakes import in_double_precision, other_names, overwrites
from autograder.catalogue.edits import mistake

MEAN, VARIANCE = "x.mean(dim=-1, keepdim=True)", "centred.square().mean(dim=-1, keepdim=True)"
OVER_ROOT = " * torch.rsqrt(variance + self.eps)"
ONES, ZEROS = "torch.ones(dim)", "torch.zeros(dim)"
PARAMETERS = (("weight", ONES), ("bias", ZEROS))

BY_WHAT = "The variance is a mean of squared distances. Divided by how many?"
INSIDE = "What is √(0 + eps), and what is √0 + eps? Which of the two does the formula divide by?"
AXES = "How many means are there for x [B, T, dim]: 1, B, T, dim, or B·T?"
MEAN_IS = "What is the mean of your output when bias is 0?"
ON_THE_WAY = "Does the mean change when a feature changes, and the variance?"
LAST = "In the formula, what is done with weight and bias, and in which order?"
START = "What should a fresh layer give: y = x̂ · 1 + 0?"
NAMES = "Which names and sizes does the docstring give under “Parameters”?"
LEARNED = "What does list(LayerNorm(4).parameters()) give?"

WORDED = (
    mistake("unbiased variance", {VARIANCE: "x.var(dim=-1, keepdim=True)"}).because(
        "Your variance is divided by dim − 1, torch's habit; layer norm divides by dim: unbiased=False.", BY_WHAT
    ),
    mistake(
        "unbiased, and eps outside the root",
        {VARIANCE: "x.var(dim=-1, keepdim=True)", OVER_ROOT: " / (variance.sqrt() + self.eps)"},
    ).because(
        "Your standard deviation is divided by dim − 1, and eps is added to it and not to the variance.", BY_WHAT
    ),
    mistake("mean of the squares", {"centred.square()": "x.square()"}).because(
        "You average x², where (x − mean)² is due.", BY_WHAT
    ),
    mistake("eps outside the root", {OVER_ROOT: " / (variance.sqrt() + self.eps)"}).because(
        "You add eps to the standard deviation; it belongs under the root, next to the variance.", INSIDE
    ),
    mistake("no eps", {"variance + self.eps": "variance"}).because(
        "Without eps a token whose features are all equal is divided by 0.", INSIDE
    ),
    mistake("eps fixed", {"+ self.eps": "+ 1e-5"}).because(
        "Your eps is always 1e-5, whatever is given.",
        "What does the signature say of eps, and where does your forward get it from?",
    ),
    mistake("another default for eps", {"eps: float = 1e-5": "eps: float = 1e-6"}).because(
        "Your default eps is not 1e-5.", "What does the signature say of eps, and where does your forward get it from?"
    ),
    mistake("not centred", {f"x - {MEAN}": "x"}).because(
        "You divide by the root mean square without taking the mean away: that is RMSNorm.", MEAN_IS
    ),
    mistake("only divided", {"return centred": "return x"}).because(
        "You divide, and never take the mean away.", MEAN_IS
    ),
    mistake("no root", {OVER_ROOT: " / (variance + self.eps)"}).because(
        "You divide by the variance; the formula divides by its root.",
        "What is the variance of your output when weight is 1?",
    ),
    mistake("only centred", {OVER_ROOT: ""}).because(
        "You take the mean away and never divide.", "What is the variance of your output when weight is 1?"
    ),
    mistake("over the batch", {"dim=-1": "dim=0"}, times=2).because(
        "You normalise each feature over the batch: that is batch norm. Here a token is by itself.", AXES
    ),
    mistake("over the tokens", {"dim=-1": "dim=-2"}, times=2).because(
        "You normalise each feature over the tokens; what is to be normalised is one token's features.", AXES
    ),
    mistake("axis number one", {"dim=-1": "dim=1"}, times=2).because(
        "You normalise along axis 1, the tokens of [B, T, dim]; the features are the last axis, −1.", AXES
    ),
    *(
        mistake(name, {"dim=-1": f"dim={axes}"}, times=2).because(
            "You take one mean for all tokens of a sample; each token has its own.", AXES
        )
        for name, axes in (("over whole samples", "tuple(range(1, x.ndim))"), ("over the last two axes", "(-2, -1)"))
    ),
    mistake("over everything", {"dim=-1": "dim=tuple(range(x.ndim))"}, times=2).because(
        "You take one mean and one variance for the whole tensor; each token has its own.", AXES
    ),
    mistake("axis lost", {MEAN: "x.mean(dim=-1)", VARIANCE: "x.var(dim=-1, unbiased=False)"}).because(
        "Without keepdim=True the means [B, T] do not line up with x [B, T, dim].",
        "Which axes does broadcasting line up with which?",
    ),
    mistake("axis number two", {"dim=-1": "dim=2"}, times=2).because(
        "You count the axes from the front, so the layer works for three axes only: the last axis is −1.",
        "What is the last axis of x [dim], of [B, dim], of [B, T, dim]?",
    ),
    mistake("weight not used", {" * self.weight": ""}).because("Your weight has no effect.", LAST),
    mistake("bias subtracted", {"+ self.bias": "- self.bias"}),
    mistake("bias not used", {" + self.bias": ""}).because("Your bias has no effect.", LAST),
    mistake(
        "bias first", {"return centred": "return self.weight * (centred", " * self.weight + self.bias": " + self.bias)"}
    ).because("You add bias before you multiply by weight.", LAST),
    mistake("born with weight 0", {ONES: ZEROS}).because(
        "With weight = 0 at the start your layer gives 0 for everything.", START
    ),
    mistake("born with bias 1", {ZEROS: ONES}).because(
        "With bias = 1 at the start your layer shifts everything.", START
    ),
    mistake("born the wrong way round", {ONES: "0 * (one := torch.ones(dim))", ZEROS: "one"}).because(
        "Your weight starts at 0 and your bias at 1: it is the other way round.", START
    ),
    other_names({"self.weight": "self.gamma", "self.bias": "self.beta"}, times=2),
    mistake("one number for all features", {ONES: "torch.ones(1)", ZEROS: "torch.zeros(1)"}).because(
        "Your weight and bias are single numbers; each feature has its own.", NAMES
    ),
    mistake("plain tensors", {f"nn.Parameter({ONES})": ONES, f"nn.Parameter({ZEROS})": ZEROS}).because(
        "Plain tensors are neither trained nor saved: wrap them in nn.Parameter.", LEARNED
    ),
    mistake(
        "buffers",
        {
            f"self.{name} = nn.Parameter({tensor})": f'self.register_buffer("{name}", {tensor})'
            for name, tensor in PARAMETERS
        },
    ).because("A buffer is saved, but not trained: weight and bias must be parameters, nn.Parameter.", LEARNED),
    mistake(
        "statistics cut from the graph",
        {MEAN: f"{MEAN}.detach()", "variance + self.eps": "variance.detach() + self.eps"},
    ).because("Mean and variance are cut off from x: the gradient that flows through them is missing.", ON_THE_WAY),
    mistake("variance cut from the graph", {"variance + self.eps": "variance.detach() + self.eps"}).because(
        "The variance is cut off from x: the gradient that flows through it is missing.", ON_THE_WAY
    ),
    mistake("mean cut from the graph", {MEAN: f"{MEAN}.detach()"}).because(
        "The mean is cut off from x: the gradient that flows through it is missing.", ON_THE_WAY
    ),
    mistake(
        "weight and bias cut from the graph", {"self.weight + self.bias": "self.weight.data + self.bias.data"}
    ).because(
        "You use `.data` or `.detach()` of weight and bias, or requires_grad=False: they never learn.",
        "Along which path does a gradient get from the output to weight?",
    ),
    mistake("eps as a lower limit", {OVER_ROOT: " / variance.sqrt().clamp(min=self.eps)"}).because(
        "You use eps as the smallest standard deviation; it is to be added to the variance.", INSIDE
    ),
    mistake(
        "between 0 and 1",
        {f"x - {MEAN}": "x - x.amin(dim=-1, keepdim=True)", OVER_ROOT: " / (centred.amax(-1, True) + self.eps)"},
    ).because(
        "You stretch the features between their smallest and largest; asked for are mean 0 and variance 1.", MEAN_IS
    ),
    mistake("weight and bias not used", {" * self.weight + self.bias": ""}).because(
        "Weight and bias have no effect.", LAST
    ),
    mistake("born otherwise", {ONES: "torch.randn(dim)", ZEROS: "torch.randn(dim)"}).because(
        "Your weight and bias start with other numbers than 1 and 0.", START
    ),
    mistake(
        "mean taken away after dividing", {"return centred": f"return (x{OVER_ROOT} - {MEAN})", f"{OVER_ROOT} *": " *"}
    ),
)

MISTAKES = (
    *WORDED,
    *(
        mistake(f"{name} a plain tensor", {f"nn.Parameter({tensor})": tensor}).because(
            f"Your {name} is a plain tensor, neither trained nor saved: wrap it in nn.Parameter.", LEARNED
        )
        for name, tensor in PARAMETERS
    ),
    overwrites("x", {f"x - {MEAN}": f"x.sub_({MEAN})"}, "`x -= …` works on the caller's own x: write x = x − mean."),
    in_double_precision("output", {"return centred": "return centred.double()"}),
    mistake("dropout by default", {"return centred": "return F.dropout(centred, 0.1, self.training)"}),
)
