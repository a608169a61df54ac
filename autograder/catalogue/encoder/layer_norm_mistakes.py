"""What goes wrong in `LayerNorm`."""

from autograder.catalogue.common_mistakes import NAMES, in_double_precision, other_names, overwrites
from autograder.catalogue.edits import mistake

MEAN, VARIANCE = "x.mean(dim=-1, keepdim=True)", "centred.square().mean(dim=-1, keepdim=True)"
OVER_ROOT = " * torch.rsqrt(variance + self.eps)"
ONES, ZEROS = "torch.ones(dim)", "torch.zeros(dim)"
PARAMETERS = (("weight", ONES), ("bias", ZEROS))

BY_WHAT = "The variance is a mean of squared distances. What do you divide their sum by?"
INSIDE = "What is √(0 + eps), and what is √0 + eps? Which of the two does the formula divide by?"
AXES = "How many means are there for x [B, T, dim]: 1, B, T, dim, or B·T?"
MEAN_IS = "What is the mean of your output when bias is 0?"
ON_THE_WAY = "Does the mean change when a feature changes, and the variance?"
LAST = "In the formula, how are weight and bias used, and in which order?"
START = "What should a fresh layer give: y = x̂ · 1 + 0?"
LEARNED = "What does list(LayerNorm(4).parameters()) give?"

WORDED = (
    mistake("unbiased variance", {VARIANCE: "x.var(dim=-1, keepdim=True)"}).because(
        "You divide the variance by dim − 1, torch's default; divide by dim, with unbiased=False.", BY_WHAT
    ),
    mistake(
        "unbiased, and eps outside the root",
        {VARIANCE: "x.var(dim=-1, keepdim=True)", OVER_ROOT: " / (variance.sqrt() + self.eps)"},
    ).because(
        "You divide by dim − 1 and add eps to the standard deviation; divide by dim and add eps to the variance.",
        BY_WHAT,
    ),
    mistake("mean of the squares", {"centred.square()": "x.square()"}).because(
        "You average x²; average (x − mean)².", BY_WHAT
    ),
    mistake("eps outside the root", {OVER_ROOT: " / (variance.sqrt() + self.eps)"}).because(
        "You add eps to the standard deviation; add it to the variance, under the root.", INSIDE
    ),
    mistake("no eps", {"variance + self.eps": "variance"}).because(
        "You leave out eps, so a token whose features are all equal is divided by 0; add it to the variance.", INSIDE
    ),
    mistake("no eps, and NaN replaced", {OVER_ROOT: " * variance.rsqrt().nan_to_num(posinf=0)"}).because(
        "You leave out eps and treat a variance of 0 on its own; add eps to every variance.", INSIDE
    ),
    mistake("eps fixed", {"+ self.eps": "+ 1e-5"}).because(
        "Your eps is always 1e-5; use the argument.",
        "What does the signature say about eps, and where does your forward get it from?",
    ),
    *(
        mistake(f"eps always {eps}", {"+ self.eps": f"+ {eps}"}).because(
            "Your eps is always the same, and not 1e-5; use the argument, whose default is 1e-5.",
            "What does the signature say about eps, and where does your forward get it from?",
        )
        for eps in ("1e-6", "1e-8")
    ),
    *(
        mistake(f"another default for eps: {eps}", {"eps: float = 1e-5": f"eps: float = {eps}"}).because(
            "Without the argument your eps is not 1e-5; make that the default.",
            "What does the signature say of eps, and where does your forward get it from?",
        )
        for eps in ("1e-6", "1e-8")
    ),
    mistake("eps squared", {"+ self.eps": "+ self.eps**2"}).because("You add eps² to the variance; add eps.", INSIDE),
    mistake("eps subtracted", {"+ self.eps": "- self.eps"}).because(
        "You subtract eps from the variance; add it.", INSIDE
    ),
    mistake("sum of the squares", {VARIANCE: VARIANCE.replace("mean", "sum")}).because(
        "You add up the squared distances; divide their sum by dim.", BY_WHAT
    ),
    mistake("weight and bias exchanged", {"* self.weight + self.bias": "* self.bias + self.weight"}).because(
        "You multiply by bias and add weight; swap the two.", LAST
    ),
    mistake("one mean for the whole tensor", {MEAN: "x.mean()"}).because(
        "You subtract one mean from all tokens; subtract each token's own.", AXES
    ),
    mistake("mean distance", {OVER_ROOT: " / (centred.abs().mean(dim=-1, keepdim=True) + self.eps)"}).because(
        "You divide by the mean distance from the mean; divide by the standard deviation.", BY_WHAT
    ),
    mistake("not centred", {f"x - {MEAN}": "x"}).because(
        "You divide by the root mean square without subtracting the mean, which is RMSNorm; subtract it first.", MEAN_IS
    ),
    mistake("only divided", {"return centred": "return x"}).because(
        "You divide but never subtract the mean; subtract it first.", MEAN_IS
    ),
    mistake("no root", {OVER_ROOT: " / (variance + self.eps)"}).because(
        "You divide by the variance; divide by its root.",
        "What is the variance of your output if weight is 1?",
    ),
    mistake("only centred", {OVER_ROOT: ""}).because(
        "You subtract the mean but never divide; divide by the standard deviation.",
        "What is the variance of your output when weight is 1?",
    ),
    mistake("over the batch", {"dim=-1": "dim=0"}, times=2).because(
        "You normalise each feature over the batch, which is batch norm; normalise each token separately.", AXES
    ),
    mistake("over the tokens", {"dim=-1": "dim=-2"}, times=2).because(
        "You normalise each feature over the tokens; normalise each token over its features.", AXES
    ),
    mistake("axis number one", {"dim=-1": "dim=1"}, times=2).because(
        "You normalise along axis 1, the tokens of [B, T, dim]; use the last axis, −1, the features.", AXES
    ),
    *(
        mistake(name, {"dim=-1": f"dim={axes}"}, times=2).because(
            "You take one mean for all tokens of a sample; take one per token.", AXES
        )
        for name, axes in (("over whole samples", "tuple(range(1, x.ndim))"), ("over the last two axes", "(-2, -1)"))
    ),
    mistake("over everything", {"dim=-1": "dim=tuple(range(x.ndim))"}, times=2).because(
        "You take one mean and one variance for the whole tensor; take them per token.", AXES
    ),
    *(
        mistake(name, edits).because(
            f"Your {what} [B, T] do not line up with x [B, T, dim]; compute them with keepdim=True.",
            "Which axes does broadcasting line up with which?",
        )
        for name, what, edits in (
            ("axis lost", "means", {MEAN: "x.mean(dim=-1)", VARIANCE: "x.var(dim=-1, unbiased=False)"}),
            ("axis of the variance lost", "variances", {VARIANCE: "x.var(dim=-1, unbiased=False)"}),
        )
    ),
    mistake("axis number two", {"dim=-1": "dim=2"}, times=2).because(
        "You count the axes from the front, so the layer works only for three axes; use −1, the last.",
        "What is the last axis of x [dim], of [B, dim], of [B, T, dim]?",
    ),
    mistake("weight not used", {" * self.weight": ""}).because("Your weight has no effect; multiply by it.", LAST),
    mistake("bias subtracted", {"+ self.bias": "- self.bias"}).because(
        "You subtract the bias. Add it.", "What should the layer return for x̂ = 0?"
    ),
    mistake("bias not used", {" + self.bias": ""}).because("Your bias has no effect; add it.", LAST),
    mistake(
        "bias first", {"return centred": "return self.weight * (centred", " * self.weight + self.bias": " + self.bias)"}
    ).because("You add bias before you multiply by weight; multiply first.", LAST),
    mistake("weight starts at 0", {ONES: ZEROS}).because(
        "Your weight starts at 0, so the layer returns 0 for every input; start it at 1.", START
    ),
    mistake("bias starts at 1", {ZEROS: ONES}).because(
        "Your bias starts at 1, so the layer shifts every output; start it at 0.", START
    ),
    *(
        mistake(
            f"{name} drawn at random", {tensor: "torch.randn(dim)"}, shown_by=f"{name} does not start at {value}"
        ).because(f"Your {name} has the wrong initial value; start at {value}.", START)
        for (name, tensor), value in zip(PARAMETERS, (1, 0), strict=True)
    ),
    mistake("weight and bias start swapped", {ONES: "0 * (one := torch.ones(dim))", ZEROS: "one"}).because(
        "Your weight starts at 0 and your bias at 1; start weight at 1 and bias at 0.", START
    ),
    other_names({"self.weight": "self.gamma", "self.bias": "self.beta"}, times=2),
    mistake("one number for all features", {ONES: "torch.ones(1)", ZEROS: "torch.zeros(1)"}).because(
        "Your weight and bias are single numbers; give each feature its own.", NAMES
    ),
    mistake("plain tensors", {f"nn.Parameter({ONES})": ONES, f"nn.Parameter({ZEROS})": ZEROS}).because(
        "Your weight and bias are plain tensors, neither trained nor saved; wrap them in nn.Parameter.", LEARNED
    ),
    mistake(
        "buffers",
        {
            f"self.{name} = nn.Parameter({tensor})": f'self.register_buffer("{name}", {tensor})'
            for name, tensor in PARAMETERS
        },
    ).because("Your weight and bias are buffers, saved but not trained; make them nn.Parameter.", LEARNED),
    mistake(
        "statistics cut from the graph",
        {MEAN: f"{MEAN}.detach()", "variance + self.eps": "variance.detach() + self.eps"},
    ).because("Your mean and variance are detached from x, so the gradient through them is missing.", ON_THE_WAY),
    mistake("variance cut from the graph", {"variance + self.eps": "variance.detach() + self.eps"}).because(
        "Your variance is detached from x, so the gradient through it is missing.", ON_THE_WAY
    ),
    mistake("mean cut from the graph", {MEAN: f"{MEAN}.detach()"}).because(
        "Your mean is detached from x, so the gradient through it is missing.", ON_THE_WAY
    ),
    mistake(
        "weight and bias cut from the graph", {"self.weight + self.bias": "self.weight.data + self.bias.data"}
    ).because(
        "You detach weight and bias (`.data`, `.detach()` or requires_grad=False), so they never learn.",
        "Along which path does a gradient get from the output to weight?",
    ),
    mistake("eps as a lower limit", {OVER_ROOT: " / variance.sqrt().clamp(min=self.eps)"}).because(
        "You use eps as a lower limit; add it to the variance.", INSIDE
    ),
    mistake(
        "between 0 and 1",
        {f"x - {MEAN}": "x - x.amin(dim=-1, keepdim=True)", OVER_ROOT: " / (centred.amax(-1, True) + self.eps)"},
    ).because("You scale the features by their minimum and maximum; give them mean 0 and variance 1.", MEAN_IS),
    mistake("weight and bias not used", {" * self.weight + self.bias": ""}).because(
        "Your weight and bias have no effect; multiply by weight and add bias.", LAST
    ),
    mistake("born otherwise", {ONES: "torch.randn(dim)", ZEROS: "torch.randn(dim)"}).because(
        "Your weight and bias have the wrong initial values; start with 1 and 0.", START
    ),
    mistake(
        "mean taken away after dividing", {"return centred": f"return (x{OVER_ROOT} - {MEAN})", f"{OVER_ROOT} *": " *"}
    ).because(
        "You divide before you subtract the mean. Subtract the mean first, then divide.",
        "What is the mean of your output over the features?",
    ),
)

MISTAKES = (
    *WORDED,
    mistake("statistics of each feature", {"dim=-1": "dim=tuple(range(x.dim() - 1))"}, times=2).because(
        "Your mean and variance are those of a feature over all tokens, as in a batch norm; take those of a token over "
        "its features.",
        AXES,
    ),
    *(
        mistake(
            f"{name} a buffer",
            {f"self.{name} = nn.Parameter({tensor})": f'self.register_buffer("{name}", {tensor})'},
        ).because(f"Your {name} is a buffer, saved but not trained; make it an nn.Parameter.", LEARNED)
        for name, tensor in PARAMETERS
    ),
    *(
        mistake(f"{name} a plain tensor", {f"nn.Parameter({tensor})": tensor}).because(
            f"Your {name} is a plain tensor, neither trained nor saved; wrap it in nn.Parameter.", LEARNED
        )
        for name, tensor in PARAMETERS
    ),
    overwrites("x", {f"x - {MEAN}": f"x.sub_({MEAN})"}, "`x -= …` changes the caller's own x; write x = x − mean."),
    in_double_precision("output", {"return centred": "return centred.double()"}),
    mistake(
        "the mean of the squares minus the square of the mean",
        {VARIANCE: f"x.square().mean(dim=-1, keepdim=True) - {MEAN}.square()"},
    ).because(
        "You subtract the square of the mean from the mean of the squares. If the mean is large, these two are almost "
        "equal, and float32 loses their difference. Average (x − mean)².",
        "How many digits does float32 have, and how many do 1000.1² and 1000² share?",
    ),
    mistake("dropout by default", {"return centred": "return F.dropout(centred, 0.1, self.training)"}).because(
        "Your layer drops entries in training mode. It has no dropout: remove it.",
        "What should the layer return when it is called twice with one input?",
    ),
)
