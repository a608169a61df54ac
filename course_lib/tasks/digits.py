"""The images of stage 08 that need no network: 1,797 handwritten digits that scikit-learn ships.

Source: E. Alpaydin and C. Kaynak 1998, *Optical Recognition of Handwritten Digits*, UCI Machine Learning
Repository (its test part, reduced to 8×8 pixels of 17 greys).
"""

from dataclasses import dataclass

import torch

from course_lib.extras import require_packages
from course_lib.tasks.anomaly import split_per_class

VALIDATION_PER_CLASS = 20
TEST_PER_CLASS = 35
SHUFFLE_SEED = 0  # the file is ordered by writer


@dataclass(frozen=True)
class Images:
    """Images as features, and their classes: `features` float [N, D], `labels` int64 [N]."""

    features: torch.Tensor
    labels: torch.Tensor

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, index: torch.Tensor) -> "Images":
        return Images(self.features[index], self.labels[index])


@dataclass(frozen=True)
class Split:
    """Training, validation and test images; no image is in two of them."""

    train: Images
    validation: Images
    test: Images


def all_digits() -> Images:
    """The 1,797 digits in the file's order, which is by writer; features as in `load_digits`.

    Raises:
        PackageMissing: scikit-learn is not installed.
    """
    require_packages("sklearn", extra="anomaly")
    from sklearn.datasets import load_digits as load

    pixels, labels = load(return_X_y=True)
    return Images(torch.from_numpy(pixels).float() / 16, torch.from_numpy(labels).long())


def load_digits() -> Split:
    """1,247 digits to train on, 200 to validate, 350 to test, the classes of the last two equally frequent.

    Features are the 64 pixels, row by row, from 0 (paper) to 1 (ink).

    >>> digits = load_digits()
    >>> digits.train.features.shape, len(digits.validation), len(digits.test)
    (torch.Size([1247, 64]), 200, 350)
    """
    images = all_digits()
    order = torch.randperm(len(images), generator=torch.Generator().manual_seed(SHUFFLE_SEED))
    test, others = take_per_class(images[order], TEST_PER_CLASS)
    validation, train = take_per_class(others, VALIDATION_PER_CLASS)
    return Split(train, validation, test)


def take_per_class(images: Images, per_class: int) -> tuple[Images, Images]:
    """`per_class` images of every class, and the others."""
    picked, rest = split_per_class(images.labels, per_class)
    return images[picked], images[rest]
