"""Stage 10: what `fit` needs to train a `TranslationModel`, and the default task, the caption language."""

from collections.abc import Iterator, Sequence

import torch
from torch import nn
from torch.nn import functional as F

from course_lib.text.batches import bucket_batches
from course_lib.text.pairs import translation_batch
from course_lib.text.vocabulary import BOS, EOS, PAD
from course_lib.training.batches import Batch

SMOOTHING = 0.1
IdPair = tuple[list[int], list[int]]


def translation_loss(model: nn.Module, batch: Batch) -> tuple[torch.Tensor, torch.Tensor]:
    """How wrong a `TranslationModel` is about a batch, its loss smoothed, and how many tokens it guesses right.

    Args:
        model: called as `model(src, tgt_in, src_mask)`, gives logits [B, T, V].
        batch: what `translation_batch` gives.

    Returns:
        `(loss, accuracy)`, both without dimensions, over the tokens of tgt_out that are not padding. The loss is the
        `smoothed_loss` of stage 10, by torch's own kernel.
    """
    src, tgt_in, tgt_out, src_mask = batch
    logits = model(src, tgt_in, src_mask)  # [B, T, V]
    # BEGIN SOLUTION of smoothed_loss
    total = F.cross_entropy(
        logits.flatten(0, 1), tgt_out.flatten(), ignore_index=PAD, label_smoothing=SMOOTHING, reduction="sum"
    )
    # END SOLUTION
    is_real = tgt_out != PAD  # [B, T]
    right = (logits.argmax(dim=-1) == tgt_out) & is_real
    return total / is_real.sum().clamp(min=1), right.sum() / is_real.sum().clamp(min=1)


class TranslationBatches:
    """Training batches of pairs, sentences of similar length together; see `bucket_batches`.

    Args:
        pairs: (source, target), lists of ids without special tokens.
        max_tokens: what a batch holds of the longer side, padding and the special token included.
        where: the device of the batches.
    """

    def __init__(self, pairs: Sequence[IdPair], max_tokens: int, where: torch.device | str = "cpu"):
        self.pairs, self.max_tokens, self.where = pairs, max_tokens, where
        self.lengths = [max(len(source), len(target)) + 1 for source, target in pairs]

    def to(self, where: torch.device) -> "TranslationBatches":
        """The same batches, on another device."""
        return TranslationBatches(self.pairs, self.max_tokens, where)

    def epoch(self, generator: torch.Generator) -> Iterator[Batch]:
        """Each pair once; who meets whom, and the order of the batches, are drawn from generator, a cpu generator."""
        for places in bucket_batches(self.lengths, self.max_tokens, generator):
            batch = translation_batch([self.pairs[place] for place in places], BOS, EOS, PAD)
            yield tuple(tensor.to(self.where) for tensor in batch)
