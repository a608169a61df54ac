"""What a good assistant would say of each wrong way to write `EncoderBlock`."""

from autograder.exercise import Misconception
from autograder.exercises.encoder import block_mistakes as wrong
from autograder.exercises.encoder.block_properties import Share
from course_lib.encoder import PreNormEncoderBlock

FORMULA = "x = norm1(x + sub-layer(x)): which of these symbols is missing, or elsewhere, in your code?"
ZERO = "If both sub-layers gave 0, what should come out of the block?"
WHEN = "When is something dropped, what, and what is added to what after that?"
PARTS = "Which part does this, and what does the contract say of it?"
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
        "x is not added to the output of the feed-forward.",
        ZERO,
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
        "The mask never reaches the attention.",
        "Which part needs the mask, and where do you hand it on?",
        (Share.MASK,),
    ),
    Misconception(
        "mask inverted",
        wrong.MaskInverted,
        "You hand on the opposite of the mask: in this course True means visible.",
        "Which part needs the mask, and in which form?",
        (Share.MASK,),
    ),
    Misconception(
        "dropout in eval too",
        wrong.DropoutInEval,
        "You drop in eval mode too: F.dropout needs training=self.training.",
        WHEN,
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
        "You drop from the attention's output only; the feed-forward's is dropped too.",
        WHEN,
        (Share.DROPOUT,),
    ),
    Misconception(
        "dropout by default",
        wrong.SomeByDefault,
        "Your block drops even when no dropout is given: the default is 0.",
        "What does the signature in the contract say?",
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
        "The feed-forward is made without the dropout.",
        "Which arguments does FeedForward take?",
        (Share.DROPOUT,),
    ),
    Misconception(
        "one head",
        wrong.OneHead,
        "num_heads does not reach the attention.",
        "Which arguments does MultiheadAttention take?",
        (Share.VALUES,),
    ),
    Misconception(
        "GELU in the feed-forward",
        wrong.GELU,
        "Your feed-forward has a GELU; the paper's has a ReLU.",
        PARTS,
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
