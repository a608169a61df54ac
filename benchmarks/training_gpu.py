"""Both tasks in full on a GPU, against the times published for an RTX 3090, and Shakespeare against nanoGPT.

Sources: P. Lippe, *UvA Deep Learning Tutorials*, tutorial 6 (PyTorch and JAX); nanoGPT's README (an A100).
"""

from dataclasses import dataclass, replace

import torch

from benchmarks.measure import Skipped, entry
from course_lib.tasks.cifar import CifarUnavailable, cifar_task, features_task
from course_lib.tasks.digits import Images, Split
from course_lib.tasks.language import shakespeare_on_a_gpu, train_language_model
from course_lib.tasks.task import REVERSE_PUBLISHED, Task, accuracy_on_test, reverse_task, train
from course_lib.training.recipe import Recipe

PUBLISHED_ACCURACY = 0.947  # the better of the two
NANOGPT_SECONDS, NANOGPT_LOSS, WANTED_LOSS = 180.0, 1.4697, 1.45


@dataclass(frozen=True)
class Size:
    """How many images to train on, and steps at most; None: CIFAR-100, and as the recipes say."""

    images: int | None = None
    max_steps: int | None = None

    def recipe(self, whole: Recipe) -> Recipe:
        """The same recipe with that many steps."""
        return replace(whole, max_steps=self.max_steps or whole.max_steps)


FULL, TINY = Size(), Size(1_000, 2)


def run(size: Size = FULL) -> list[dict]:
    """All three. The tiny form shows on any device that the code runs."""
    if size == FULL and not torch.cuda.is_available():
        raise Skipped("this machine has no GPU")
    return reverse(size) + anomaly(size) + shakespeare(size)


def reverse(size: Size) -> list[dict]:
    """The published recipe, all ten epochs."""
    task = reverse_task()
    train(task, recipe=replace(REVERSE_PUBLISHED, max_steps=2), progress=False)
    seconds = train(task, recipe=size.recipe(REVERSE_PUBLISHED), progress=False)[1].seconds
    return [
        entry("GPU, reverse, published PyTorch on an RTX 3090", seconds, 26.0, "s", 13.0),
        entry("GPU, reverse, published JAX on an RTX 3090", seconds, 7.0, "s", 3.5),
    ]


def anomaly(size: Size) -> list[dict]:
    """The full version; where its features cannot be had, its time alone, on generated ones."""
    task = anomaly_task(size)
    model, history = train(task, recipe=size.recipe(task.recipe), progress=False)
    times = [
        entry("GPU, anomaly, published PyTorch on an RTX 3090", history.seconds, 994.0, "s", 994 / 40),
        entry("GPU, anomaly, published JAX on an RTX 3090", history.seconds, 225.0, "s", 225 / 40),
    ]
    if task.name != "cifar":
        return times
    accuracy = accuracy_on_test(task, model)
    return [
        *times,
        entry("GPU, anomaly, test accuracy", accuracy, PUBLISHED_ACCURACY, "accuracy", 1.0, more_is_better=True),
    ]


def shakespeare(size: Size) -> list[dict]:
    """Nats per character on the validation text, with the last weights; nanoGPT's figure is of its best ones."""
    task = shakespeare_on_a_gpu(characters=size.max_steps and 3_000)
    recipe = replace(task.recipe, max_steps=size.max_steps, batch_size=2) if size.max_steps else task.recipe
    _, history = train_language_model(task, recipe=recipe, progress=False)
    return [
        entry("GPU, Shakespeare, nanoGPT on an A100", history.seconds, NANOGPT_SECONDS, "s", None),
        entry(
            "GPU, Shakespeare, loss",
            history.validations[-1].loss,
            NANOGPT_LOSS,
            "nats",
            NANOGPT_LOSS / WANTED_LOSS,
        ),
    ]


def anomaly_task(size: Size) -> Task:
    """CIFAR-100's, or one of generated images."""
    if size.images:
        return features_task(generated_images(size.images, size.images, size.images))
    try:
        return cifar_task()
    except CifarUnavailable as absent:
        print(f"GPU, anomaly: on generated features, its accuracy skipped; {absent}")
        return features_task(generated_images(45_000, 5_000, 10_000))  # CIFAR-100's split


def generated_images(*sizes: int) -> Split:
    """So many images to train, validate and test with, of 100 classes."""
    generator = torch.Generator().manual_seed(0)
    return Split(*(Images(torch.randn(size, 512, generator=generator), torch.arange(size) % 100) for size in sizes))
