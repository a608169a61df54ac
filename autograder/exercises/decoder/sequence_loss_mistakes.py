"""What students write in the place of a mean over the real tokens."""

import torch
from torch.nn import functional as F

from autograder.exercise import Misconception

VALUES, PADDING, SURE = "values", "padding does not count", "stable when the model is sure"
GRADIENTS = "gradients reach the logits"


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


def cut_from_the_graph(logits, targets, pad):
    return F.cross_entropy(logits.flatten(0, 1).detach(), targets.flatten(), ignore_index=pad)


def one_for_each_token(logits, targets, pad):
    losses = losses_of(logits, targets)
    return torch.where(targets == pad, 0.0, losses)


MISCONCEPTIONS = (
    Misconception(
        "cross-entropy on probabilities",
        on_probabilities,
        "cross_entropy takes logits and applies the softmax itself; given probabilities the loss cannot come near 0.",
        "What does `F.cross_entropy` do with its first argument before it takes the logarithm?",
        (VALUES, PADDING, SURE),
    ),
    Misconception(
        "logarithm of a softmax",
        on_log_of_the_softmax,
        "The formula is right on paper; a probability too small for a float becomes 0, and its logarithm −inf.",
        "Which function gives the logarithm of the softmax without computing the softmax first?",
        (SURE,),
    ),
    Misconception(
        "a small number inside the logarithm",
        log_with_a_small_number,
        "The small number keeps the logarithm finite, and wrong: a sure mistake never costs more than −log(1e-9).",
        "What should a mistake cost that the model gives a probability of e⁻¹⁰⁰?",
        (SURE,),
    ),
    Misconception(
        "padding counted",
        padding_counted,
        "Padding is guessed and rewarded like real tokens: a long batch of short sentences seems easy.",
        "Which of the B·T losses should the mean leave out?",
        (PADDING,),
    ),
    Misconception(
        "divided by all places",
        divided_by_all,
        "The sum leaves the padding out, but you divide by B·T: the more padding, the smaller the loss.",
        "How many losses have you added up?",
        (PADDING,),
    ),
    Misconception(
        "sum instead of mean",
        summed,
        "This is the sum: it grows with the batch, and the learning rate would have to shrink with it.",
        "By what must the sum be divided?",
        (VALUES, PADDING, SURE),
    ),
    Misconception(
        "divided by the number of sentences",
        summed_over_time,
        "You divide the sum by B: long sentences cost more than short ones.",
        "By what must the sum be divided?",
        (VALUES, PADDING, SURE),
    ),
    Misconception(
        "a mean of means",
        mean_of_sentences,
        "You average within each sentence first: a token of a short sentence weighs more than one of a long.",
        "Should every sentence weigh the same, or every token?",
        (PADDING,),
    ),
    Misconception(
        "0 taken for padding",
        zero_is_padding,
        "You leave out token 0, whatever `pad` says: source and target may have different padding.",
        "Where do you use `pad`?",
        (VALUES, PADDING, SURE),
    ),
    Misconception(
        "logits zeroed at the padding",
        logits_zeroed_at_padding,
        "A row of zeros is a uniform guess, not a missing one: each padding place adds log V.",
        "What is the cross-entropy of logits that are all zero?",
        (PADDING,),
    ),
    Misconception(
        "mask inverted",
        only_padding,
        "You average over the padding and leave the real tokens out.",
        "Is your mask True at a real token?",
        (VALUES, PADDING, SURE, GRADIENTS),
    ),
    Misconception(
        "axes exchanged by reshape",
        axes_by_view,
        "[B, T, V] reshaped to [B, V, T] mixes tokens with classes; only a transpose moves axes.",
        "Which axis does cross_entropy take for the classes, and how do you move V there?",
        (VALUES, PADDING, SURE),
    ),
    Misconception(
        "shifted a second time",
        shifted_inside,
        "You compare the logits at t with the target at t + 1; the decoder's input was already shifted.",
        "Which target are the logits at place 0 about?",
        (VALUES, PADDING, SURE),
    ),
    Misconception(
        "no logarithm",
        probability_of_the_target,
        "This is minus the probability of the target; the cross-entropy is minus its logarithm.",
        "What should it cost to give the right token a probability near 0?",
        (VALUES, PADDING, SURE),
    ),
    Misconception(
        "sign",
        sign_forgotten,
        "The sign is wrong: training would make the right token less and less likely.",
        "Is the logarithm of a probability positive or negative?",
        (VALUES, PADDING, SURE),
    ),
    Misconception(
        "labels smoothed",
        smoothed,
        "Label smoothing mixes the other tokens into the target; here the plain cross-entropy is asked for.",
        "What do the extra arguments of your loss do?",
        (VALUES, PADDING, SURE),
    ),
    Misconception(
        "one loss for each token",
        one_for_each_token,
        "The losses of the tokens are still apart: backward() needs a single number.",
        "What is the shape of your result?",
        (VALUES, PADDING, SURE),
    ),
    Misconception(
        "cut from the graph",
        cut_from_the_graph,
        "The number is right, but it is cut out of autograd: nothing can learn from it.",
        "Which call takes your tensor out of autograd?",
        (GRADIENTS,),
    ),
)
