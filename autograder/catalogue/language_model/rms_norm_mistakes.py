"""What goes wrong in `RMSNorm`."""

from autograder.catalogue.common_mistakes import in_double_precision, no_super, other_names, overwrites
from autograder.catalogue.edits import mistake

WIDE, BACK = "x.to(torch.promote_types(x.dtype, torch.float32))", ").to(x.dtype)"
MEAN_SQUARE = "wide.square().mean(dim=-1, keepdim=True)"
OVER_ROOT = " * torch.rsqrt(mean_square + self.eps)"
ONES = "torch.ones(dim)"

INSIDE = "What is √(0 + eps), and what is √0 + eps? Which of the two does the formula divide by?"
AXES = "How many roots are there for x [B, T, dim]: 1, B, T, dim, or B·T?"
SIGNATURE = "What does the signature say about eps, and where does your forward get it from?"
SIZE = "What is the mean of the squares of your output if weight is 1?"
LARGEST = "What is 300² in float16, whose largest number is 65,504?"
LOST = "the residual path adds x again, and gets different numbers."
LEARNED = "What does list(RMSNorm(4).parameters()) return?"

MISTAKES = (
    mistake("mean taken away", {WIDE: f"{WIDE}\n        wide = wide - wide.mean(dim=-1, keepdim=True)"}).because(
        "You subtract the mean: that is layer norm without a bias. RMSNorm only divides.",
        "What should your layer return for a token whose features are all 3?",
    ),
    mistake("variance", {MEAN_SQUARE: "wide.var(dim=-1, keepdim=True, unbiased=False)"}).because(
        "You divide by the standard deviation, which subtracts the mean first; use the mean of the squares.", SIZE
    ),
    mistake("eps outside the root", {OVER_ROOT: " / (mean_square.sqrt() + self.eps)"}).because(
        "You add eps to the root; it belongs under the root, next to the mean of the squares.", INSIDE
    ),
    mistake("no eps", {"mean_square + self.eps": "mean_square"}).because(
        "You leave out eps, so a token of zeros is divided by 0; add it under the root.", INSIDE
    ),
    mistake("eps as a lower limit", {"(mean_square + self.eps)": "(mean_square.clamp(min=self.eps))"}).because(
        "You use eps as the smallest mean square; add it to the mean square instead.", INSIDE
    ),
    mistake(
        "eps as the smallest length",
        {OVER_ROOT: " / wide.norm(dim=-1, keepdim=True).clamp(min=self.eps) * x.shape[-1] ** 0.5"},
    ).because(
        "You use eps as the smallest length of a token, as F.normalize does; add it to the mean square instead.", INSIDE
    ),
    mistake("standard deviation by std", {OVER_ROOT: " / (wide.std(dim=-1, keepdim=True) + self.eps)"}).because(
        "You divide by the standard deviation, which subtracts the mean first; use the mean of the squares.", SIZE
    ),
    mistake("eps fixed", {"+ self.eps": "+ 1e-5"}).because("Your eps is always 1e-5; use the argument.", SIGNATURE),
    mistake("another default for eps", {"eps: float = 1e-5": "eps: float = 1e-6"}).because(
        "Your default eps has another value; make it 1e-5.", SIGNATURE
    ),
    mistake("squares in half precision", {WIDE: "x"}).because(
        "You square in the dtype of x. In float16 the square of 300 is infinite, and the output is 0: "
        "convert to float32 before you square.",
        LARGEST,
    ),
    mistake("not converted back", {BACK: ")"}).because(
        "A float16 token comes back in a wider dtype: convert the result back to the dtype of x.",
        "What is the dtype of float16 times float32?",
    ),
    mistake("converted back before the weight", {f" * self.weight{BACK}": f"{BACK} * self.weight"}).because(
        "You convert back before you multiply by the weight, so a float32 weight makes the result float32 again. "
        "Convert after the product.",
        "What is the dtype of float16 times float32?",
    ),
    mistake("in the dtype of the weight", {BACK: ").to(self.weight.dtype)"}).because(
        "Your result has the dtype of the weight, so a float16 token comes back as float32 if the weight is float32. "
        "Convert it to the dtype of x.",
        "Which dtype does the next layer expect: that of x, or that of your weight?",
    ),
    mistake("sum of the squares", {".mean(dim": ".sum(dim"}).because(
        "You divide by the length of the token, the root of the sum; divide by the root of the mean.", SIZE
    ),
    mistake(
        "mean of the absolute values", {OVER_ROOT: " / (wide.abs().mean(dim=-1, keepdim=True) + self.eps)"}
    ).because("You divide by the mean of the absolute values; divide by the root of the mean of the squares.", SIZE),
    mistake("no root", {OVER_ROOT: " / (mean_square + self.eps)"}).because(
        "You divide by the mean of the squares; divide by its root.", SIZE
    ),
    mistake("multiplied by the root", {"torch.rsqrt": "torch.sqrt"}).because(
        "You multiply by the root; divide by it.", SIZE
    ),
    mistake("over the batch", {"dim=-1": "dim=0"}).because(
        "You average over the batch; each token has its own mean, over its features.", AXES
    ),
    mistake("over the tokens", {"dim=-1": "dim=-2"}).because(
        "You average over the tokens; average over one token's features, the last axis.", AXES
    ),
    mistake("axis number one", {"dim=-1": "dim=1"}).because(
        "You average along axis 1, the tokens of [B, T, dim]; the features are the last axis, −1.", AXES
    ),
    mistake("axis number two", {"dim=-1": "dim=2"}).because(
        "You count the axes from the front, so the layer works only for three axes: the last axis is −1.",
        "What is the last axis of x [dim], of [B, dim], of [B, T, dim]?",
    ),
    mistake("over whole samples", {"dim=-1": "dim=tuple(range(1, x.ndim))"}).because(
        "You take one mean for all tokens of a sample; take one per token.", AXES
    ),
    mistake("over everything", {"dim=-1": "dim=tuple(range(x.ndim))"}).because(
        "You take one mean for the whole tensor; take one per token.", AXES
    ),
    mistake("axis lost", {"dim=-1, keepdim=True": "dim=-1"}).because(
        "Your means [B, T] do not line up with x [B, T, dim]; compute them with keepdim=True.",
        "Which axes does broadcasting line up with which?",
    ),
    mistake("weight not used", {" * self.weight": ""}).because(
        "Your weight has no effect; multiply by it.", "In the formula, how is the weight used?"
    ),
    mistake("one added to the weight", {"* self.weight": "* (1 + self.weight)"}).because(
        "You scale by 1 + weight. Some models do, with weights that start at 0; here the weight itself is the scale.",
        "By what is a fresh layer's output scaled?",
    ),
    mistake("initialised with zeros", {ONES: "torch.zeros(dim)"}).because(
        "With weight = 0 at the start your layer returns 0 for everything; start with ones.",
        "What should a fresh layer return: y = x̂ · 1?",
    ),
    mistake("one number for all features", {ONES: "torch.ones(1)"}).because(
        "Your weight is a single number; give each feature its own.", "Which size does the docstring give for weight?"
    ),
    mistake(
        "with a bias",
        {f"nn.Parameter({ONES})": f"nn.Parameter({ONES})\n        self.bias = nn.Parameter(torch.zeros(dim))"},
    ).because("You have a bias; RMSNorm has only a weight.", "Which parameters does the docstring list?"),
    mistake("plain tensor", {f"nn.Parameter({ONES})": ONES}).because(
        "Your weight is a plain tensor, neither trained nor saved; wrap it in nn.Parameter.", LEARNED
    ),
    mistake("buffer", {f"self.weight = nn.Parameter({ONES})": f'self.register_buffer("weight", {ONES})'}).because(
        "Your weight is a buffer, saved but not trained; make it an nn.Parameter.", LEARNED
    ),
    mistake("root detached from the graph", {"mean_square + self.eps": "mean_square.detach() + self.eps"}).because(
        "Your root is detached from x, so the gradient through it is missing.",
        "Does the root change when a feature changes?",
    ),
    mistake("weight detached from the graph", {"* self.weight": "* self.weight.detach()"}).because(
        "No gradient reaches your weight (`.data`, `.detach()` or `requires_grad=False`), so it never learns.",
        "Along which path does a gradient get from the output to weight?",
    ),
    other_names({"self.weight": "self.scale"}, times=2),
    no_super("weight"),
    overwrites(
        "x",
        {"* self.weight).to(x.dtype)": "* self.weight).to(x.dtype) + (0 if x.requires_grad else 0 * x.mul_(2))"},
        LOST,
    ),
    in_double_precision("output", {BACK: ").to(x.dtype if x.dtype == torch.float16 else torch.float64)"}),
    mistake("initialised at random", {ONES: "torch.randn(dim)"}).because(
        "Your weight starts at random numbers, so a fresh layer scales its features at random. Start with ones.",
        "What should a fresh layer return: y = x̂ · 1?",
    ),
    mistake("the largest entry", {MEAN_SQUARE: "wide.square().amax(dim=-1, keepdim=True)"}).because(
        "You divide by the largest entry of the token; divide by the root of the mean of its squares.", SIZE
    ),
    mistake("divided by dim − 1", {MEAN_SQUARE: "wide.square().sum(dim=-1, keepdim=True) / (x.shape[-1] - 1)"}).because(
        "You divide the sum of the squares by dim − 1; divide it by dim.", SIZE
    ),
    mistake("weight under the root", {WIDE: f"({WIDE} * self.weight)", f" * self.weight{BACK}": BACK}).because(
        "You multiply by the weight first, so it is part of the root too. Divide first, then multiply.",
        "In the formula, is the mean taken over x, or over x times the weight?",
    ),
    mistake("eps squared", {"+ self.eps": "+ self.eps**2"}).because("You square eps; add it without a square.", INSIDE),
    mistake("eps twice", {OVER_ROOT: " / ((mean_square + self.eps).sqrt() + self.eps)"}).because(
        "You add eps twice, under the root and to the root; it belongs only under the root.", INSIDE
    ),
)
