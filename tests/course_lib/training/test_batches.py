import pytest
import torch

from course_lib.training.batches import Batches, in_order


def order_of(batches, seed):
    generator = torch.Generator().manual_seed(seed)
    return [rows.flatten().tolist() for rows, _ in batches.epoch(generator)]


def numbered(size, batch_size):
    rows = torch.arange(size)[:, None]  # [N, 1]
    return Batches(rows, rows * 10, batch_size=batch_size)


def test_an_epoch_has_each_row_once_and_no_short_batch():
    batches = order_of(numbered(23, batch_size=7), seed=0)
    assert [len(batch) for batch in batches] == [7, 7, 7]
    assert len(set(sum(batches, []))) == 21


def test_rows_of_the_tensors_stay_together():
    for rows, tens in numbered(23, batch_size=7).epoch(torch.Generator()):
        assert torch.equal(rows * 10, tens)


def test_a_seed_repeats_the_order_and_the_next_epoch_has_another():
    batches, generator = numbered(23, batch_size=7), torch.Generator().manual_seed(3)
    first, second = ([rows.flatten().tolist() for rows, _ in batches.epoch(generator)] for _ in range(2))
    assert first == order_of(batches, seed=3)
    assert first != second


def test_on_another_device_batches_are_of_the_same_kind():
    class Doubled(Batches):
        def epoch(self, generator):
            yield from ((2 * rows,) for (rows,) in super().epoch(generator))

    moved = Doubled(torch.ones(5, 1), batch_size=5).to(torch.device("cpu"))
    assert [rows.sum().item() for (rows,) in moved.epoch(torch.Generator())] == [10]


def test_tensors_of_different_lengths_are_refused():
    with pytest.raises(ValueError, match=r"same number of rows, not \[5, 7\]"):
        Batches(torch.zeros(5), torch.zeros(7), batch_size=2)


@pytest.mark.parametrize("batch_size", [0, 6])
def test_a_batch_larger_than_the_data_or_empty_is_refused(batch_size):
    with pytest.raises(ValueError, match=rf"batch_size \({batch_size}\) must lie between 1 and .* \(5\)"):
        Batches(torch.zeros(5), batch_size=batch_size)


def test_in_order_keeps_the_order_and_every_row():
    rows = torch.arange(11)
    assert torch.cat([first for first, _ in in_order(rows, rows, batch_size=3)]).tolist() == list(range(11))
