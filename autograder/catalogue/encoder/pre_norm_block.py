"""PreNormEncoderBlock: the same parameters, the norms before the sub-layers."""

import course_lib.model.encoder as reference
from autograder.catalogue.checks import fits, matches
from autograder.catalogue.encoder import block_properties as rules
from autograder.catalogue.encoder.block_cases import block_cases, faint_input
from autograder.catalogue.encoder.block_properties import Share
from autograder.catalogue.encoder.block_variants import PRE_VARIANTS
from autograder.catalogue.encoder.late_mistakes import late_mistakes
from autograder.catalogue.encoder.pre_norm_misconceptions import MISCONCEPTIONS
from autograder.catalogue.exercise import Exercise, Property
from autograder.judging.results import close

ONLY_X = fits(
    "sub-layers zeroed",
    ["output"],
    ["x"],
    close,
    "with both sub-layers at zero the block does not give x back",
)
PRE_NORM_ENCODER_BLOCK = Exercise(
    id="PreNormEncoderBlock",
    title="The encoder block with the norms first",
    reference=reference.PreNormEncoderBlock,
    cases=block_cases(faint_input),
    properties=(
        Property(Share.WIRING, 1, rules.WIRING_HOLDS),
        Property(Share.VALUES, 0.5, matches("parameters"), *rules.VALUES),
        Property(Share.PLAIN, 0.5, ONLY_X, *rules.GRADIENTS),
        Property(Share.MASK, 0.5, *rules.MASK, rules.AFTERWARDS),
        Property(Share.DROPOUT, 0.5, *rules.DROPOUT),
    ),
    mistakes=MISCONCEPTIONS + late_mistakes(reference.PreNormEncoderBlock, Share.MASK, Share.MASK, Share.PLAIN),
    forbidden=("TransformerEncoderLayer", "TransformerEncoder", "MultiheadAttention", "multi_head_attention_forward"),
    hints=(
        "Two lines: x = x + dropout(attention of norm1(x)), then the same with norm2 and the feed-forward.",
        "What is added to is x itself, not the normalised x.",
    ),
    right_variants=PRE_VARIANTS,
)
