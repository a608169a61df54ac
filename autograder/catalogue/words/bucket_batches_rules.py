"""What must hold of the batches of `bucket_batches`, and the wrong rules by which they may be filled."""

import math
from itertools import pairwise

from autograder.catalogue.words import bucket_batches_mistakes as told


def each_once(batches, lengths):
    return sorted(place for batch in batches for place in batch) == [*range(len(lengths))] and all(batches)


def none_is_empty(batches):
    return all(map(len, batches))


def has_room(batches, lengths, max_tokens):
    return all(len(batch) * max(lengths[i] for i in batch) <= max_tokens for batch in batches if len(batch) > 1)


def not_of_sorted(batches, lengths, max_tokens):
    """Not batches that are right for the sorted lengths, and for these not."""
    ordered = sorted(lengths)
    return has_room(batches, lengths, max_tokens) or not full(batches, ordered, max_tokens)


def not_all_alone(batches, lengths):
    return any(len(batch) > 1 for batch in batches)


def well_shuffled(batches, lengths):
    """The order of these batches looks random: steps up and down, and few near their place in the order of lengths.

    Of random orders of about fourteen batches, one in twenty thousand fails it.
    """
    longest = [max(lengths[i] for i in batch) for batch in batches]
    ups = sum(one < other for one, other in pairwise(longest))
    moved = [abs(place - sorted(longest).index(length)) for place, length in enumerate(longest)]
    return min(ups, len(longest) - 1 - ups) > 2 and sum(moved) > 1.5 * len(moved)


def little_padding(batches, lengths):
    held = sum(len(batch) * max(lengths[i] for i in batch) for batch in batches)
    return sum(lengths[i] for batch in batches for i in batch) >= 0.95 * held


def padded_numbers(batch, lengths):
    return len(batch) * max(batch)


def filled_by(holds):
    """Whether the batches are those that one gets from the shortest up, or from the longest down, by this rule.

    `holds(batch, lengths)` is what a batch of these lengths counts as, at most max_tokens.
    """

    def rule(batches, lengths, max_tokens):
        actual = sorted(sorted(lengths[i] for i in batch) for batch in batches)
        return actual in (filled(order, max_tokens, holds) for order in (sorted(lengths), sorted(lengths)[::-1]))

    return rule


def filled(lengths, max_tokens, holds):
    batches = [[]]
    for length in lengths:
        if batches[-1] and holds([*batches[-1], length], lengths) > max_tokens:
            batches.append([])
        batches[-1].append(length)
    return sorted(map(sorted, batches))


full = filled_by(padded_numbers)
TOO_LARGE = {  # finding → the rule by which the batches are filled, none of which has room
    told.ONE_ROW_MORE: lambda batch, lengths: (len(batch) - 1) * max(batch),
    told.SUMS: lambda batch, lengths: sum(batch),
    told.BY_ROWS: lambda batch, lengths: len(batch),
    told.SO_FAR: lambda batch, lengths: len(batch) * batch[-2],
    told.BY_SHORTEST: lambda batch, lengths: len(batch) * min(batch),
}
TOO_SMALL = {
    told.EQUAL_ONLY: lambda batch, lengths: padded_numbers(batch, lengths) if len({*batch}) == 1 else math.inf,
    told.NOT_QUITE: lambda batch, lengths: padded_numbers(batch, lengths) + 1,
    told.ONE_ROW_LESS: lambda batch, lengths: (len(batch) + 1) * max(batch),
    told.EQUAL_ROWS: lambda batch, lengths: len(batch) * max(lengths),
}
