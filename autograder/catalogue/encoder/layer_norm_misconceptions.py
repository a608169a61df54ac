"""What a good assistant would say of each wrong way to write `LayerNorm`."""

from autograder.catalogue.encoder import layer_norm_mistakes as wrong
from autograder.catalogue.exercise import Misconception


class Share:
    """The names of the properties."""

    PARAMETERS = "weight and bias"
    START = "starts as plain normalisation"
    VALUES = "values"
    EPS = "eps, inside the root"
    TOKENS = "each token by itself"
    GRADIENTS = "gradients, also through mean and variance"


BY_WHAT = "The variance is a mean of squared distances. Divided by how many?"
INSIDE = "What is √(0 + eps), and what is √0 + eps? Which of the two does the formula divide by?"
AXES = "How many means are there for x [B, T, dim]: 1, B, T, dim, or B·T?"
LAST = "In the formula, what is done with weight and bias, and in which order?"
BORN = "What should a fresh layer give: y = x̂ · 1 + 0?"
NAMES = "Which names and sizes does the docstring give under “Parameters”?"

MISCONCEPTIONS = (
    Misconception(
        "unbiased variance",
        wrong.Unbiased,
        "Your variance is divided by dim − 1, torch's habit; layer norm divides by dim: unbiased=False.",
        BY_WHAT,
        (Share.VALUES,),
    ),
    Misconception(
        "eps outside the root",
        wrong.EpsOutside,
        "You add eps to the standard deviation; it belongs under the root, next to the variance.",
        INSIDE,
        (Share.EPS,),
    ),
    Misconception(
        "unbiased, and eps outside the root",
        wrong.UnbiasedAndOutside,
        "Your standard deviation is divided by dim − 1, and eps is added to it and not to the variance.",
        BY_WHAT,
        (Share.VALUES,),
    ),
    Misconception(
        "no eps",
        wrong.NoEps,
        "Without eps a token whose features are all equal is divided by 0.",
        INSIDE,
        (Share.EPS,),
    ),
    Misconception(
        "eps fixed",
        wrong.FixedEps,
        "Your eps is always 1e-5, whatever is given.",
        "Where does your forward get eps from?",
        (Share.EPS,),
    ),
    Misconception(
        "another default for eps",
        wrong.AnotherEps,
        "Your default eps is not 1e-5.",
        "What does the signature in the contract say?",
        (Share.EPS,),
    ),
    Misconception(
        "eps as a lower limit",
        wrong.EpsOverTheRoot,
        "You use eps as the smallest standard deviation; it is to be added to the variance.",
        INSIDE,
        (Share.EPS,),
    ),
    Misconception(
        "eps squared",
        wrong.SquaredEps,
        "You add eps² to the variance; it is eps.",
        INSIDE,
        (Share.EPS,),
    ),
    Misconception(
        "no root",
        wrong.NoRoot,
        "You divide by the variance; the formula divides by its root.",
        "If all features double, what should happen to the output?",
        (Share.VALUES,),
    ),
    Misconception(
        "not centred",
        wrong.NotCentred,
        "You divide by the root mean square without taking the mean away: that is RMSNorm.",
        "What is the mean of your output when bias is 0?",
        (Share.VALUES,),
    ),
    Misconception(
        "only centred",
        wrong.OnlyCentred,
        "You take the mean away and never divide.",
        "What is the variance of your output when weight is 1?",
        (Share.VALUES, Share.EPS),
    ),
    Misconception(
        "mean of the squares",
        wrong.SquareMean,
        "You divide by the root of the mean of x²; the variance is the mean of (x − mean)².",
        "What is the variance of 5, 5, 5?",
        (Share.VALUES,),
    ),
    Misconception(
        "over the batch",
        wrong.OverTheBatch,
        "You normalise each feature over the batch: that is batch norm. Here each token is normalised by itself.",
        AXES,
        (Share.VALUES, Share.TOKENS),
    ),
    Misconception(
        "over the tokens",
        wrong.OverTheTokens,
        "You normalise each feature over the tokens; it is the features of one token that are to be normalised.",
        AXES,
        (Share.VALUES, Share.TOKENS),
    ),
    Misconception(
        "axis number one",
        wrong.AxisOne,
        "You normalise along axis 1, which counts the tokens of [B, T, dim]; the features are the last axis, −1.",
        AXES,
        (Share.VALUES, Share.TOKENS),
    ),
    Misconception(
        "over whole samples",
        wrong.OverSamples,
        "You take one mean for all tokens of a sample; each token has its own.",
        AXES,
        (Share.VALUES, Share.TOKENS),
    ),
    Misconception(
        "over everything",
        wrong.OverEverything,
        "You take one mean and one variance for the whole tensor; each token has its own.",
        AXES,
        (Share.VALUES, Share.TOKENS),
    ),
    Misconception(
        "axis lost",
        wrong.WithoutKeepdim,
        "Without keepdim=True the means [B, T] do not line up with x [B, T, dim].",
        "Which axes does broadcasting line up with which?",
        (Share.VALUES, Share.EPS, Share.TOKENS, Share.GRADIENTS),
    ),
    Misconception(
        "axis number two",
        wrong.AxisTwo,
        "You count the axes from the front, so the layer works for three axes only: the last axis is −1.",
        "What is the last axis of x [dim], of [B, dim], of [B, T, dim]?",
        (Share.VALUES, Share.TOKENS),
    ),
    Misconception(
        "between 0 and 1",
        wrong.BetweenZeroAndOne,
        "You stretch the features between their smallest and largest; asked for are mean 0 and variance 1.",
        "What is the mean of your output?",
        (Share.VALUES,),
    ),
    Misconception(
        "weight not used", wrong.WithoutWeight, "Your weight has no effect.", LAST, (Share.VALUES, Share.GRADIENTS)
    ),
    Misconception(
        "bias not used", wrong.WithoutBias, "Your bias has no effect.", LAST, (Share.VALUES, Share.GRADIENTS)
    ),
    Misconception(
        "weight and bias not used",
        wrong.BothUnused,
        "Weight and bias have no effect.",
        LAST,
        (Share.VALUES, Share.GRADIENTS),
    ),
    Misconception("bias first", wrong.BiasFirst, "You add bias before you multiply by weight.", LAST, (Share.VALUES,)),
    Misconception(
        "born with weight 0",
        wrong.BornZero,
        "With weight = 0 at the start your layer gives 0 for everything.",
        BORN,
        (Share.START,),
    ),
    Misconception(
        "born with bias 1",
        wrong.BornOne,
        "With bias = 1 at the start your layer shifts everything.",
        BORN,
        (Share.START,),
    ),
    Misconception(
        "born otherwise",
        wrong.BornRandom,
        "Your weight and bias start with other numbers than 1 and 0.",
        BORN,
        (Share.START,),
    ),
    Misconception(
        "gamma and beta",
        wrong.GammaAndBeta,
        "Your parameters are called gamma and beta; in this course, as in torch, they are weight and bias.",
        NAMES,
        (Share.PARAMETERS, Share.START, Share.VALUES, Share.GRADIENTS),
    ),
    Misconception(
        "plain tensors",
        wrong.PlainTensors,
        "Plain tensors are neither trained nor saved: wrap them in nn.Parameter.",
        "What does list(LayerNorm(4).parameters()) give?",
        (Share.PARAMETERS, Share.VALUES, Share.GRADIENTS),
    ),
    Misconception(
        "one number for all features",
        wrong.OneNumber,
        "Your weight and bias are single numbers; each feature has its own.",
        NAMES,
        (Share.PARAMETERS, Share.START, Share.VALUES),
    ),
    Misconception(
        "statistics cut from the graph",
        wrong.StatisticsDetached,
        "Mean and variance are cut off from x: the gradient that flows through them is missing.",
        "Does the mean change when a feature changes?",
        (Share.GRADIENTS,),
    ),
    Misconception(
        "weight and bias cut from the graph",
        wrong.WeightsDetached,
        "You use `.data` or `.detach()` of weight and bias: they never learn.",
        "Along which path does a gradient get from the output to weight?",
        (Share.GRADIENTS,),
    ),
    Misconception(
        "buffers",
        wrong.Buffers,
        "A buffer is saved, but not trained: weight and bias must be parameters, nn.Parameter.",
        "What does list(LayerNorm(4).parameters()) give?",
        (Share.PARAMETERS, Share.VALUES, Share.GRADIENTS),
    ),
    Misconception(
        "variance cut from the graph",
        wrong.VarianceDetached,
        "The variance is cut off from x: the gradient that flows through it is missing.",
        "Does the variance change when a feature changes?",
        (Share.GRADIENTS,),
    ),
    Misconception(
        "mean cut from the graph",
        wrong.MeanDetached,
        "The mean is cut off from x: the gradient that flows through it is missing.",
        "Does the mean change when a feature changes?",
        (Share.GRADIENTS,),
    ),
    Misconception(
        "only divided",
        wrong.OnlyDivided,
        "You divide by the standard deviation and never take the mean away.",
        "What is the mean of your output when bias is 0?",
        (Share.VALUES,),
    ),
    Misconception(
        "dropout by default",
        wrong.DropoutByDefault,
        "In training your layer drops something; a layer norm has no dropout.",
        "Which of your calls differs between train and eval?",
        (Share.VALUES,),
        shown_by="in training the same tokens give other numbers",
    ),
)
