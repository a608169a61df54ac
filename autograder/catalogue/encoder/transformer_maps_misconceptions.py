"""What a good assistant would say of the ways to get the attention maps of `TransformerEncoder` wrong."""

from autograder.catalogue.encoder import transformer_maps_mistakes as wrong
from autograder.catalogue.encoder.transformer_shares import ALL_MAPS, EVERY, SAME_WAY, Share
from autograder.catalogue.exercise import Misconception

OF_MAPS = (
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
)
