"""Sentence pairs as a decoder learns from them."""

from collections.abc import Sequence

import torch

from course_lib.text.batches import pad_batch


def translation_batch(
    pairs: Sequence[tuple[Sequence[int], Sequence[int]]], bos: int, eos: int, pad: int
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """What the model reads, the earlier target tokens at each position, and the token to predict there.

    Args:
        pairs: (source, target), lists of ids of any lengths, without bos and eos; left as they are.
        bos, eos: the tokens that begin and end a sentence.
        pad: the token to fill up with.

    Returns:
        src: int64 [B, S], each source and eos.
        tgt_in: int64 [B, T], bos and each target. Where tgt_out is padding, nothing is predicted, so tgt_in may be
            anything.
        tgt_out: int64 [B, T], each target and eos: tgt_in one step later.
        src_mask: bool [B, S], True at a real token, eos included. It comes from the lengths: an id that equals `pad` is
            real.

    Source: "Attention Is All You Need", section 3.1 ("offset by one position").

    >>> src, tgt_in, tgt_out, src_mask = translation_batch([([5, 6], [7, 8, 9])], bos=1, eos=2, pad=0)
    >>> src.tolist(), tgt_in.tolist(), tgt_out.tolist()
    ([[5, 6, 2]], [[1, 7, 8, 9]], [[7, 8, 9, 2]])
    """
    # BEGIN SOLUTION
    #: Add the special tokens while these are lists: [*target, eos] is a new list.
    #: Your pad_batch of stage 09 does the rest, and makes the mask.
    src, src_mask = pad_batch([[*source, eos] for source, _ in pairs], pad)  # [B, S]
    tgt_in, _ = pad_batch([[bos, *target] for _, target in pairs], pad)  # [B, T]
    tgt_out, _ = pad_batch([[*target, eos] for _, target in pairs], pad)  # [B, T]
    return src, tgt_in, tgt_out, src_mask
    # END SOLUTION
