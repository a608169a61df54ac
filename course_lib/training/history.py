"""What training records, apart from the weights."""

import math
from dataclasses import dataclass, field
from typing import NamedTuple

import torch


class Validation(NamedTuple):
    """One look at the validation data."""

    step: int
    loss: float
    accuracy: float


@dataclass
class History:
    """The record of one training run.

    Attributes:
        losses, accuracies: of the training batches, one a step.
        validations: each a `Validation(step, loss, accuracy)`.
        seconds: wall time, validation included.
        stopped: "finished", "target reached" or "interrupted".
    """

    losses: list[float] = field(default_factory=list)
    accuracies: list[float] = field(default_factory=list)
    validations: list[Validation] = field(default_factory=list)
    seconds: float = 0.0
    stopped: str = "finished"
    _unread: list[tuple[torch.Tensor, torch.Tensor]] = field(default_factory=list, repr=False)

    @property
    def step(self) -> int:
        """Steps made so far."""
        return len(self.losses) + len(self._unread)

    @property
    def best(self) -> Validation | None:
        """The validation with the highest accuracy (and, among equals, the lowest loss); None before the first."""
        return max(self.validations, key=lambda seen: (seen.accuracy, -seen.loss), default=None)

    @property
    def is_validated(self) -> bool:
        """Whether the last step has been validated (or there was none)."""
        return self.step == (self.validations[-1].step if self.validations else 0)

    @property
    def is_read(self) -> bool:
        """Whether every step's loss and accuracy are numbers by now."""
        return not self._unread

    def record(self, loss: torch.Tensor, accuracy: torch.Tensor) -> None:
        """Keep what one step returned as tensors: reading a number from a GPU means waiting for it."""
        self._unread.append((loss, accuracy))

    def read_back(self) -> None:
        """Turn what was recorded into numbers.

        Raises:
            FloatingPointError: when a loss is infinite or not a number; it names the step.
        """
        if not self._unread:
            return
        losses, accuracies = (torch.stack(kept).tolist() for kept in zip(*self._unread, strict=True))
        self._unread.clear()
        self.losses += losses
        self.accuracies += accuracies
        for step, loss in enumerate(losses, start=len(self.losses) - len(losses) + 1):
            if not math.isfinite(loss):
                raise FloatingPointError(
                    f"the loss is {loss} at step {step}: try a learning rate ten times lower, a longer warm-up, "
                    "or look for a division by zero and for a softmax over nothing but hidden keys"
                )
