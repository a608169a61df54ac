"""EncoderBlock(input_dim, num_heads, dim_feedforward, dropout=0.0): post-norm."""

from torch import nn

import course_lib.model.encoder as reference
from autograder.catalogue.checks import is_true, matches
from autograder.catalogue.encoder import block_checks as checks
from autograder.catalogue.encoder.block_cases import block_cases, faint_sums
from autograder.catalogue.encoder.block_wiring_mistakes import OF_POST_NORM
from autograder.catalogue.encoder.encoder_block_mistakes import MISTAKES
from autograder.catalogue.exercise import Criterion, Exercise
from autograder.catalogue.results import close
from course_lib.model.multi_head import MultiheadAttention


class FromTorch(nn.Module):
    """torch's layer norm, the feed-forward inline, a loop over its modules, two dropouts; mask by keyword."""

    def __init__(self, input_dim: int, num_heads: int, dim_feedforward: int, dropout: float = 0.0, bias=True):
        super().__init__()
        self.self_attn = MultiheadAttention(input_dim, input_dim, num_heads)
        self.linear_net = nn.Sequential(
            nn.Linear(input_dim, dim_feedforward),
            nn.Dropout(dropout),
            nn.ReLU(inplace=True),
            nn.Linear(dim_feedforward, input_dim),
        )
        self.norm1, self.norm2 = nn.LayerNorm(input_dim), nn.LayerNorm(input_dim)
        self.dropout1, self.dropout2 = nn.Dropout(dropout), nn.Dropout(dropout)

    def forward(self, src, src_mask=None):
        src = self.norm1(src + self.dropout1(self.self_attn(src, mask=src_mask)))
        hidden = src
        for module in self.linear_net:
            hidden = module(hidden)
        return self.norm2(self.dropout2(hidden) + src)


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
    criteria=(
        Criterion("parameters of the contract", 0.5, matches("parameters")),
        Criterion("the parts in the right places", 1.25, checks.WIRING),
        Criterion("values, with your own parts, each sample by itself", 1, *checks.VALUES),
        Criterion("norms of the sum", 0.25, NORMS_OF_X),
        Criterion("mask is respected", 1.5, *checks.MASK),
        Criterion("dropout of both sub-layers, and inside", 0.5, *checks.DROPOUT),
        checks.NOTHING_ELSE,
        Criterion("gradients reach every parameter", 0.5, *checks.GRADIENTS),
    ),
    mistakes=MISTAKES + OF_POST_NORM,
    forbidden=("transformer", "multihead_attention"),
    right_variants=(FromTorch,),
)
