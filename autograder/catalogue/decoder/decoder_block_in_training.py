"""What a decoder block is told whose numbers are right, but not while it is trained."""

from autograder.catalogue.decoder import decoder_block_mistakes as wrong
from autograder.catalogue.exercise import Misconception

DROPOUT, GRADIENTS = "dropout while training, and only then", "gradients reach every parameter"

IN_TRAINING = (
    Misconception(
        "dropout always on",
        wrong.DropoutAlwaysOn,
        "`F.dropout` drops also in eval mode, unless it is told `training=self.training`.",
        "Do two calls in eval mode give the same?",
        (DROPOUT,),
    ),
    Misconception(
        "dropout forgotten",
        wrong.DropoutForgotten,
        "The outputs of the sub-layers are added without dropout.",
        "Where in forward do you use `self.dropout`?",
        (DROPOUT,),
    ),
    Misconception(
        "dropout on the feed-forward only",
        wrong.DropoutOnlyAtTheEnd,
        "The outputs of the two attentions are added without dropout.",
        "How many sub-layers are there, and how often do you call `self.dropout`?",
        (DROPOUT,),
    ),
    Misconception(
        "dropout on the residual",
        wrong.DropoutOnTheResidual,
        "You drop what came in; it is the sub-layer's output that is to be dropped, before it is added.",
        "With everything dropped, what should be left: nothing, or x?",
        (DROPOUT,),
    ),
    Misconception(
        "dropout after the norm",
        wrong.DropoutAfterTheNorm,
        "You drop what leaves the norm; it is the sub-layer's output that is to be dropped, before it is added.",
        "With everything dropped, what should be left: nothing, or x?",
        (DROPOUT,),
    ),
    Misconception(
        "feed-forward without dropout",
        wrong.FeedForwardWithoutDropout,
        "The feed-forward does not get the dropout that the block was given.",
        "Which arguments does FeedForward take?",
        (DROPOUT,),
    ),
    Misconception(
        "a dropout of your own",
        wrong.DropoutByHabit,
        "The block drops while training although it was asked for dropout=0.0.",
        "Which probability do your Dropout modules get?",
        (DROPOUT,),
    ),
    Misconception(
        "cross-attention without gradient",
        wrong.MemoryCutOff,
        "The numbers are right, but the cross-attention runs without autograd: it never learns.",
        "Which line takes the cross-attention out of autograd?",
        (GRADIENTS,),
    ),
    Misconception(
        "memory without gradient",
        wrong.MemoryDetached,
        "The numbers are right, but the memory is cut out of autograd: the encoder before it would never learn.",
        "Which call takes the memory out of autograd?",
        (GRADIENTS,),
    ),
    Misconception(
        "residual without gradient",
        wrong.ResidualDetached,
        "The numbers are right, but the residuals are cut out of autograd: deep stacks would not learn.",
        "Which way back do the plus signs open for a gradient?",
        (GRADIENTS,),
    ),
)
