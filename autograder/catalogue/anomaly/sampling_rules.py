"""What must hold of sets however they were drawn. The odd one of a set is known by its class."""

import numpy as np

from autograder.catalogue.checks import evenly_spread

equal = np.array_equal


def differ(one, other):
    return not np.array_equal(one, other)


def constant_or_differ(one, other):
    """A target that is always the same is another rule's business."""
    return (one == one[0]).all() or differ(one, other)


def is_index(target):
    return target.ndim == 1 and target.dtype == np.int64


def not_exchanged(target, indices):
    return not (target.ndim == 2 and indices.ndim == 1)


def not_one_more(indices, set_size):
    return indices.ndim != 2 or indices.shape[1] != set_size + 1


def are_features(sets, indices, features, anomaly_index, set_size):
    in_range = indices.min() >= 0 and indices.max() < len(features)
    shape = (len(anomaly_index), set_size, features.shape[1])
    return in_range and sets.shape == shape and np.array_equal(sets, features[indices])


def standing_at(target, indices):
    return indices[np.arange(len(indices)), target.reshape(len(indices))]


def target_is_odd(target, indices, anomaly_index):
    return equal(standing_at(target, indices), anomaly_index)


def target_not_early(target, indices, anomaly_index):
    return not equal(standing_at((target + 1) % indices.shape[1], indices), anomaly_index)


def target_not_late(target, indices, anomaly_index):
    return not equal(standing_at((target - 1) % indices.shape[1], indices), anomaly_index)


def odd_ones(indices, labels, anomaly_index, set_size):
    """bool [B, S]: which images of a set are of the class of its odd one."""
    if indices.shape != (len(anomaly_index), set_size):
        raise ValueError(f"indices are {indices.shape}")
    return labels[indices] == labels[anomaly_index][:, None]


def no_second_odd(indices, labels, anomaly_index, set_size):
    """No set is of the odd one's class altogether."""
    return not odd_ones(indices, labels, anomaly_index, set_size).all(axis=1).any()


def one_odd(indices, labels, anomaly_index, set_size):
    return (odd_ones(indices, labels, anomaly_index, set_size).sum(axis=1) == 1).all()


def others_agree(indices, labels, anomaly_index, set_size):
    is_odd = odd_ones(indices, labels, anomaly_index, set_size)
    found = [np.unique(labels[row[~odd]]) for row, odd in zip(indices, is_odd, strict=True)]
    return all(len(classes) <= 1 for classes in found)


def all_differ(indices):
    ordered = np.sort(indices, axis=1)
    return (ordered[:, 1:] != ordered[:, :-1]).all()


def places(indices, labels, anomaly_index, set_size):
    """How often the odd one stands at each place, in the sets that have just one."""
    is_odd = odd_ones(indices, labels, anomaly_index, set_size)
    return is_odd[is_odd.sum(axis=1) == 1].sum(axis=0)


def not_always_last(*arguments):
    counts = places(*arguments)
    return counts[-1] < counts.sum()


def not_always_first(*arguments):
    counts = places(*arguments)
    return counts[0] < counts.sum()


def sometimes_last(*arguments):
    return places(*arguments)[-1] > 0


def sometimes_first(*arguments):
    return places(*arguments)[0] > 0


def not_one_place(*arguments):
    return (places(*arguments) > 0).sum() > 1


def odd_anywhere(*arguments):
    return evenly_spread(places(*arguments))


def target_anywhere(target, set_size):
    counts = (target[:, None] == np.arange(set_size)).sum(axis=0)
    return counts.sum() == len(target) and evenly_spread(counts)


def every_pair(indices, labels, anomaly_index, set_size):
    """Each class stands against each other class, when every other one is as likely or nearly so."""
    is_odd = odd_ones(indices, labels, anomaly_index, set_size)
    pairs = {
        (labels[image], labels[other])
        for image, row, odd in zip(anomaly_index, indices, is_odd, strict=True)
        for other in row[~odd]
    }
    classes = np.unique(labels)
    return all((one, other) in pairs for one in classes for other in classes if one != other)


def every_image(indices, labels, anomaly_index, set_size):
    is_odd = odd_ones(indices, labels, anomaly_index, set_size)
    return len(np.unique(indices[~is_odd])) == len(labels)


def members_alike(indices, labels, anomaly_index, set_size):
    """Within each class, its images come equally often. For k of n drawn without putting back, the
    chi-square statistic must be stretched by (n − 1) / (n − k); counts stretched so are the same."""
    others = indices[~odd_ones(indices, labels, anomaly_index, set_size)]
    counts = np.bincount(others, minlength=len(labels))
    for one_class in np.unique(labels):
        mine = counts[labels == one_class].astype(float)
        stretch = np.sqrt((len(mine) - 1) / (len(mine) - (set_size - 1)))
        if not evenly_spread(mine.mean() + stretch * (mine - mine.mean())):
            return False
    return True


def many_companies(indices, labels, anomaly_index, set_size):
    """Which others stand together differs from set to set: a third of what there are sets is too few."""
    is_odd = odd_ones(indices, labels, anomaly_index, set_size)
    companies = {tuple(np.sort(row[~odd])) for row, odd in zip(indices, is_odd, strict=True)}
    return len(companies) > len(indices) / 3
