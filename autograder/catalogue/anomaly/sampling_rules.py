"""What must hold of sets however they were drawn. The odd one of a set is known by its class."""

import numpy as np

from autograder.catalogue.checks import evenly_spread

equal = np.array_equal


def differ(one, other):
    return not equal(one, other)


def constant_or_differ(one, other):
    """A target that is always the same is another rule's business."""
    return (one == one[0]).all() or differ(one, other)


def places_change(*drawn):
    """Asked of the targets and indices of several draws, in turn: not all have the same targets.

    If these are all one place, or two draws have the same sets, that is another rule's business.
    """
    (target, *targets), (indices, *others) = drawn[::2], drawn[1::2]
    alike = all(equal(target, other) for other in targets)
    return not alike or (target == target[0]).all() or any(equal(indices, other) for other in others)


# ---- what is returned


def one_per_set(target):
    return target.ndim == 1


def not_exchanged(target, indices):
    return not (target.ndim == 2 and indices.ndim == 1)


def not_one_more(indices, set_size):
    return indices.ndim != 2 or indices.shape[1] != set_size + 1


def not_reordered(sets, indices, features, anomaly_index, set_size):
    """Not the right images of each set, in another order."""
    if are_features(sets, indices, features, anomaly_index, set_size):
        return True
    right = features[indices]
    return sets.shape != right.shape or differ(*(np.sort(rows[..., 0], axis=1) for rows in (sets, right)))


def are_features(sets, indices, features, anomaly_index, set_size):
    in_range = indices.min() >= 0 and indices.max() < len(features)
    shape = (len(anomaly_index), set_size, features.shape[1])
    return in_range and sets.shape == shape and equal(sets, features[indices])


# ---- the target


def standing_at(target, indices):
    return indices[np.arange(len(indices)), target.reshape(len(indices)).astype(int)]


def target_not_off_by(step):
    return lambda target, indices, anomaly_index: differ(
        standing_at((target - step) % indices.shape[1], indices), anomaly_index
    )


def target_not_the_image(target, indices, anomaly_index):
    return differ(target, anomaly_index)


def target_not_mirrored(target, indices, anomaly_index):
    return differ(standing_at(-target % indices.shape[1], indices), anomaly_index) or not target.any()


def odd_moves(target, indices, anomaly_index):
    """The odd one does not stay at one place while the target changes."""
    place = (indices == anomaly_index[:, None]).argmax(axis=1)
    return (place != place[0]).any() or (target == target[0]).all()


def target_moves(target, indices, anomaly_index):
    """Not one target for all sets; where it is true, that is another rule's business."""
    return (target != target[0]).any() or target_is_given(target, indices, anomaly_index)


def target_is_given(target, indices, anomaly_index):
    return equal(standing_at(target, indices), anomaly_index)


def sets_in_order(target, indices, anomaly_index):
    """Not the sets of all the given images, in another order."""
    there = standing_at(target, indices)
    return equal(there, anomaly_index) or differ(np.sort(there), np.sort(anomaly_index))


def odd_one_itself(target, indices, anomaly_index, labels):
    """Not just an image of the same class at every target."""
    there = standing_at(target, indices)
    return equal(there, anomaly_index) or differ(labels[there], labels[anomaly_index])


def target_anywhere(target, set_size):
    return evenly_spread((target[:, None] == np.arange(set_size)).sum(axis=0))


# ---- the odd one and the others: asked of indices [B, S], labels [N], anomaly_index [B] and set_size


def is_odd(indices, labels, anomaly_index, set_size):
    """bool [B, S]: which images of a set are of the class of its odd one."""
    if indices.ndim != 2 or len(indices) != len(anomaly_index):
        raise ValueError(f"indices are {indices.shape}")
    return labels[indices] == labels[anomaly_index][:, None]


def others(indices, *asked):
    """For each set, its images of other classes."""
    return [row[~odd] for row, odd in zip(indices, is_odd(indices, *asked), strict=True)]


def count_among_all(indices, labels, anomaly_index, set_size):
    """Beside the given ones, some index is larger than any within a class."""
    beside = indices[indices != anomaly_index[:, None]]
    return not beside.size or beside.max() >= np.unique(labels, return_counts=True)[1].max()


def no_second_odd(*arguments):
    """No set is of the odd one's class altogether."""
    return not is_odd(*arguments).all(axis=1).any()


def one_odd(*arguments):
    return (is_odd(*arguments).sum(axis=1) == 1).all()


def set_size_and_one_odd(indices, labels, anomaly_index, set_size):
    return indices.shape[1] == set_size and one_odd(indices, labels, anomaly_index, set_size)


def others_agree(indices, labels, *asked):
    return all(len(np.unique(labels[row])) <= 1 for row in others(indices, labels, *asked))


def all_differ(indices):
    ordered = np.sort(indices, axis=1)
    return (ordered[:, 1:] != ordered[:, :-1]).all()


# ---- places


def places(*arguments):
    """How often the odd one stands at each place, in the sets that have just one."""
    odd = is_odd(*arguments)
    return odd[odd.sum(axis=1) == 1].sum(axis=0)


def sometimes_at(place):
    return lambda *arguments: places(*arguments)[place] > 0


def one_place(batches):
    """The odd one of all sets of a batch stands at one place: a sentence that says whether it is the same in all."""
    counts = [places(*batch) for batch in batches]
    if any((count > 0).sum() != 1 for count in counts):
        return None
    seen = {int(count.argmax()) for count in counts}
    always = {0: "the odd one is always first", len(counts[0]) - 1: "the odd one is always last"}
    return (
        always.get(*seen) if len(seen) == 1 and seen & always.keys() else "the odd one of every set stands at one place"
    )


def odd_anywhere(*arguments):
    return evenly_spread(places(*arguments))


# ---- classes and images


def pairs(indices, labels, anomaly_index, set_size):
    """Which class stands against which other."""
    rows = others(indices, labels, anomaly_index, set_size)
    return {(labels[odd], labels[other]) for odd, row in zip(anomaly_index, rows, strict=True) for other in row}


def one_opponent(batches):
    """Each class stands against just one other in a batch: a sentence that says whether it is the same in all."""
    actual = [pairs(*batch) for batch in batches]
    if any(len(pair) > len({odd for odd, _ in pair}) for pair in actual):
        return None
    union = set().union(*actual)
    if len(union) > len({odd for odd, _ in union}):
        return "all sets of a batch take the same step to another class"
    return "a class stands against one other class, and never against the rest"


def every_pair(indices, labels, *asked):
    """Each class stands against each other class, when every other one is as likely or nearly so."""
    classes = len(np.unique(labels))
    return len(pairs(indices, labels, *asked)) == classes * (classes - 1)


def same_company(batches):
    """All sets of a batch show the same images of a class: a sentence that says whether all batches do."""
    if any(len(groups(*batch)) > len(np.unique(batch[1])) for batch in batches):
        return None
    few = len(set().union(*(groups(*batch) for batch in batches))) <= len(np.unique(batches[0][1]))
    return f"the others are always the same few images{'' if few else ' within a batch'}"


def seen_to_the_end(indices, labels, *asked):
    """Not just the last images of some class, in the order of the labels, are never seen."""
    seen = np.isin(np.arange(len(labels)), np.concatenate(others(indices, labels, *asked)))
    of_classes = [seen[labels == one_class] for one_class in np.unique(labels)]
    return seen.all() or any((np.diff(mine.astype(int)) > 0).any() for mine in of_classes)


def every_image(indices, labels, *asked):
    return len(np.unique(np.concatenate(others(indices, labels, *asked)))) == len(labels)


def members_alike(indices, labels, anomaly_index, set_size):
    """Within each class, its images come equally often. For k of n drawn without putting back, the
    chi-square statistic must be stretched by (n − 1) / (n − k); counts stretched so are the same."""
    seen = np.concatenate(others(indices, labels, anomaly_index, set_size))
    counts = np.bincount(seen, minlength=len(labels)).astype(float)
    for mine in (counts[labels == one_class] for one_class in np.unique(labels)):
        stretch = np.sqrt((len(mine) - 1) / (len(mine) - (set_size - 1)))
        if not evenly_spread(mine.mean() + stretch * (mine - mine.mean())):
            return False
    return True


def groups(indices, *asked):
    """Which others stand together in some set."""
    return {tuple(np.sort(row)) for row in others(indices, *asked)}


def many_groups(indices, *asked):
    """Which others stand together differs from set to set: a third of what there are sets is too few."""
    return len(groups(indices, *asked)) > len(indices) / 3
