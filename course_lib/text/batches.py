"""Sentences of different lengths in one tensor: padded, and grouped so that little padding is needed."""

import torch

from course_lib.model.masks import padding_mask
from course_lib.text.expect import expect


def pad_batch(sequences: list[list[int]], pad: int = 0) -> tuple[torch.Tensor, torch.Tensor]:
    """Fill sequences up to the length of the longest.

    Args:
        sequences: B lists of ids of any lengths; a list may be empty.
        pad: the id to fill up with.

    Returns:
        tokens: int64 [B, T], where T is the length of the longest.
        mask: bool [B, T], True for a real token. It comes from the lengths: an id that equals `pad` inside a list is
            real.

    >>> pad_batch([[5, 7], [], [0]])
    (tensor([[5, 7],
            [0, 0],
            [0, 0]]), tensor([[ True,  True],
            [False, False],
            [ True, False]]))
    """
    # BEGIN SOLUTION
    #: Begin with a tensor full of `pad` and write each list into the beginning of its row.
    #: For an empty list torch.tensor([]) would be float: pass the dtype.
    #: Your padding_mask of stage 01 makes the mask.
    lengths = [len(expect(sequence, (list, tuple), "a sequence must be a list of ids")) for sequence in sequences]
    longest = max(lengths, default=0)
    tokens = torch.full((len(lengths), longest), pad, dtype=torch.int64)  # [B, T]
    for row, sequence in enumerate(sequences):
        tokens[row, : len(sequence)] = torch.tensor(sequence, dtype=torch.int64)
    return tokens, padding_mask(lengths, longest)
    # END SOLUTION


def bucket_batches(lengths: list[int], max_tokens: int, generator: torch.Generator) -> list[list[int]]:
    """Group sequences of similar length, so that little padding is needed.

    Args:
        lengths: of each sequence.
        max_tokens: what a padded batch may hold: rows × longest is at most this. A longer sequence is alone.
        generator: decides the order of the batches, and which sequences of equal length share a batch.

    Returns:
        Batches of places in `lengths`, each place exactly once. In the order of their lengths, a batch ends only where
        the next sequence no longer fits.

    >>> batches = bucket_batches([3, 9, 4, 3, 20, 9], max_tokens=18, generator=torch.Generator().manual_seed(0))
    >>> sorted(map(sorted, batches))
    [[0, 2, 3], [1, 5], [4]]
    """
    # BEGIN SOLUTION
    #: Shuffle the places with the generator, then sort them by length. Python's sort leaves equal ones in the order in
    #: which it finds them, so they stay shuffled.
    #: Go through them and begin a new batch where one row more would hold too many tokens, padding included.
    #: Then shuffle the batches: short sentences shouldn't come first in every epoch.
    places = torch.randperm(len(lengths), generator=generator).tolist()
    batches = []
    for place in sorted(places, key=lambda place: lengths[place]):
        if batches and (len(batches[-1]) + 1) * lengths[place] <= max_tokens:
            batches[-1].append(place)
        else:
            batches.append([place])
    return [batches[i] for i in torch.randperm(len(batches), generator=generator).tolist()]
    # END SOLUTION
