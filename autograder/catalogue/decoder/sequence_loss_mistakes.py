"""What students write in the place of a mean over the real tokens."""

import torch
from torch.nn import functional as F


def losses_of(logits, targets):
    """The loss of every token, [B, T]."""
    return F.cross_entropy(logits.transpose(1, 2), targets, reduction="none")


def on_probabilities(logits, targets, pad):
    return F.cross_entropy(logits.softmax(-1).flatten(0, 1), targets.flatten(), ignore_index=pad)


def on_log_of_the_softmax(logits, targets, pad):
    log_probabilities = logits.softmax(-1).log()
    return F.nll_loss(log_probabilities.flatten(0, 1), targets.flatten(), ignore_index=pad)


def log_with_a_small_number(logits, targets, pad):
    log_probabilities = (logits.softmax(-1) + 1e-9).log()
    return F.nll_loss(log_probabilities.flatten(0, 1), targets.flatten(), ignore_index=pad)


def padding_counted(logits, targets, pad):
    return losses_of(logits, targets).mean()


def divided_by_all(logits, targets, pad):
    return (losses_of(logits, targets) * (targets != pad)).sum() / targets.numel()


def summed(logits, targets, pad):
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=pad, reduction="sum")


def summed_over_time(logits, targets, pad):
    return summed(logits, targets, pad) / len(targets)


def mean_of_sentences(logits, targets, pad):
    real = targets != pad
    return ((losses_of(logits, targets) * real).sum(1) / real.sum(1)).mean()


def zero_is_padding(logits, targets, pad):
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=0)


def logits_zeroed_at_padding(logits, targets, pad):
    return losses_of(logits * (targets != pad)[..., None], targets).mean()


def only_padding(logits, targets, pad):
    return (losses_of(logits, targets) * (targets == pad)).sum() / (targets == pad).sum().clamp(min=1)


def axes_by_view(logits, targets, pad):
    batch, length, vocabulary = logits.shape
    return F.cross_entropy(logits.reshape(batch, vocabulary, length), targets, ignore_index=pad)


def shifted_inside(logits, targets, pad):
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), targets[:, 1:].flatten(), ignore_index=pad)


def probability_of_the_target(logits, targets, pad):
    picked = logits.softmax(-1).gather(-1, targets[..., None]).squeeze(-1)
    return -picked[targets != pad].mean()


def sign_forgotten(logits, targets, pad):
    return -F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=pad)


def smoothed(logits, targets, pad):
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=pad, label_smoothing=0.1)


def logits_taken_for_logarithms(logits, targets, pad):
    return F.nll_loss(logits.flatten(0, 1), targets.flatten(), ignore_index=pad)


def softmax_over_time(logits, targets, pad):
    return F.nll_loss(logits.log_softmax(1).flatten(0, 1), targets.flatten(), ignore_index=pad)


def overflowing(logits, targets, pad):
    probabilities = logits.exp() / logits.exp().sum(-1, keepdim=True)
    return F.nll_loss(probabilities.log().flatten(0, 1), targets.flatten(), ignore_index=pad)


def targets_overwritten(logits, targets, pad):
    targets[targets == pad] = -100
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten())


def cut_from_the_graph(logits, targets, pad):
    return F.cross_entropy(logits.flatten(0, 1).detach(), targets.flatten(), ignore_index=pad)


def one_for_each_token(logits, targets, pad):
    losses = losses_of(logits, targets)
    return torch.where(targets == pad, 0.0, losses)
