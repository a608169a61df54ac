"""What a good assistant would say of layers of `TransformerEncoder` that are made wrong."""

from autograder.catalogue.encoder import transformer_layers_mistakes as wrong
from autograder.catalogue.encoder.transformer_shares import ALL_MAPS, CHAIN, HOW_MANY, ROUTE, Share
from autograder.catalogue.exercise import Misconception

OF_LAYERS = (
    Misconception(
        "one block repeated",
        wrong.OneBlockRepeated,
        "`[block] * n` puts the same block in every place: your layers share their weights.",
        HOW_MANY,
        (Share.PARAMETERS, Share.VALUES, Share.GRADIENTS),
    ),
    Misconception(
        "a plain list",
        wrong.PlainList,
        "A Python list hides its blocks from the module: they are neither trained, saved nor moved. Use nn.ModuleList.",
        HOW_MANY,
        (Share.PARAMETERS, Share.VALUES, Share.GRADIENTS),
    ),
    Misconception(
        "one layer",
        wrong.OneLayer,
        "Your encoder has a single block, whatever num_layers says.",
        HOW_MANY,
        (Share.PARAMETERS, Share.WIRING, Share.VALUES, *ALL_MAPS, Share.GRADIENTS),
    ),
    Misconception(
        "one layer too many",
        wrong.OneMore,
        "Your encoder has a block more than num_layers says.",
        HOW_MANY,
        (Share.PARAMETERS, Share.WIRING, Share.VALUES, *ALL_MAPS),
    ),
    Misconception(
        "another name for layers",
        wrong.OtherName,
        "Your blocks are kept under another name than `layers`: saved weights would not fit.",
        "Which name does the docstring give under “Parameters”?",
        (Share.PARAMETERS, Share.VALUES, Share.WIRING, Share.GRADIENTS),
    ),
    Misconception(
        "a norm at the end",
        wrong.WithFinalNorm,
        "You normalise the result once more; the blocks are post-norm and have done so.",
        CHAIN,
        (Share.PARAMETERS, Share.WIRING, Share.VALUES),
    ),
    Misconception(
        "pre-norm blocks",
        wrong.PreNorm,
        "Your stack is made of PreNormEncoderBlock; the contract says EncoderBlock.",
        "Which of the two blocks is the one of the 2017 paper?",
        (Share.VALUES,),
    ),
    Misconception(
        "dropout lost", wrong.DropoutLost, "The dropout does not reach your blocks.", ROUTE, (Share.ARGUMENTS,)
    ),
    Misconception(
        "heads lost",
        wrong.HeadsLost,
        "num_heads does not reach your blocks.",
        ROUTE,
        (Share.VALUES, *ALL_MAPS, Share.ARGUMENTS),
    ),
)
