"""What goes wrong in `equivariance_error`, and what a teaching assistant would say of it."""

import torch

from autograder.catalogue.exercise import Misconception

ZERO, CHANGE, PLACES, NUMBER = (
    "zero for a model of sets",
    "the largest change of a model that sees places",
    "called without positions",
    "a Python number",
)
WHICH_TWO = "Which two orders of doing things should give the same: permute, then f; and … ?"
ONE_NUMBER = "One logit of 35 changes by 0.7, the others not at all. What is the error?"


def both_ways(model, sets, permutation, **options):
    """f(permuted) and permuted f, each [B, S, 1]."""
    options = {"add_positional_encoding": False} | options
    with torch.no_grad():
        return model(sets[:, permutation], **options), model(sets, **options)[:, permutation]


def positions_left_on(model, sets, permutation):
    one, other = both_ways(model, sets, permutation, add_positional_encoding=True)
    return (one - other).abs().max().item()


def invariance(model, sets, permutation):
    one, _ = both_ways(model, sets, permutation)
    _, other = both_ways(model, sets, torch.arange(sets.shape[1]))
    return (one - other).abs().max().item()


def undone_the_wrong_way(model, sets, permutation):
    one, _ = both_ways(model, sets, permutation)
    _, other = both_ways(model, sets, torch.arange(sets.shape[1]))
    return (one[:, permutation] - other).abs().max().item()


def mean_change(model, sets, permutation):
    one, other = both_ways(model, sets, permutation)
    return (one - other).abs().mean().item()


def squared_change(model, sets, permutation):
    one, other = both_ways(model, sets, permutation)
    return (one - other).square().mean().item()


def length_of_the_change(model, sets, permutation):
    one, other = both_ways(model, sets, permutation)
    return (one - other).norm().item()


def signed_change(model, sets, permutation):
    one, other = both_ways(model, sets, permutation)
    return (one - other).max().item()


def change_of_the_mean(model, sets, permutation):
    one, other = both_ways(model, sets, permutation)
    return (one.mean(1) - other.mean(1)).abs().max().item()


def relative_change(model, sets, permutation):
    one, other = both_ways(model, sets, permutation)
    return ((one - other).abs().max() / other.abs().max()).item()


def change_of_the_maximum(model, sets, permutation):
    one, other = both_ways(model, sets, permutation)
    return (one.max() - other.max()).abs().item()


def first_set_only(model, sets, permutation):
    one, other = both_ways(model, sets[:1], permutation)
    return (one - other).abs().max().item()


def after_a_softmax(model, sets, permutation):
    one, other = both_ways(model, sets, permutation)
    return (one.softmax(1) - other.softmax(1)).abs().max().item()


def sets_permuted(model, sets, permutation):
    options = {"add_positional_encoding": False}
    return (model(sets[permutation], **options) - model(sets, **options)[permutation]).abs().max().item()


def own_permutation(model, sets, permutation):
    one, other = both_ways(model, sets, torch.arange(sets.shape[1]).roll(1))
    return (one - other).abs().max().item()


def a_tensor(model, sets, permutation):
    one, other = both_ways(model, sets, permutation)
    return (one - other).abs().max()


def yes_or_no(model, sets, permutation):
    one, other = both_ways(model, sets, permutation)
    return torch.allclose(one, other, atol=1e-4)


def in_training_mode(model, sets, permutation):
    model.train()
    one, other = both_ways(model, sets, permutation)
    return (one - other).abs().max().item()


def sum_of_changes(model, sets, permutation):
    one, other = both_ways(model, sets, permutation)
    return (one - other).abs().sum().item()


MISCONCEPTIONS = (
    Misconception(
        "positional encoding left on",
        positions_left_on,
        "The model is told the place of each image, so of course its answer changes with the order.",
        "What does add_positional_encoding do when you leave it out?",
        (PLACES,),
    ),
    Misconception(
        "invariance in the place of equivariance",
        invariance,
        "You ask that nothing changes; but when the images change places, their logits should go with them.",
        WHICH_TWO,
        (ZERO, CHANGE),
    ),
    Misconception(
        "the inverse permutation",
        undone_the_wrong_way,
        "You permute the logits of the permuted sets once more; to put them back needs the inverse, argsort.",
        WHICH_TWO,
        (ZERO, CHANGE),
    ),
    Misconception(
        "no image changes places",
        sets_permuted,
        "Both sides of your comparison are the same: whole sets changed places (axis 0), or nothing did.",
        "Which axis of [B, S, D] counts the images of a set, and on which side is it permuted before the model?",
        (CHANGE,),
    ),
    Misconception(
        "another permutation",
        own_permutation,
        "You permute with an order of your own; the one to test comes as an argument.",
        "Where does your code use its argument `permutation`?",
        (CHANGE,),
    ),
    Misconception(
        "mean change",
        mean_change,
        "The mean hides a single logit that is far off among many that are right.",
        ONE_NUMBER,
        (CHANGE,),
    ),
    Misconception(
        "squared change",
        squared_change,
        "Squares make small errors vanish and large ones larger; asked for is the change itself.",
        ONE_NUMBER,
        (CHANGE,),
    ),
    Misconception(
        "length of the change",
        length_of_the_change,
        "The length of the difference grows with the number of logits.",
        ONE_NUMBER,
        (CHANGE,),
    ),
    Misconception(
        "sign not removed",
        signed_change,
        "Without abs a change downwards never counts.",
        "A logit falls by 0.7 and no other moves. What is the error?",
        (CHANGE,),
    ),
    Misconception(
        "change of the mean logit",
        change_of_the_mean,
        "You average over the set before you compare, and the differences cancel.",
        ONE_NUMBER,
        (CHANGE,),
    ),
    Misconception(
        "change of the largest logit",
        change_of_the_maximum,
        "You compare the two largest logits, not logit with logit: one that moved elsewhere is missed.",
        ONE_NUMBER,
        (CHANGE,),
    ),
    Misconception(
        "relative change",
        relative_change,
        "You divide by the size of the logits; asked for is the change itself.",
        ONE_NUMBER,
        (CHANGE,),
    ),
    Misconception(
        "first set only",
        first_set_only,
        "You look at the first set of the batch alone; the largest change may be in another.",
        ONE_NUMBER,
        (CHANGE,),
    ),
    Misconception(
        "change of the probabilities",
        after_a_softmax,
        "You compare probabilities; asked for is the change of the logits.",
        "What does your function compare: what the model gives, or something made from it?",
        (CHANGE,),
    ),
    Misconception(
        "yes or no",
        yes_or_no,
        "Your answer says whether the two are close; asked for is how far apart they are.",
        ONE_NUMBER,
        (ZERO, CHANGE, NUMBER),
    ),
    Misconception(
        "no Python number yet",
        a_tensor,
        "The number is right, but what holds it is no Python float: item() makes it one.",
        "What does print show for your result?",
        (NUMBER,),
    ),
    Misconception(
        "model switched to training",
        in_training_mode,
        "You put the model into training mode: its dropout would change the logits from call to call.",
        "In which mode does a model give the same for the same?",
        (ZERO,),
    ),
    Misconception(
        "sum of the changes",
        sum_of_changes,
        "The sum of all changes grows with the number of logits; asked for is the largest.",
        ONE_NUMBER,
        (CHANGE,),
    ),
)
