"""EncoderBlock(input_dim, num_heads, dim_feedforward, dropout=0.0): post-norm."""

import course_lib.model.encoder as reference
from autograder.catalogue.checks import is_true, matches
from autograder.catalogue.encoder import block_properties as rules
from autograder.catalogue.encoder.block_cases import block_cases, faint_sums
from autograder.catalogue.encoder.block_misconceptions import MISCONCEPTIONS
from autograder.catalogue.encoder.block_properties import Share
from autograder.catalogue.encoder.block_variants import VARIANTS
from autograder.catalogue.encoder.late_mistakes import late_mistakes
from autograder.catalogue.exercise import Exercise, Property
from autograder.judging.results import close

NORMS_OF_X = is_true(
    "sub-layers zeroed",
    ["output", "norms"],
    lambda output, norms: abs(output).max() > 0.01 and close(output, norms),
    "with both sub-layers at zero the block does not give norm2(norm1(x))",
)

ENCODER_BLOCK = Exercise(
    id="EncoderBlock",
    title="The encoder block",
    reference=reference.EncoderBlock,
    cases=block_cases(faint_sums),
    properties=(
        Property(Share.PARAMETERS, 0.5, matches("parameters")),
        Property(Share.WIRING, 2, rules.WIRING_HOLDS),
        Property(Share.VALUES, 1, *rules.VALUES),
        Property(Share.RESIDUAL, 0.5, NORMS_OF_X),
        Property(Share.MASK, 0.5, *rules.MASK),
        Property(Share.DROPOUT, 0.5, *rules.DROPOUT),
        Property(Share.SAMPLES, 0.5, *rules.SAMPLES),
        Property(Share.GRADIENTS, 0.5, *rules.GRADIENTS),
    ),
    mistakes=MISCONCEPTIONS + late_mistakes(reference.EncoderBlock, Share.MASK, Share.SAMPLES, Share.GRADIENTS),
    forbidden=("TransformerEncoderLayer", "TransformerEncoder", "MultiheadAttention", "multi_head_attention_forward"),
    hints=(
        "Two lines: x = norm1(x + dropout(attention)), then x = norm2(x + dropout(feed-forward)).",
        "The second line works on the x of the first.",
        "The attention needs the mask, and the feed-forward needs the dropout.",
    ),
    right_variants=VARIANTS,
)
