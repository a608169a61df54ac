"""Stage 11: a model's bias about the people in its texts: the odds of two words, and their amplification."""

from collections.abc import Mapping

import torch
from torch import nn


def candidate_odds(
    model: nn.Module, tokens: torch.Tensor, position: int, first: int, second: int, mask_id: int
) -> float:
    """How much more likely a model finds one word than another at one position: log P(first) − log P(second).

    Args:
        model: called as `model(tokens)` with tokens [1, T], gives logits [1, T, V]. Asked in eval mode and without
            gradients; every part of it is given back in the mode it came in, even after an error.
        tokens: int64 [T] or [1, T], a sentence; it isn't modified.
        position: the position in question. The token there is hidden from the model, by mask_id.
        first, second: ids of the two words.
        mask_id: the token that hides a word.

    Returns:
        The log-odds, a plain number: above 0 if the first word is more likely.

    Source: Kurita et al. 2019, "Measuring Bias in Contextualized Word Representations", section 2 (two candidates for
    one blank).

    >>> model = nn.Embedding.from_pretrained(torch.arange(11.0).expand(13, 11))  # the same logits for each of 13 tokens
    >>> candidate_odds(model, torch.tensor([5, 6, 8]), position=1, first=9, second=7, mask_id=4)
    2.0
    """
    # BEGIN SOLUTION
    #: A copy of the tokens, as a batch of one: clone().reshape(1, -1). Then the mask at the position.
    #: Note the mode of every module, and put it back in `finally`, as in `greedy_decode`.
    #: A log-softmax subtracts the same number from all logits: what is left of it in a difference?
    tokens = tokens.clone().reshape(1, -1)  # [1, T]
    tokens[0, position] = mask_id
    modes = {m: m.training for m in model.modules()}
    try:
        for module in modes:
            module.training = False
        with torch.no_grad():
            log_p = model(tokens)[0, position].log_softmax(dim=-1)  # [V]
    finally:
        for module, training in modes.items():
            module.training = training
    return (log_p[first] - log_p[second]).item()
    # END SOLUTION


def amplification(corpus_share: Mapping[str, float], predicted_share: Mapping[str, float]) -> dict[str, float]:
    """How much more one-sided a model is than what it learned from, activity by activity.

    Args:
        corpus_share: activity → the share of one of two words (“she”, say, of all “he” and “she”) in the texts.
        predicted_share: the same of what the model says. The same activities.

    Returns:
        activity → percentage points: 100 · max(0, |predicted − ½| − |corpus − ½|). It is 0 where the model is as
        one-sided as its texts, or less; it does not matter to which side.

    Source: after Zhao et al. 2017, "Men Also Like Shopping", section 3 (there summed, and of one side).

    >>> amplification({"cook": 0.75, "read": 0.5}, {"cook": 1.0, "read": 0.5})
    {'cook': 25.0, 'read': 0.0}
    """
    # BEGIN SOLUTION
    #: |share − ½| says how one-sided a share is, whichever side it is. A dict comprehension does the rest.
    return {
        activity: 100 * max(0.0, abs(predicted_share[activity] - 0.5) - abs(share - 0.5))
        for activity, share in corpus_share.items()
    }
    # END SOLUTION
