"""Stage 02: splitting and merging heads, self-attention and cross-attention."""

from autograder.catalogue.multi_head.cross_attention import CROSS_ATTENTION
from autograder.catalogue.multi_head.merge_heads import MERGE_HEADS
from autograder.catalogue.multi_head.multihead_attention import MULTIHEAD_ATTENTION
from autograder.catalogue.multi_head.split_heads import SPLIT_HEADS

EXERCISES = (SPLIT_HEADS, MERGE_HEADS, MULTIHEAD_ATTENTION, CROSS_ATTENTION)
