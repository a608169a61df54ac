"""What a good assistant would say of each wrong way to write `TransformerEncoder`."""

from autograder.exercise import Misconception
from autograder.exercises.encoder import transformer_mistakes as wrong


class Share:
    """The names of the properties."""

    PARAMETERS = "parameters of the contract, new ones for each layer"
    WIRING = "one block after the other"
    VALUES = "values, with your own blocks"
    MASK = "the mask reaches every layer"
    MAPS = "one attention map for each layer"
    MASKED_MAPS = "under a mask too, the maps of the forward pass"
    ARGUMENTS = "the arguments reach the blocks"
    GRADIENTS = "gradients reach every parameter"


HOW_MANY = "How many blocks does your constructor make, and does the module know them?"
CHAIN = "What does the second block get, and what does forward return?"
EVERY = "Which layers get the mask?"
SAME_WAY = "Which x does layer 2 see in forward? Which x do you ask its attention with?"
ROUTE = "Through which arguments does EncoderBlock get its dropout and its heads?"
ALL_MAPS = (Share.MAPS, Share.MASKED_MAPS)

MISCONCEPTIONS = (
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
    Misconception(
        "every map from the input",
        wrong.MapsOfTheInput,
        "You ask every layer's attention with the original x; from the second layer on, x is another.",
        SAME_WAY,
        (Share.MAPS,),
    ),
    Misconception(
        "maps from the output of each layer",
        wrong.MapsOfTheOutput,
        "You let x through the layer first and ask its attention then: that is the x of the next layer.",
        SAME_WAY,
        (Share.MAPS,),
    ),
    Misconception(
        "attention in the place of the layer",
        wrong.MapsOfAttentionAlone,
        "For the maps you hand the attention's output on to the next layer; the rest of the block is missing.",
        SAME_WAY,
        (Share.MAPS,),
    ),
    Misconception(
        "maps without the mask, on a masked way",
        wrong.MapsUnmasked,
        "The layers get the mask, but you ask for their maps without it.",
        EVERY,
        (Share.MASKED_MAPS,),
    ),
    Misconception(
        "mask lost on the way",
        wrong.MaskLostOnTheWay,
        "Each map is masked, but the x between them is made without the mask: later maps are not those of forward.",
        SAME_WAY,
        (Share.MASKED_MAPS,),
    ),
    Misconception(
        "mask for the first map only",
        wrong.MaskForTheFirstMap,
        "Only the first map is made with the mask.",
        EVERY,
        (Share.MASKED_MAPS,),
    ),
    Misconception(
        "maps without the mask",
        wrong.MapsWithoutMask,
        "get_attention_maps does not use the mask.",
        EVERY,
        (Share.MASKED_MAPS,),
    ),
    Misconception(
        "maps averaged over the heads",
        wrong.MapsAveraged,
        "You average over the heads; each head has a map of its own.",
        "Which shape has the attention of one layer?",
        (*ALL_MAPS, Share.ARGUMENTS),
    ),
    Misconception(
        "outputs in the place of maps",
        wrong.OutputsAsMaps,
        "These are the outputs of the attention, not its weights: return_attention=True.",
        "What does self_attn return when you ask for the attention?",
        (*ALL_MAPS, Share.ARGUMENTS),
    ),
    Misconception(
        "the last map only",
        wrong.LastMapOnly,
        "You return the map of the last layer; every layer has one.",
        "Where do you collect the maps?",
        ALL_MAPS,
    ),
    Misconception(
        "maps backwards",
        wrong.MapsBackwards,
        "Your maps begin with the last layer.",
        "Where in the list do you put each map?",
        (Share.MAPS,),
    ),
    Misconception(
        "the first map only",
        wrong.FirstMapOnly,
        "You return the map of the first layer; every layer has one.",
        "Where do you collect the maps?",
        ALL_MAPS,
    ),
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
