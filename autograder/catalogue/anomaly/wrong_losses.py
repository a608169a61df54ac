"""Wrong ways to write `anomaly_loss`."""

import torch
from torch.nn import functional as F


def logits_of(model, sets, **options):
    return model(sets, add_positional_encoding=False, **options).squeeze(-1)  # [B, S]


def judged(logits, target):
    """The right loss and accuracy of some logits."""
    return F.cross_entropy(logits, target), (logits.argmax(-1) == target).float().mean()


def positions_left_on(model, batch):
    return judged(model(batch[0]).squeeze(-1), batch[1])


def causal(model, batch):
    size = batch[0].shape[1]
    return judged(logits_of(model, batch[0], mask=torch.ones(size, size).tril()), batch[1])


def image_by_image(model, batch):
    sets, target = batch
    return judged(logits_of(model, sets.reshape(-1, 1, sets.shape[-1])).view(sets.shape[:2]), target)


def batch_as_one_set(model, batch):
    sets, target = batch
    return judged(logits_of(model, sets.flatten(0, 1)[None]).view(sets.shape[:2]), target)


def axes_exchanged(model, batch):
    sets, target = batch
    return judged(logits_of(model, sets.transpose(0, 1)).T, target)


def one_vector(model, batch):
    sets, target = batch
    return judged(model(sets.flatten(1)).squeeze(-1), target)


def axis_of_size_one(model, batch):
    logits, target = logits_of(model, batch[0]), batch[1]
    loss = F.cross_entropy(logits.reshape(-1, 1), torch.zeros(logits.numel(), dtype=torch.int64))
    return loss, judged(logits, target)[1]


def softmax_over_the_batch(model, batch):
    logits, target = logits_of(model, batch[0]), batch[1]
    return F.nll_loss(logits.log_softmax(0), target), judged(logits, target)[1]


def probabilities(model, batch):
    logits, target = logits_of(model, batch[0]), batch[1]
    return F.cross_entropy(logits.softmax(-1), target), judged(logits, target)[1]


def log_missing(model, batch):
    logits, target = logits_of(model, batch[0]), batch[1]
    return F.nll_loss(logits.softmax(-1), target), judged(logits, target)[1]


def each_image_alone(model, batch):
    logits, target = logits_of(model, batch[0]), batch[1]
    due = F.one_hot(target, logits.shape[1]).to(logits.dtype)
    return F.binary_cross_entropy_with_logits(logits, due), judged(logits, target)[1]


def place_as_a_number(model, batch):
    logits, target = logits_of(model, batch[0]), batch[1]
    places = torch.arange(logits.shape[1], dtype=logits.dtype)
    return F.mse_loss(logits.softmax(-1) @ places, target.to(logits.dtype)), judged(logits, target)[1]


def summed(model, batch):
    loss, accuracy = judged(logits_of(model, batch[0]), batch[1])
    return loss * len(batch[1]), accuracy


def over_all_images(model, batch):
    loss, accuracy = judged(logits_of(model, batch[0]), batch[1])
    return loss / batch[0].shape[1], accuracy


def not_averaged(model, batch):
    logits, target = logits_of(model, batch[0]), batch[1]
    return F.cross_entropy(logits, target, reduction="none"), judged(logits, target)[1]


def smallest_wins(model, batch):
    return judged(-logits_of(model, batch[0]), batch[1])


def axis_kept_in_accuracy(model, batch):
    logits, target = model(batch[0], add_positional_encoding=False), batch[1]
    return judged(logits.squeeze(-1), target)[0], (logits.argmax(1) == target).float().mean()


def all_places(model, batch):
    logits, target = logits_of(model, batch[0]), batch[1]
    due = F.one_hot(target, logits.shape[1])
    return judged(logits, target)[0], ((logits == logits.max(1, keepdim=True).values) == due).float().mean()


def argmin(model, batch):
    logits, target = logits_of(model, batch[0]), batch[1]
    return judged(logits, target)[0], (logits.argmin(-1) == target).float().mean()


def in_percent(model, batch):
    loss, accuracy = judged(logits_of(model, batch[0]), batch[1])
    return loss, 100 * accuracy


def counted(model, batch):
    loss, accuracy = judged(logits_of(model, batch[0]), batch[1])
    return loss, accuracy * len(batch[1])


def error_rate(model, batch):
    loss, accuracy = judged(logits_of(model, batch[0]), batch[1])
    return loss, 1 - accuracy


def cut_off(model, batch):
    loss, accuracy = judged(logits_of(model, batch[0]), batch[1])
    return loss.detach(), accuracy


def switched_to_eval(model, batch):
    model.eval()
    return judged(logits_of(model, batch[0]), batch[1])


def switched_to_training(model, batch):
    model.train()
    return judged(logits_of(model, batch[0]), batch[1])


def axis_left_in(model, batch):
    return judged(model(batch[0], add_positional_encoding=False), batch[1])


def exchanged(model, batch):
    return judged(logits_of(model, batch[0]), batch[1])[::-1]


def loss_alone(model, batch):
    return judged(logits_of(model, batch[0]), batch[1])[0]
