import pytest
import torch
from torch.nn.utils.rnn import pad_sequence

from course_lib.text.batches import bucket_batches, pad_batch


def generator(seed):
    return torch.Generator().manual_seed(seed)


@pytest.mark.parametrize("pad", [0, 7, -100])
def test_padding_is_that_of_torch(pad):
    sequences = [[5, 3, 0], [2], [7, 7, 11, 13, 1]]
    tokens, mask = pad_batch(sequences, pad)
    theirs = pad_sequence([torch.tensor(s) for s in sequences], batch_first=True, padding_value=pad)
    assert torch.equal(tokens, theirs)
    assert tokens.dtype == torch.int64
    assert [tokens[row][mask[row]].tolist() for row in range(3)] == sequences


@pytest.mark.parametrize(
    ("sequences", "shape"), [([], [0, 0]), ([[]], [1, 0]), ([[], [], []], [3, 0]), ([[], [5]], [2, 1])]
)
def test_empty_lists_have_no_real_tokens(sequences, shape):
    tokens, mask = pad_batch(sequences)
    assert list(tokens.shape) == list(mask.shape) == shape
    assert (tokens.dtype, mask.dtype) == (torch.int64, torch.bool)
    assert mask.sum(dim=1).tolist() == [len(sequence) for sequence in sequences]


LENGTHS = [int(n) for n in torch.randint(1, 30, (331,), generator=generator(3))]


def padding(batches, lengths):
    held = sum(len(batch) * max(lengths[i] for i in batch) for batch in batches)
    return 1 - sum(lengths) / held


@pytest.mark.parametrize("seed", range(5))
def test_buckets_hold_every_place_once_and_no_more_than_max_tokens(seed):
    batches = bucket_batches(LENGTHS, 97, generator(seed))
    assert sorted(i for batch in batches for i in batch) == list(range(331))
    assert max(len(batch) * max(LENGTHS[i] for i in batch) for batch in batches) <= 97


@pytest.mark.parametrize("seed", range(5))
def test_buckets_need_little_padding_where_random_batches_need_much(seed):
    assert padding(bucket_batches(LENGTHS, 97, generator(seed)), LENGTHS) < 0.05
    shuffled = torch.randperm(331, generator=generator(seed)).tolist()
    assert padding([shuffled[i : i + 6] for i in range(0, 331, 6)], LENGTHS) > 0.3


def test_the_generator_decides_the_order_and_who_meets_whom():
    def partition(seed):
        return {frozenset(batch) for batch in bucket_batches(LENGTHS, 97, generator(seed))}

    assert bucket_batches(LENGTHS, 97, generator(5)) == bucket_batches(LENGTHS, 97, generator(5))
    assert partition(5) != partition(6)
    distinct = [*range(1, 40)]
    orders = [bucket_batches(distinct, 50, generator(seed)) for seed in (5, 6)]
    assert orders[0] != orders[1]
    assert sorted(map(sorted, orders[0])) == sorted(map(sorted, orders[1]))
