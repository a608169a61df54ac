"""PreNormEncoderBlock: the same parameters, the norms before the sub-layers."""

import course_lib.model.encoder as reference
from autograder.catalogue.checks import fits, matches
from autograder.catalogue.encoder import block_checks as checks
from autograder.catalogue.encoder.block_cases import block_cases, faint_input
from autograder.catalogue.encoder.encoder_block import FromTorch
from autograder.catalogue.encoder.pre_norm_block_mistakes import MISTAKES
from autograder.catalogue.exercise import Criterion, Exercise
from autograder.catalogue.results import close


class PreFromTorch(FromTorch):
    """The same with the norms first."""

    def forward(self, src, src_mask=None):
        normed = self.norm1(src)
        src = src + self.dropout1(self.self_attn(normed, src_mask, return_attention=True)[0])
        return src + self.dropout2(self.linear_net(self.norm2(src)))


ONLY_X = fits(
    "sub-layers zeroed", ["output"], ["x"], close, "with both sub-layers at zero the block does not give x back"
)

PRE_NORM_ENCODER_BLOCK = Exercise(
    id="PreNormEncoderBlock",
    title="The encoder block with the norms first",
    reference=reference.PreNormEncoderBlock,
    cases=block_cases(faint_input),
    criteria=(
        Criterion("the parts in the right places", 0.75, checks.WIRING),
        Criterion("values, with your own parts", 0.25, matches("parameters"), *checks.VALUES),
        Criterion("nothing but x on the residual path", 0.25, ONLY_X, *checks.GRADIENTS),
        Criterion("mask is respected", 0.75, *checks.MASK),
        Criterion("dropout of both sub-layers, and inside", 0.5, *checks.DROPOUT),
        checks.NOTHING_ELSE,
    ),
    mistakes=MISTAKES,
    forbidden=("transformer", "multihead_attention"),
    right_variants=(PreFromTorch,),
)
