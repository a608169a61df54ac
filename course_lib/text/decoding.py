"""From a model to a sentence, following several hypotheses at a time."""

import torch
from torch import nn


def beam_search(
    model,
    src: torch.Tensor,
    bos: int,
    eos: int,
    beam_size: int,
    max_len: int,
    alpha: float = 0.6,
    src_mask: torch.Tensor | None = None,
) -> list[tuple[list[int], float]]:
    """Look for the most likely sentence: keep the `beam_size` best beginnings, and continue all of them.

    Args:
        model: called as `model(src, tokens, src_mask=src_mask)` with any number of rows, returns logits [R, T, V]. A
            module decodes in eval mode; the mode of every part is restored afterwards.
        src: [1, S], one sentence.
        bos, eos: the tokens that start and end a sentence.
        beam_size: how many beginnings are kept in each round, out of all continuations of the previous round's.
        max_len: stop after at most this many tokens, including eos.
        alpha: how much length is compensated for; 0 is the plain sum.
        src_mask: [1, S], passed to the model.

    Returns:
        At most beam_size pairs (tokens, score), best score first, tokens without bos and eos. The score is the sum of
        the log-probabilities of all n tokens made, eos included, divided by ((5 + n) / 6)^alpha. What has not ended
        after max_len tokens counts, with n = max_len. No gradient.

    Source: Wu et al. 2016, "Google's Neural Machine Translation System", section 7, equation 14, without the coverage.

    >>> def count(src, tokens, src_mask=None):
    ...     return 50.0 * nn.functional.one_hot(tokens + 1, 11)
    >>> beam_search(count, src=torch.zeros(1, 2), bos=4, eos=7, beam_size=1, max_len=10)
    [([5, 6], 0.0)]
    """
    # BEGIN SOLUTION
    #: Begin with one row, bos, and the sum 0. In each round: the log-probabilities of the next token, [R, V], added to
    #: the sums [R]; of all R·V the beam_size best (there may be fewer): `flatten().topk(...)`.
    #: A place in the flat list is row · V + token: // and % give them back.
    #: Rows that end in eos are set aside with their score; the others go on. After max_len rounds all are set aside.
    #: No gradient, no dropout, and every part of the model back in its mode, as in greedy_decode.
    modes = {m: m.training for m in model.modules()} if isinstance(model, nn.Module) else {}
    tokens = torch.full((1, 1), bos, dtype=torch.long, device=src.device)  # [R, 1 + n]
    sums = torch.zeros(1, device=src.device)  # [R]
    found = []
    try:
        for module in modes:
            module.training = False
        with torch.no_grad():
            for n in range(1, max_len + 1):
                rows = len(tokens)
                mask = None if src_mask is None else src_mask.expand(rows, -1)
                logits = model(src.expand(rows, -1), tokens, src_mask=mask)[:, -1]  # [R, V]
                candidates = sums[:, None] + logits.log_softmax(dim=-1)  # [R, V]
                sums, places = candidates.flatten().topk(min(beam_size, candidates.numel()))
                row, token = places // logits.shape[-1], places % logits.shape[-1]
                tokens = torch.cat([tokens[row], token[:, None]], dim=1)  # [R, 1 + n]
                ended = (token == eos) | (n == max_len)
                scores = sums[ended] / ((5 + n) / 6) ** alpha
                found += zip(tokens[ended, 1:].tolist(), scores.tolist(), strict=True)
                tokens, sums = tokens[~ended], sums[~ended]
                if ended.all():
                    break
    finally:
        for module, training in modes.items():
            module.training = training
    best = sorted(found, key=lambda pair: -pair[1])[:beam_size]
    return [(made[:-1] if made[-1] == eos else made, score) for made, score in best]
    # END SOLUTION
