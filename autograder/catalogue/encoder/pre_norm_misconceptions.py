"""What a good assistant would say of each wrong way to write `PreNormEncoderBlock`."""

from autograder.catalogue.encoder import pre_norm_mistakes as wrong
from autograder.catalogue.encoder.block_properties import Share
from autograder.catalogue.encoder.said_of_both import SAID, WHEN, ZERO
from autograder.catalogue.exercise import Misconception
from course_lib.model.encoder import EncoderBlock

FORMULA = "x = x + sub-layer(norm(x)): which of these symbols is missing, or elsewhere, in your code?"
STRUCTURE = (Share.WIRING, Share.VALUES, Share.PLAIN)
STEPS = (Share.WIRING, Share.VALUES)

MISCONCEPTIONS = (
    Misconception(
        "post-norm",
        EncoderBlock,
        "Your norms come after the sums; in this block they come before the sub-layers.",
        ZERO,
        STRUCTURE,
    ),
    Misconception(
        "normalised residual",
        wrong.NormalisedResidual,
        "You overwrite x by its normalised self before you add: then the residual path is normalised after all.",
        ZERO,
        STRUCTURE,
    ),
    Misconception(
        "a norm at the end",
        wrong.FinalNorm,
        "You normalise the result; the path from x to the output is to stay free of norms.",
        ZERO,
        STRUCTURE,
    ),
    Misconception(
        "second half post-norm",
        wrong.OnlyFirstPre,
        "The attention is pre-norm, but around the feed-forward your norm comes after the sum.",
        FORMULA,
        STRUCTURE,
    ),
    Misconception(
        "no residual",
        wrong.NoResidual,
        "x is added nowhere: what the sub-layers do not pass on is lost.",
        ZERO,
        STRUCTURE,
    ),
    Misconception(
        "no residual around the feed-forward",
        wrong.NoSecondResidual,
        *SAID["no residual around the feed-forward"],
        STRUCTURE,
    ),
    Misconception(
        "norm after the sub-layer",
        wrong.NormAfterTheSubLayer,
        "You normalise what the sub-layers give; it is what they get that is normalised.",
        FORMULA,
        STRUCTURE,
    ),
    Misconception(
        "first norm missing", wrong.NoFirstNorm, "The attention gets x as it is.", FORMULA, (*STEPS, Share.PLAIN)
    ),
    Misconception(
        "second norm missing", wrong.NoSecondNorm, "The feed-forward gets x as it is.", FORMULA, (*STEPS, Share.PLAIN)
    ),
    Misconception(
        "norm1 twice", wrong.FirstNormTwice, "norm1 is applied twice and norm2 never.", FORMULA, (*STEPS, Share.PLAIN)
    ),
    Misconception(
        "sub-layers side by side",
        wrong.Parallel,
        "Your feed-forward gets the block's input; it is to get the sum that the attention has made.",
        FORMULA,
        STEPS,
    ),
    Misconception(
        "second residual from the input",
        wrong.FromTheInput,
        "Around the feed-forward you add the block's input: what the attention did is lost.",
        FORMULA,
        STEPS,
    ),
    Misconception(
        "feed-forward first",
        wrong.FeedForwardFirst,
        "The attention comes first, then the feed-forward.",
        FORMULA,
        STEPS,
    ),
    Misconception(
        "mask forgotten",
        wrong.MaskForgotten,
        *SAID["mask forgotten"],
        (Share.MASK,),
    ),
    Misconception("no dropout", wrong.NoDropout, "self.dropout is never called.", WHEN, (Share.DROPOUT,)),
    Misconception(
        "dropout of what the norms give",
        wrong.DropoutOfTheNormalised,
        "You drop from what the sub-layers get; it is what they give that is dropped.",
        WHEN,
        (Share.DROPOUT,),
    ),
    Misconception(
        "dropout in eval too",
        wrong.DropoutInEval,
        *SAID["dropout in eval too"],
        (Share.DROPOUT,),
    ),
    Misconception(
        "one head",
        wrong.OneHead,
        *SAID["one head"],
        (Share.VALUES,),
    ),
    Misconception(
        "other names",
        wrong.NamedOtherwise,
        "Your parts have other names than those of EncoderBlock: weights of one would not fit the other.",
        "What does a class inherit that says `class PreNormEncoderBlock(EncoderBlock)`?",
        STRUCTURE,
    ),
    Misconception(
        "mask inverted",
        wrong.MaskInverted,
        *SAID["mask inverted"],
        (Share.MASK,),
    ),
    Misconception(
        "dropout once",
        wrong.OneDropout,
        *SAID["dropout once"],
        (Share.DROPOUT,),
    ),
    Misconception(
        "dropout by default",
        wrong.SomeByDefault,
        *SAID["dropout by default"],
        (Share.DROPOUT,),
        shown_by="without dropout given, something drops",
    ),
    Misconception(
        "dropout of the result",
        wrong.DropoutLast,
        "You drop from the result, and with it from x; it is the sub-layers' outputs that are dropped.",
        WHEN,
        (Share.DROPOUT,),
    ),
    Misconception(
        "no dropout inside",
        wrong.NoneInside,
        *SAID["no dropout inside"],
        (Share.DROPOUT,),
    ),
    Misconception(
        "norms exchanged",
        wrong.NormsExchanged,
        "norm2 comes first and norm1 last.",
        FORMULA,
        STEPS,
    ),
    Misconception(
        "a residual around the block",
        wrong.ResidualAround,
        "You add x to the result once more; the two residuals are inside.",
        ZERO,
        STRUCTURE,
    ),
    Misconception(
        "no attention",
        wrong.NoAttention,
        "self_attn is never called.",
        FORMULA,
        (*STEPS, Share.PLAIN, Share.MASK),
    ),
    Misconception(
        "no feed-forward",
        wrong.NoFeedForward,
        "linear_net is never called.",
        FORMULA,
        (*STEPS, Share.PLAIN, Share.DROPOUT),
    ),
    Misconception(
        "GELU in the feed-forward",
        wrong.GELU,
        *SAID["GELU in the feed-forward"],
        (Share.VALUES,),
    ),
)
