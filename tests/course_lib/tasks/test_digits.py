import torch

from course_lib.tasks.digits import load_digits


def test_validation_and_test_hold_every_class_equally_often():
    digits = load_digits()
    assert digits.validation.labels.bincount().tolist() == [20] * 10
    assert digits.test.labels.bincount().tolist() == [35] * 10


def test_every_image_of_the_file_is_in_exactly_one_part():
    from sklearn.datasets import load_digits as load

    digits = load_digits()
    parts = torch.cat([digits.train.features, digits.validation.features, digits.test.features]) * 16
    original = torch.from_numpy(load().data).float()
    assert sorted(parts.tolist()) == sorted(original.tolist())


def test_pixels_lie_between_paper_and_ink():
    features = load_digits().train.features
    assert features.dtype == torch.float32
    assert (features.min().item(), features.max().item()) == (0.0, 1.0)


def test_the_split_is_the_same_every_time():
    assert torch.equal(load_digits().test.features, load_digits().test.features)
