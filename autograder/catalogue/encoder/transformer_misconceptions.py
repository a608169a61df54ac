"""What a good assistant would say of each wrong way to write `TransformerEncoder`."""

from autograder.catalogue.encoder import transformer_mistakes as wrong
from autograder.catalogue.encoder.transformer_layers_misconceptions import OF_LAYERS
from autograder.catalogue.encoder.transformer_maps_misconceptions import OF_MAPS
from autograder.catalogue.encoder.transformer_shares import CHAIN, EVERY, Share
from autograder.catalogue.exercise import Misconception

OF_FORWARD = (
    Misconception(
        "only the last layer",
        wrong.LastOnly,
        "Every block gets the original x, and the output of the last one is returned: the others work for nothing.",
        CHAIN,
        (Share.WIRING, Share.VALUES, Share.GRADIENTS),
    ),
    Misconception(
        "only the first layer",
        wrong.FirstOnly,
        "You return inside the loop: only the first block runs.",
        CHAIN,
        (Share.WIRING, Share.VALUES, Share.GRADIENTS),
    ),
    Misconception(
        "all but the last layer",
        wrong.ReturnsTooSoon,
        "The last block never runs.",
        CHAIN,
        (Share.WIRING, Share.VALUES, Share.GRADIENTS),
    ),
    Misconception(
        "backwards",
        wrong.Backwards,
        "Your blocks run from the last to the first.",
        CHAIN,
        (Share.WIRING, Share.VALUES),
    ),
    Misconception(
        "layers summed",
        wrong.Summed,
        "Your blocks stand side by side, and their outputs are added up; they are to be run one after the other.",
        CHAIN,
        (Share.WIRING, Share.VALUES),
    ),
    Misconception(
        "a residual around the stack",
        wrong.WithResidual,
        "You add x to the result; the residuals are inside the blocks.",
        CHAIN,
        (Share.WIRING, Share.VALUES),
    ),
    Misconception(
        "a residual around each block",
        wrong.ResidualEachTime,
        "You add x to what each block gives; the residuals are inside the blocks.",
        CHAIN,
        (Share.WIRING, Share.VALUES),
    ),
    Misconception("mask forgotten in forward", wrong.MaskForgotten, "No block gets the mask.", EVERY, (Share.MASK,)),
    Misconception(
        "mask for the first layer only",
        wrong.MaskFirstOnly,
        "Only the first block gets the mask: from the second on, everybody sees everything.",
        EVERY,
        (Share.MASK,),
    ),
    Misconception(
        "mask for the last layer only",
        wrong.MaskLastOnly,
        "Only the last block gets the mask: before it, everybody has seen everything.",
        EVERY,
        (Share.MASK,),
    ),
    Misconception(
        "mask nowhere",
        wrong.MaskNowhere,
        "Neither forward nor the maps use the mask.",
        EVERY,
        (Share.MASK, Share.MASKED_MAPS),
    ),
    Misconception(
        "cut from the graph",
        wrong.CutFromTheGraph,
        "forward runs without gradients, so nothing learns; torch.no_grad is for the maps, if at all.",
        "Which of your two methods is used in training?",
        (Share.GRADIENTS,),
    ),
)

FURTHER = (
    Misconception(
        "all but the first layer",
        wrong.SkipsTheFirst,
        "The first block never runs.",
        CHAIN,
        (Share.WIRING, Share.VALUES, Share.GRADIENTS),
    ),
    Misconception(
        "layers averaged",
        wrong.Averaged,
        "Your blocks stand side by side, and their outputs are averaged; they are to be run one after the other.",
        CHAIN,
        (Share.WIRING, Share.VALUES),
    ),
    Misconception(
        "layers cut from each other",
        wrong.LayersCutOff,
        "You detach what one block hands to the next: only the last one learns.",
        "Which of your blocks does the gradient of the output reach?",
        (Share.GRADIENTS,),
    ),
    Misconception(
        "input cut from the graph",
        wrong.InputCutOff,
        "No gradient gets through your stack to x: an embedding below it never learns.",
        "Which call in your code cuts the graph: .data, .detach(), torch.no_grad?",
        (Share.GRADIENTS,),
    ),
    Misconception(
        "the first mask kept",
        wrong.KeepsTheMask,
        "Your stack keeps the first mask that it gets and uses it for every later call.",
        "Which of your attributes outlive a call of forward?",
        (Share.VALUES,),
    ),
    Misconception(
        "the first maps kept",
        wrong.KeepsTheMaps,
        "Your stack gives the maps of its first call again, whatever comes after.",
        "Which of your attributes outlive a call?",
        (Share.MAPS,),
    ),
    Misconception(
        "dropout by default",
        wrong.DropoutByDefault,
        "In training your stack drops something though nobody asked for it.",
        "Where does your dropout get its probability from?",
        (Share.VALUES,),
        shown_by="without dropout given, training changes the output",
    ),
)

MISCONCEPTIONS = OF_LAYERS + OF_FORWARD + OF_MAPS + FURTHER
