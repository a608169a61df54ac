"""Stage 11: hide words of a sentence, and measure how well a model fills them in."""

import torch
from torch import nn
from torch.nn import functional as F

NOT_ASKED = -100  # what F.cross_entropy leaves out


def mask_tokens(
    tokens: torch.Tensor,
    mask: torch.Tensor,
    mask_id: int,
    vocab_size: int,
    num_special: int,
    rate: float,
    generator: torch.Generator,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Choose words to ask about, hide most of them, and note what they were.

    Args:
        tokens: int64 [B, T]; left as they are.
        mask: [B, T], 1 at a real token.
        mask_id: the token that hides a word; one of the special ones.
        vocab_size: V.
        num_special: the ids 0 to num_special − 1 are no words: they are never chosen, and never drawn.
        rate: each word of the sentence is chosen with this probability.
        generator: all randomness comes from it.

    Returns:
        inputs: int64 [B, T]: of the chosen words, 80 % are mask_id, 10 % a word drawn at random, 10 % as they were.
        targets: int64 [B, T]: the chosen words as they were; −100 everywhere else.

    Source: Devlin et al. 2019, "BERT", section 3.1, task 1.

    >>> tokens, mask = torch.tensor([[7, 2, 9, 0]]), torch.tensor([[1, 1, 1, 0]])
    >>> inputs, targets = mask_tokens(tokens, mask, 4, 11, 5, rate=1.0, generator=torch.Generator())
    >>> targets.tolist()
    [[7, -100, 9, -100]]
    """
    # BEGIN SOLUTION
    #: Two uniform draws per token, torch.rand(tokens.shape, generator=generator): one says who is chosen, the other
    #: what becomes of the chosen. Below 0.8: mask_id; from there to 0.9: a random word; above: nothing.
    #: torch.randint(low, high, size, generator=…) draws from low to high − 1.
    #: masked_fill and torch.where make new tensors.
    words = (mask != 0) & (tokens >= num_special)  # [B, T]
    chosen = words & (torch.rand(tokens.shape, generator=generator).to(tokens.device) < rate)  # [B, T]
    fate = torch.rand(tokens.shape, generator=generator).to(tokens.device)  # [B, T]
    drawn = torch.randint(num_special, vocab_size, tokens.shape, generator=generator).to(tokens.device)  # [B, T]
    inputs = tokens.masked_fill(chosen & (fate < 0.8), mask_id)  # [B, T]
    inputs = torch.where(chosen & (fate >= 0.8) & (fate < 0.9), drawn, inputs)  # [B, T]
    return inputs, tokens.masked_fill(~chosen, NOT_ASKED)
    # END SOLUTION


def masked_lm_loss(
    model: nn.Module, batch: tuple[torch.Tensor, torch.Tensor, torch.Tensor]
) -> tuple[torch.Tensor, torch.Tensor]:
    """How wrong a masked language model is about the words it was asked for, and how often it is right.

    Args:
        model: called as `model(inputs, mask)`, gives logits [B, T, V].
        batch: `(inputs, targets, mask)`, each [B, T]; see `mask_tokens`.

    Returns:
        `(loss, accuracy)`, over the chosen words (target not −100): a tensor without dimensions, the mean
        cross-entropy; and the share that is guessed right, a tensor like it or a plain number. Where nothing was
        chosen both are 0, and the loss can still be backpropagated.
    """
    # BEGIN SOLUTION
    #: F.cross_entropy wants the V words second, [B, V, T], and leaves out what is −100.
    #: Its mean over no words is 0 / 0. reduction="sum", divided by a count that is at least 1, is not.
    #: The same count serves the accuracy.
    inputs, targets, mask = batch
    logits = model(inputs, mask)  # [B, T, V]
    asked = targets != NOT_ASKED  # [B, T]
    count = asked.sum().clamp(min=1)
    loss = F.cross_entropy(logits.transpose(1, 2), targets, ignore_index=NOT_ASKED, reduction="sum") / count
    accuracy = ((logits.argmax(dim=-1) == targets) & asked).sum() / count
    return loss, accuracy
    # END SOLUTION
