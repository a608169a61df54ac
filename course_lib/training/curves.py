"""Curves of a training run for TensorBoard, next to those of other runs."""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

from course_lib.extras import require_packages
from course_lib.training.history import History


@contextlib.contextmanager
def curves(log_dir: str | Path | None, history: History) -> Iterator[Callable[[], None]]:
    """Yield a function that writes what was added to a history since its last call; without `log_dir` it does nothing.

    The names are `loss/train`, `accuracy/train`, `loss/validation` and `accuracy/validation`; `tensorboard --logdir`
    with the folder above shows all runs in it together.

    Args:
        log_dir: a folder for this run. None writes nothing.
        history: is read, and not changed.

    Raises:
        PackageMissing: `log_dir` is given and TensorBoard is not installed.
    """
    if log_dir is None:
        yield lambda: None
        return
    require_packages("tensorboard", extra="curves")
    from torch.utils.tensorboard import SummaryWriter

    written = {"steps": 0, "validations": 0}
    with SummaryWriter(str(log_dir)) as writer:

        def write() -> None:
            new = range(written["steps"], len(history.losses))
            for step in new:
                writer.add_scalar("loss/train", history.losses[step], step + 1)
                writer.add_scalar("accuracy/train", history.accuracies[step], step + 1)
            for seen in history.validations[written["validations"] :]:
                writer.add_scalar("loss/validation", seen.loss, seen.step)
                writer.add_scalar("accuracy/validation", seen.accuracy, seen.step)
            written.update(steps=len(history.losses), validations=len(history.validations))

        try:
            yield write
        finally:
            write()
