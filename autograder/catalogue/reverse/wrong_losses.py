"""Wrong ways to write `reverse_loss`."""

import torch
from torch.nn import functional as F


def logits_of(model, tokens, **options):
    return model(F.one_hot(tokens, model.input_net[-1].in_features).float(), **options)  # [B, T, C]


def judged(logits, targets):
    """The right loss and accuracy of some logits."""
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten()), (logits.argmax(-1) == targets).float().mean()


def probabilities(model, batch):
    logits = logits_of(model, batch[0])
    return judged(logits.softmax(-1), batch[1])


def nll_of_logits(model, batch):
    logits, targets = logits_of(model, batch[0]), batch[1]
    return F.nll_loss(logits.flatten(0, 1), targets.flatten()), judged(logits, targets)[1]


def nll_of_probabilities(model, batch):
    logits, targets = logits_of(model, batch[0]), batch[1]
    return F.nll_loss(logits.softmax(-1).flatten(0, 1), targets.flatten()), judged(logits, targets)[1]


def softmax_over_places(model, batch):
    logits, targets = logits_of(model, batch[0]), batch[1]
    return F.nll_loss(logits.log_softmax(1).flatten(0, 1), targets.flatten()), judged(logits, targets)[1]


def misaligned(model, batch):
    logits, targets = logits_of(model, batch[0]), batch[1]
    return F.cross_entropy(logits.transpose(0, 1).flatten(0, 1), targets.flatten()), judged(logits, targets)[1]


def view_for_transpose(model, batch):
    logits, targets = logits_of(model, batch[0]), batch[1]
    shuffled = logits.reshape(len(targets), logits.shape[-1], -1)  # [B, C, T]
    return F.cross_entropy(shuffled, targets), judged(logits, targets)[1]


def shape_not_flattened(model, batch):
    logits, targets = logits_of(model, batch[0]), batch[1]
    return F.cross_entropy(logits, targets), judged(logits, targets)[1]


def summed(model, batch):
    logits, targets = logits_of(model, batch[0]), batch[1]
    loss, accuracy = judged(logits, targets)
    return loss * targets.numel(), accuracy


def summed_over_places(model, batch):
    logits, targets = logits_of(model, batch[0]), batch[1]
    loss, accuracy = judged(logits, targets)
    return loss * targets.shape[1], accuracy


def not_averaged(model, batch):
    logits, targets = logits_of(model, batch[0]), batch[1]
    return F.cross_entropy(logits.transpose(1, 2), targets, reduction="none"), judged(logits, targets)[1]


def zero_is_padding(model, batch):
    logits, targets = logits_of(model, batch[0]), batch[1]
    loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=0)
    return loss, judged(logits, targets)[1]


def last_token_only(model, batch):
    logits, targets = logits_of(model, batch[0]), batch[1]
    return F.cross_entropy(logits[:, -1], targets[:, -1]), judged(logits, targets)[1]


def squared_error(model, batch):
    logits, targets = logits_of(model, batch[0]), batch[1]
    due = F.one_hot(targets, logits.shape[-1]).float()
    return F.mse_loss(logits.softmax(-1), due), judged(logits, targets)[1]


def each_category_alone(model, batch):
    logits, targets = logits_of(model, batch[0]), batch[1]
    due = F.one_hot(targets, logits.shape[-1]).float()
    return F.binary_cross_entropy_with_logits(logits, due), judged(logits, targets)[1]


def smoothed(model, batch):
    logits, targets = logits_of(model, batch[0]), batch[1]
    loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten(), label_smoothing=0.1)
    return loss, judged(logits, targets)[1]


def copies(model, batch):
    return judged(logits_of(model, batch[0]), batch[0])


def reversed_again(model, batch):
    return judged(logits_of(model, batch[0]), batch[1].flip(-1))


def targets_made_anew(model, batch):
    return judged(logits_of(model, batch[0]), batch[0].flip(-1))


def answer_shown(model, batch):
    return judged(logits_of(model, batch[1]), batch[1])


def by_sequence(model, batch):
    logits, targets = logits_of(model, batch[0]), batch[1]
    return judged(logits, targets)[0], (logits.argmax(-1) == targets).all(-1).float().mean()


def in_percent(model, batch):
    loss, accuracy = judged(logits_of(model, batch[0]), batch[1])
    return loss, 100 * accuracy


def counted(model, batch):
    logits, targets = logits_of(model, batch[0]), batch[1]
    return judged(logits, targets)[0], (logits.argmax(-1) == targets).sum()


def over_the_batch_size(model, batch):
    logits, targets = logits_of(model, batch[0]), batch[1]
    return judged(logits, targets)[0], (logits.argmax(-1) == targets).sum() / len(targets)


def smallest_logit(model, batch):
    logits, targets = logits_of(model, batch[0]), batch[1]
    return judged(logits, targets)[0], (logits.argmin(-1) == targets).float().mean()


def guesses_against_tokens(model, batch):
    logits, targets = logits_of(model, batch[0]), batch[1]
    return judged(logits, targets)[0], (logits.argmax(-1) == batch[0]).float().mean()


def error_rate(model, batch):
    loss, accuracy = judged(logits_of(model, batch[0]), batch[1])
    return loss, 1 - accuracy


def first_sequence_only(model, batch):
    logits, targets = logits_of(model, batch[0]), batch[1]
    return judged(logits, targets)[0], (logits.argmax(-1) == targets)[0].float().mean()


def exchanged(model, batch):
    return judged(logits_of(model, batch[0]), batch[1])[::-1]


def width_of_the_batch(model, batch):
    tokens, targets = batch
    return judged(model(F.one_hot(tokens).float()), targets)


def always_ten(model, batch):
    tokens, targets = batch
    return judged(model(F.one_hot(tokens, 10).float()), targets)


def integers(model, batch):
    tokens, targets = batch
    return judged(model(F.one_hot(tokens, model.input_net[-1].in_features)), targets)


def without_positions(model, batch):
    return judged(logits_of(model, batch[0], add_positional_encoding=False), batch[1])


def causal(model, batch):
    length = batch[0].shape[1]
    return judged(logits_of(model, batch[0], mask=torch.ones(length, length).tril()), batch[1])


def cut_off(model, batch):
    loss, accuracy = judged(logits_of(model, batch[0]), batch[1])
    return loss.detach(), accuracy


def switched_to_eval(model, batch):
    model.eval()
    return judged(logits_of(model, batch[0]), batch[1])


def switched_to_training(model, batch):
    model.train()
    return judged(logits_of(model, batch[0]), batch[1])


def loss_alone(model, batch):
    return judged(logits_of(model, batch[0]), batch[1])[0]
