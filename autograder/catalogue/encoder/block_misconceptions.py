"""What a good assistant would say of each wrong way to write `EncoderBlock`."""

from autograder.catalogue.encoder import block_mistakes as wrong
from autograder.catalogue.encoder.block_properties import Share
from autograder.catalogue.encoder.said_of_both import PARTS, SAID, WHEN, ZERO
from autograder.catalogue.exercise import Misconception
from course_lib.model.encoder import PreNormEncoderBlock

FORMULA = "x = norm1(x + sub-layer(x)): which of these symbols is missing, or elsewhere, in your code?"
STRUCTURE = (Share.WIRING, Share.VALUES, Share.RESIDUAL)
STEPS = (Share.WIRING, Share.VALUES)
UNUSED = (*STRUCTURE, Share.GRADIENTS)

MISCONCEPTIONS = (
    Misconception(
        "no residual",
        wrong.NoResidual,
        "Neither sub-layer's input is added to its output: what the sub-layers do not pass on is lost.",
        ZERO,
        STRUCTURE,
    ),
    Misconception(
        "no residual around the attention",
        wrong.NoFirstResidual,
        "x is not added to the output of the attention.",
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
        "second residual from the input",
        wrong.ResidualFromTheInput,
        "Around the feed-forward you add the block's input; what is to be added is the output of norm1.",
        FORMULA,
        STRUCTURE,
    ),
    Misconception(
        "sub-layers side by side",
        wrong.Parallel,
        "Your feed-forward gets the block's input; it is to get what norm1 gives.",
        FORMULA,
        STEPS,
    ),
    Misconception(
        "pre-norm",
        PreNormEncoderBlock,
        "Your norms come before the sub-layers; this block is post-norm: norm(x + sub-layer(x)).",
        ZERO,
        STRUCTURE,
    ),
    Misconception(
        "norm before the sum",
        wrong.NormBeforeTheSum,
        "You normalise the sub-layer's output and then add x; it is the sum that is normalised.",
        ZERO,
        STRUCTURE,
    ),
    Misconception("first norm missing", wrong.NoFirstNorm, "norm1 is never applied.", FORMULA, UNUSED),
    Misconception("second norm missing", wrong.NoSecondNorm, "norm2 is never applied.", FORMULA, UNUSED),
    Misconception("norm1 twice", wrong.FirstNormTwice, "norm1 is applied twice and norm2 never.", FORMULA, UNUSED),
    Misconception("norms exchanged", wrong.NormsExchanged, "norm2 comes first and norm1 last.", FORMULA, STRUCTURE),
    Misconception(
        "feed-forward first",
        wrong.FeedForwardFirst,
        "The attention comes first, then the feed-forward.",
        FORMULA,
        STEPS,
    ),
    Misconception(
        "no feed-forward",
        wrong.NoFeedForward,
        "linear_net is made and never called.",
        FORMULA,
        (*STEPS, Share.DROPOUT, Share.GRADIENTS),
    ),
    Misconception(
        "no attention",
        wrong.NoAttention,
        "self_attn is made and never called.",
        FORMULA,
        (*STEPS, Share.MASK, Share.GRADIENTS),
    ),
    Misconception(
        "mask forgotten",
        wrong.MaskForgotten,
        *SAID["mask forgotten"],
        (Share.MASK,),
    ),
    Misconception(
        "mask inverted",
        wrong.MaskInverted,
        *SAID["mask inverted"],
        (Share.MASK,),
    ),
    Misconception(
        "dropout in eval too",
        wrong.DropoutInEval,
        *SAID["dropout in eval too"],
        (Share.DROPOUT,),
    ),
    Misconception("no dropout", wrong.NoDropout, "self.dropout is made and never called.", WHEN, (Share.DROPOUT,)),
    Misconception(
        "dropout of the sum",
        wrong.DropoutOfTheSum,
        "You drop from the sum, and with it from x; it is the sub-layer's output that is dropped.",
        WHEN,
        (Share.DROPOUT,),
    ),
    Misconception(
        "dropout after the norm",
        wrong.DropoutLast,
        "You drop what the norm gives; it is the sub-layer's output that is dropped, before it is added.",
        WHEN,
        (Share.DROPOUT,),
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
        "dropout of the feed-forward only",
        wrong.SecondDropoutOnly,
        "You drop from the feed-forward's output only; the attention's is dropped too.",
        WHEN,
        (Share.DROPOUT,),
    ),
    Misconception(
        "a residual around the block",
        wrong.ResidualAround,
        "You add x to the result; the two residuals are inside, each around its sub-layer.",
        ZERO,
        STRUCTURE,
    ),
    Misconception(
        "one norm in both places",
        wrong.SharedNorm,
        "norm1 and norm2 are the same object: they share their weight and bias.",
        PARTS,
        (Share.PARAMETERS, Share.VALUES, Share.GRADIENTS),
    ),
    Misconception(
        "no dropout inside",
        wrong.NoneInside,
        *SAID["no dropout inside"],
        (Share.DROPOUT,),
    ),
    Misconception(
        "one head",
        wrong.OneHead,
        *SAID["one head"],
        (Share.VALUES,),
    ),
    Misconception(
        "GELU in the feed-forward",
        wrong.GELU,
        *SAID["GELU in the feed-forward"],
        (Share.VALUES,),
    ),
    Misconception(
        "norms with the unbiased variance",
        wrong.Unbiased,
        "Your block's numbers are those of a layer norm that divides by dim − 1: mend LayerNorm first.",
        PARTS,
        (Share.VALUES,),
    ),
    Misconception(
        "norms with eps outside the root",
        wrong.EpsOutside,
        "Your block's numbers are those of a layer norm with eps outside the root: mend LayerNorm first.",
        PARTS,
        (Share.VALUES,),
    ),
    Misconception(
        "norms with another eps",
        wrong.AnotherEps,
        "Your norms have another eps than 1e-5.",
        PARTS,
        (Share.VALUES,),
    ),
    Misconception(
        "norms over the batch",
        wrong.BatchNormalised,
        "Your norms take their mean over the batch; layer norm looks at one token at a time.",
        PARTS,
        (Share.VALUES, Share.MASK, Share.SAMPLES, Share.GRADIENTS),
    ),
    Misconception(
        "one norm",
        wrong.OneNorm,
        "There is one norm where the contract has two, each with parameters of its own.",
        PARTS,
        (Share.PARAMETERS, *STRUCTURE, Share.GRADIENTS),
    ),
    Misconception(
        "other names",
        wrong.OtherNames,
        "Your parts have other names than self_attn, linear_net, norm1, norm2: saved weights would not fit.",
        "Which names does the docstring give under “Parameters”?",
        (Share.PARAMETERS, *STRUCTURE, Share.GRADIENTS),
    ),
    Misconception(
        "cut from the graph",
        wrong.CutFromTheGraph,
        "After the first half your graph is cut: the attention never learns.",
        "Which call in your code cuts the graph: .data, .detach(), torch.no_grad?",
        (Share.GRADIENTS,),
    ),
)
