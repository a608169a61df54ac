"""The reverse task as published, under Lightning: one sample at a time through a DataLoader.

The trainer is the tutorial's: a checkpoint callback and clipping, and for the rest Lightning's defaults, a logger
and a progress bar. What it prints is thrown away.
"""

import contextlib
import io
import logging
import tempfile
import time
import warnings
from dataclasses import dataclass

import torch
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset

from benchmarks.baselines.published_model import PublishedModel, rate_factor
from course_lib.tasks.torchvision_mend import import_torchvision

import_torchvision()  # torchmetrics, which lightning imports, imports torchvision
import lightning  # noqa: E402
from lightning.pytorch.callbacks import Callback, ModelCheckpoint  # noqa: E402

CATEGORIES, LENGTH = 10, 16
BATCH_SIZE, RATE, WARMUP, CLIP = 128, 5e-4, 50, 5.0


class Sequences(Dataset):
    def __init__(self, size: int, seed: int):
        generator = torch.Generator().manual_seed(seed)
        self.data = torch.randint(CATEGORIES, (size, LENGTH), generator=generator)

    def __len__(self) -> int:
        return len(self.data)

    def __getitem__(self, index: int) -> tuple[torch.Tensor, torch.Tensor]:
        tokens = self.data[index]
        return tokens, torch.flip(tokens, dims=(0,))


class Reverser(lightning.LightningModule):
    def __init__(self, max_steps: int):
        super().__init__()
        self.max_steps = max_steps
        self.model = PublishedModel(CATEGORIES, 32, CATEGORIES, num_heads=1, num_layers=1)

    def configure_optimizers(self):
        optimizer = torch.optim.Adam(self.parameters(), lr=RATE)
        scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: rate_factor(step, WARMUP, self.max_steps))
        return [optimizer], [{"scheduler": scheduler, "interval": "step"}]

    def _look(self, batch, part: str) -> torch.Tensor:
        tokens, targets = batch
        logits = self.model(F.one_hot(tokens, CATEGORIES).float())
        loss = F.cross_entropy(logits.view(-1, CATEGORIES), targets.view(-1))
        self.log(f"{part}_loss", loss)
        self.log(f"{part}_acc", (logits.argmax(dim=-1) == targets).float().mean())
        return loss

    def training_step(self, batch, _):
        return self._look(batch, "train")

    def validation_step(self, batch, _):
        self._look(batch, "val")


class OutOfTime(Exception):
    """The run took longer than it may."""


class Clock(Callback):
    """Measures training with its validations, and ends it at the target or after max_seconds."""

    def __init__(self, target: float | None, max_seconds: float):
        self.target, self.max_seconds, self.began = target, max_seconds, 0.0
        self.seconds, self.steps, self.accuracy = 0.0, 0, float("nan")

    def on_train_start(self, *_):
        self.began = time.perf_counter()

    def on_train_batch_end(self, *_):
        self.steps += 1
        self.seconds = time.perf_counter() - self.began
        if self.seconds > self.max_seconds:
            raise OutOfTime

    def on_validation_epoch_end(self, trainer, _):
        if trainer.sanity_checking:
            return
        self.accuracy = trainer.callback_metrics["val_acc"].item()
        self.seconds = time.perf_counter() - self.began
        if self.target is not None and self.accuracy >= self.target:
            trainer.should_stop = True


@dataclass(frozen=True)
class Result:
    """Seconds of training, steps made, and the last validation accuracy (nan before the first)."""

    seconds: float
    steps: int
    accuracy: float


def train(target: float | None = None, max_steps: int = -1, max_seconds: float = 3600.0) -> Result:
    """Train as published: ten epochs, or to the first one that ends with the target validation accuracy."""
    logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        lightning.seed_everything(0, verbose=False)
        data = DataLoader(Sequences(50_000, 0), batch_size=BATCH_SIZE, shuffle=True, drop_last=True)
        validation = DataLoader(Sequences(1_000, 1), batch_size=BATCH_SIZE)
        clock = Clock(target, max_seconds)
        trainer = lightning.Trainer(
            default_root_dir=folder,
            callbacks=[clock, ModelCheckpoint(save_weights_only=True, mode="max", monitor="val_acc")],
            max_epochs=10,
            max_steps=max_steps,
            gradient_clip_val=CLIP,
        )
        with contextlib.suppress(OutOfTime), contextlib.redirect_stdout(io.StringIO()):
            trainer.fit(Reverser(max_steps=10 * len(data)), data, validation)
    return Result(clock.seconds, clock.steps, clock.accuracy)
