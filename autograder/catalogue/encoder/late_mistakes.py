"""Mistakes in a block that one look at its values does not show: under other masks, in later calls, on the way back."""

from torch import nn

from autograder.catalogue.encoder.said_of_both import MASK_ON
from autograder.catalogue.exercise import Misconception


def one_mask_for_all(block):
    """A block that gives every sample the mask of the first."""

    class OneMaskForAll(block):
        def forward(self, x, mask=None):
            return super().forward(x, mask[0] if mask is not None and mask.ndim > 2 else mask)

    return OneMaskForAll


def mask_transposed(block):
    """A block that exchanges queries and keys in its mask."""

    class MaskTransposed(block):
        def forward(self, x, mask=None):
            return super().forward(x, None if mask is None else mask.transpose(-2, -1))

    return MaskTransposed


def keeps_the_mask(block):
    """A block that uses its first mask for ever."""

    class KeepsTheMask(block):
        kept = None

        def forward(self, x, mask=None):
            self.kept = mask if self.kept is None else self.kept
            return super().forward(x, self.kept)

    return KeepsTheMask


def input_cut_off(block):
    """A block through which no gradient gets to x."""

    class InputCutOff(block):
        def forward(self, x, mask=None):
            return super().forward(x.detach(), mask)

    return InputCutOff


def feed_forward_cut_off(block):
    """A block whose feed-forward sends nothing back to what it got."""

    class Cut(nn.Sequential):
        def forward(self, x):
            return super().forward(x.detach())

    class FeedForwardCutOff(block):
        def __init__(self, *arguments, **named):
            super().__init__(*arguments, **named)
            self.linear_net = Cut(*self.linear_net)

    return FeedForwardCutOff


def late_mistakes(block, mask: str, calls: str, gradients: str) -> tuple[Misconception, ...]:
    """Of a block, each losing the property that is named for it."""
    return (
        Misconception(
            "one mask for all samples",
            one_mask_for_all(block),
            "You use the mask of the first sample for all of them.",
            "What does a mask [B, T, T] say about the second sample?",
            (mask,),
        ),
        Misconception(
            "mask transposed",
            mask_transposed(block),
            "You hand on the mask with queries and keys exchanged: rows are queries, columns are keys.",
            MASK_ON,
            (mask,),
        ),
        Misconception(
            "the first mask kept",
            keeps_the_mask(block),
            "Your block keeps the first mask that it gets and uses it for every later call.",
            "Which of your attributes outlive a call of forward?",
            (calls,),
        ),
        Misconception(
            "input cut from the graph",
            input_cut_off(block),
            "No gradient gets through your block to x: the blocks below it never learn.",
            "Which call in your code cuts the graph: .data, .detach(), torch.no_grad?",
            (gradients,),
        ),
        Misconception(
            "feed-forward cut from the graph",
            feed_forward_cut_off(block),
            "What the feed-forward gets is cut off: its gradient does not get to what comes before it.",
            "Which call in your code cuts the graph: .data, .detach(), torch.no_grad?",
            (gradients,),
        ),
    )
