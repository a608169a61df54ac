"""Other right ways to average the loss over the real tokens: all of them get full marks."""

import torch
from torch import nn
from torch.nn import functional as F


def by_ignore_index(logits, targets, pad):
    return F.cross_entropy(logits.reshape(-1, logits.shape[-1]), targets.reshape(-1), ignore_index=pad)


def classes_on_the_second_axis(logits, targets, pad):
    return nn.CrossEntropyLoss(ignore_index=pad)(logits.transpose(1, 2), targets)


def by_a_mask(output, target, pad_id):
    losses = F.cross_entropy(output.permute(0, 2, 1), target, reduction="none")  # [B, T]
    real = (target != pad_id).to(losses.dtype)
    return (losses * real).sum() / real.sum()


def by_gather(logits, targets, pad):
    log_probabilities = logits.double().log_softmax(dim=-1)
    picked = log_probabilities.gather(-1, targets[..., None]).squeeze(-1)  # [B, T]
    return -picked[targets != pad].mean().to(logits.dtype)


def by_logsumexp(logits, targets, pad):
    logits, targets = logits[targets != pad], targets[targets != pad]  # [N, V], [N]
    right = logits[torch.arange(len(targets)), targets]
    return (torch.logsumexp(logits, dim=-1) - right).mean()


VARIANTS = (by_ignore_index, classes_on_the_second_axis, by_a_mask, by_gather, by_logsumexp)
