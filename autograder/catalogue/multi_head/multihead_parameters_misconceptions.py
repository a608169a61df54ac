"""What a good assistant would say of wrong parameters and widths of `MultiheadAttention`."""

from autograder.catalogue.exercise import Misconception
from autograder.catalogue.multi_head import multihead_parameters_mistakes as wrong
from autograder.catalogue.multi_head.multihead_shares import Share
from autograder.catalogue.multi_head.said_of_both import NAMES, SAID

OF_PARAMETERS = (
    Misconception(
        "the input's width in the merge",
        wrong.InputWidth,
        "You reshape to input_dim after the attention; the merged heads are embed_dim wide.",
        "How wide are all heads together?",
        (Share.WIDTH,),
    ),
    Misconception(
        "back to the input's width",
        wrong.BackToInput,
        "Your o_proj leads back to input_dim; the layer's output is embed_dim wide.",
        NAMES,
        (Share.PARAMETERS, Share.WIDTH),
    ),
    Misconception(
        "no biases",
        wrong.NoBias,
        *SAID["no biases"],
        (Share.PARAMETERS, Share.VALUES, Share.GRADIENTS),
    ),
    Misconception(
        "three projections",
        wrong.ThreeProjections,
        "You project q, k and v apart, as CrossAttention will; here one Linear, qkv_proj, makes all three.",
        NAMES,
        (Share.PARAMETERS, Share.VALUES, Share.LAYOUT, Share.GRADIENTS, Share.WIDTH),
    ),
    Misconception(
        "one projection for q and k",
        wrong.SharedQueryAndKey,
        "Queries and keys come from the same rows of your projection: it has 2·embed_dim outputs, not 3·embed_dim.",
        "How many different projections does a head need?",
        (Share.PARAMETERS, Share.VALUES, Share.LAYOUT, Share.WIDTH),
    ),
    Misconception(
        "another name for o_proj",
        wrong.OutProj,
        "Your output projection is called out_proj; in this layer its name is o_proj.",
        NAMES,
        (Share.PARAMETERS, Share.VALUES, Share.GRADIENTS),
    ),
)
