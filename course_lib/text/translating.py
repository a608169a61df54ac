"""Many sentences at once, from ids to ids, by greedy decoding or with a beam."""

from collections.abc import Sequence

import torch
from torch import nn

from course_lib.text.batches import bucket_batches, pad_batch
from course_lib.text.vocabulary import BOS, EOS, PAD

ROWS = 2_000  # source tokens, padding included, that are decoded together


def translate(
    model: nn.Module, sources: Sequence[Sequence[int]], max_len: int, beam_size: int = 1, alpha: float = 0.6
) -> list[list[int]]:
    """The best translation of each sentence: the one that `beam_search` finds, for a whole list in one go.

    The source is encoded once, and sentences of similar length are decoded together. One that is done makes room.

    Args:
        model: a `TranslationModel`; in eval mode meanwhile, and given back in the mode it came in.
        sources: lists of ids, without special tokens.
        max_len: tokens of a translation at the latest, eos included.
        beam_size, alpha: as `beam_search` has them; a beam of one is greedy decoding.

    Returns:
        For each source its translation, without special tokens.

    Raises:
        ValueError: a sentence is empty; the message gives its place.
    """
    if empty := [place for place, source in enumerate(sources) if not source]:
        raise ValueError(f"there is nothing to translate in sentence {empty[0]}: it is empty; leave it out")
    where, was_training = next(model.parameters()).device, model.training
    found: list[list[int]] = [[] for _ in sources]
    lengths = [len(source) + 1 for source in sources]
    model.eval()
    try:
        with torch.no_grad():
            for places in bucket_batches(lengths, ROWS, torch.Generator().manual_seed(0)):
                src, src_mask = (x.to(where) for x in pad_batch([[*sources[place], EOS] for place in places], PAD))
                for place, tokens in zip(places, _beams(model, src, src_mask, max_len, beam_size, alpha), strict=True):
                    found[place] = tokens
    finally:
        model.train(was_training)
    return found


def _beams(
    model: nn.Module, src: torch.Tensor, src_mask: torch.Tensor, max_len: int, beam_size: int, alpha: float
) -> list[list[int]]:
    """The best translation of each row of src [B, S]."""
    best: list[tuple[float, list[int]]] = [(-torch.inf, [])] * len(src)
    row_of = list(range(len(src)))  # which sentence the rows below are about; B shrinks as sentences are done
    memory = model.encode(src, src_mask)  # [B, S, D]
    tokens = torch.full((len(src), 1, 1), BOS, device=src.device)  # [B, K, 1 + n], at first with K = 1
    sums = torch.zeros(len(src), 1, device=src.device)  # [B, K]; −∞ where nothing is left to go on with
    for n in range(1, max_len + 1):
        kept = tokens.shape[1]
        each = (x.repeat_interleave(kept, dim=0) for x in (memory, src_mask))
        logits = model.decode(next(each), tokens.flatten(0, 1), next(each))[:, -1]  # [B·K, V]
        candidates = sums[:, :, None] + logits.log_softmax(-1).unflatten(0, (-1, kept))  # [B, K, V]
        sums, place = candidates.flatten(1).topk(min(beam_size, candidates[0].numel()))  # [B, beam]
        beam, token = place // logits.shape[-1], place % logits.shape[-1]
        tokens = torch.cat([tokens.gather(1, beam[:, :, None].expand(-1, -1, n)), token[:, :, None]], dim=-1)
        ended = (token == EOS) | (n == max_len)  # [B, beam]
        scores = (sums / ((5 + n) / 6) ** alpha).masked_fill(~ended, -torch.inf)
        for i, (score, k) in enumerate(zip(*(x.tolist() for x in scores.max(dim=1)), strict=True)):
            if score > best[row_of[i]][0]:
                made = tokens[i, k, 1:].tolist()
                best[row_of[i]] = score, made[:-1] if made[-1] == EOS else made
        sums = sums.masked_fill(ended, -torch.inf)
        hope = sums.amax(dim=1) / ((5 + max_len) / 6) ** alpha  # no sum can rise: [B]
        going_on = [i for i, most in enumerate(hope.tolist()) if most > best[row_of[i]][0]]
        if not going_on:
            break
        row_of = [row_of[i] for i in going_on]
        tokens, sums, memory, src_mask = (x[going_on] for x in (tokens, sums, memory, src_mask))
    return [made for _, made in best]
