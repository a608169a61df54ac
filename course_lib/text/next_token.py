"""The loss of a language model: every token predicts the next one."""

import torch
from torch.nn import functional as F


def next_token_loss(logits: torch.Tensor, tokens: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
    """Mean cross-entropy of each token after the first, predicted from the logits one position earlier.

    Args:
        logits: [B, T, V], at each position for the token that follows it.
        tokens: int64 [B, T], the text.
        mask: [B, T], True for real tokens; None if all are real. Only real targets count.

    Returns:
        A scalar in nats. If there is nothing to predict (T = 1, or no real target) it is 0 and can be backpropagated.

    Source: Radford et al. 2019, "Language Models are Unsupervised Multitask Learners", section 2, equation 1.

    >>> next_token_loss(torch.zeros(2, 5, 8), torch.ones(2, 5, dtype=torch.long))
    tensor(2.0794)
    """
    # BEGIN SOLUTION
    #: The logits at position t are about token t + 1: logits[:, :-1] go with tokens[:, 1:].
    #: The mask belongs to the targets: mask[:, 1:].
    #: F.cross_entropy takes the classes on axis 1; reduction="none" gives one loss per target, [B, T − 1].
    #: Sum over the real ones, divide by their number, but never by 0.
    losses = F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")  # [B, T − 1]
    if mask is not None:
        losses = losses[mask[:, 1:].bool()]  # [N]
    return losses.sum() / max(losses.numel(), 1)
    # END SOLUTION
