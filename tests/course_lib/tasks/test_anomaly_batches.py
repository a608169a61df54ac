import pytest
import torch

from course_lib.tasks.anomaly_batches import AnomalyBatches, fixed_sets


def make_batches(size=1103, batch_size=7):
    labels = torch.arange(size) % 5
    features = torch.stack([torch.arange(size), labels], dim=1).float()  # [N, 2]: which image, which class
    return AnomalyBatches(features, labels, set_size=6, batch_size=batch_size)


def collect(batches, seed=0):
    return list(batches.epoch(torch.Generator().manual_seed(seed)))


def test_every_image_is_the_odd_one_once_an_epoch():
    sets, targets = zip(*collect(make_batches()), strict=True)
    sets, targets = torch.cat(sets), torch.cat(targets)  # [1099, 6, 2], [1099]
    odd = sets[torch.arange(len(sets)), targets, 0]
    assert len(odd) == 1103 // 7 * 7
    assert len(odd.unique()) == len(odd)


def test_every_batch_is_full():
    assert {tuple(sets.shape) for sets, _ in collect(make_batches())} == {(7, 6, 2)}


def test_the_target_marks_the_only_one_of_its_class():
    for sets, target in collect(make_batches()):
        is_odd = torch.arange(6) == target[:, None]
        labels = sets[..., 1]  # [B, 6]
        normal = labels[~is_odd].view(-1, 5)
        assert (normal == normal[:, :1]).all()
        assert (labels[is_odd] != normal[:, 0]).all()


def test_a_seed_repeats_an_epoch():
    first, again, other = (collect(make_batches(), seed) for seed in (3, 3, 4))
    assert all(torch.equal(a[0], b[0]) for a, b in zip(first, again, strict=True))
    assert not torch.equal(first[0][0], other[0][0])


def test_more_sets_a_batch_than_images_are_refused():
    with pytest.raises(ValueError, match=r"batch_size \(1109\) .* number of images \(1103\)"):
        make_batches(batch_size=1109)


def test_fixed_sets_are_the_same_on_every_call():
    labels = torch.arange(53) % 5
    features = torch.arange(53.0)[:, None]
    (sets, target), (again, same) = (fixed_sets(features, labels, 6, 3, seed=1)[0] for _ in range(2))
    assert sets.shape == (159, 6, 1)
    assert torch.equal(sets, again)
    assert torch.equal(target, same)
