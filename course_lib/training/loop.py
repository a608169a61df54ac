"""One plain training loop: a batch, a step, and now and then a validation."""

import contextlib
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from statistics import fmean
from typing import Protocol

import torch
from torch import nn

from course_lib.training.batches import Batch
from course_lib.training.curves import curves
from course_lib.training.devices import device
from course_lib.training.engine.averaged_weights import AveragedWeights
from course_lib.training.engine.best_weights import BestWeights
from course_lib.training.engine.cuda_graph import GraphedStep
from course_lib.training.engine.fast_path import fast_path
from course_lib.training.engine.flat_parameters import flat_parameters
from course_lib.training.engine.flat_step import FlatStep
from course_lib.training.engine.kept_memory import keep_memory
from course_lib.training.engine.threads import suitable_threads
from course_lib.training.history import History, Validation
from course_lib.training.progress_bar import progress_bar
from course_lib.training.recipe import Recipe
from course_lib.training.schedule import CosineWarmupScheduler
from course_lib.training.shortened import steps_to_make
from course_lib.training.step import train_step

LossFunction = Callable[[nn.Module, Batch], tuple[torch.Tensor, torch.Tensor]]
RECENT = 5  # steps whose accuracies together say whether the target may be reached
READ_EVERY = {"cpu": RECENT, "cuda": 50}  # steps: on a GPU, to read a loss is to wait until it is computed


class TrainingData(Protocol):
    """The interface that the loop needs from its data: `Batches`, or anything that yields epochs like it."""

    def to(self, where: torch.device) -> "TrainingData": ...

    def epoch(self, generator: torch.Generator) -> Iterator[Batch]: ...


def fit(
    model: nn.Module,
    loss_fn: LossFunction,
    train: TrainingData,
    validation: Iterable[Batch],
    recipe: Recipe,
    progress: bool = True,
    on_validation: Callable[[History], None] | None = None,
    threads: int | None = None,
    step: Callable = train_step,
    scheduler: type = CosineWarmupScheduler,
    log_dir: str | Path | None = None,
) -> History:
    """Train a model; afterwards it has the weights that did best in validation, or the mean of the last ones.

    Adam with a warm-up, a cosine decay and clipped gradients; all numbers are in the recipe. The same weights, data and
    recipe give the same weights again, to the last bit, on one machine with one version of torch, and, from a million
    parameters on, with the same number of threads. Ctrl-C ends the run and keeps what was learned. During training the
    course's own layers use torch's fused kernels (see `fast_path`).

    Args:
        model: trained in place; moved to `device()`, and left in eval mode.
        loss_fn: `loss_fn(model, batch) → (loss, accuracy)`.
        train: gives the batches of an epoch, again and again.
        validation: a few fixed batches.
        recipe: rates, sizes, and when to stop.
        progress: whether to show a progress bar.
        on_validation: called with the history after each validation, to draw a curve for instance.
        threads: of torch on the cpu; None: what `suitable_threads` says. Restored afterwards.
        step, scheduler: those of stage 06, called as written there; your own, for instance. The course's two are
            replaced by what computes the same, faster (see `training_step`).
        log_dir: a folder for TensorBoard's curves of this run (see `curves`; the extra `curves`). None writes none.

    The environment variable `COURSE_STEPS` ends every run after so many steps: enough to see that a page runs through.

    Raises:
        ValueError: when `COURSE_STEPS` is not a number of steps.
        FloatingPointError: when the loss is no longer finite; it names the step and what to try. The weights
            are then the best ones validated before.
    """
    where, steps, began = device(), steps_to_make(recipe.max_steps), time.perf_counter()
    model, train = model.to(where).train(), train.to(where)
    validation = [tuple(tensor.to(where) for tensor in batch) for batch in validation]
    history, read_every = History(), READ_EVERY.get(where.type, RECENT)
    keep_memory()
    weights = AveragedWeights(model, recipe.average_last) if recipe.average_last else BestWeights(model)

    def validate() -> None:
        history.read_back()
        history.validations.append(Validation(history.step, *evaluate(model, loss_fn, validation)))
        weights.offer(*history.validations[-1])
        write_curves()
        if on_validation:
            on_validation(history)

    with (
        suitable_threads(model, threads),
        own_randomness(recipe.seed, where),
        fast_path(model),
        progress_bar("training", recipe.max_steps, progress) as show,
        training_step(model, loss_fn, recipe, step, scheduler) as one_step,
        curves(log_dir, history) as write_curves,
        weights,
    ):
        try:
            for batch in islice(endless(train, recipe.seed), steps):
                history.record(*one_step(batch))
                if history.step % read_every == 0:
                    history.read_back()
                    show(history.step, f"loss {history.losses[-1]:.4f}")
                if history.step % recipe.validate_every == 0 or seems_done(history, recipe):
                    validate()
                    if reached_target(history, recipe):
                        history.stopped = "target reached"
                        break
        except KeyboardInterrupt:
            history.stopped = "interrupted"
        if not history.is_validated:
            validate()
    history.seconds = time.perf_counter() - began
    return history


@contextlib.contextmanager
def training_step(
    model: nn.Module,
    loss_fn: LossFunction,
    recipe: Recipe,
    step: Callable = train_step,
    scheduler: type = CosineWarmupScheduler,
) -> Iterator[Callable[[Batch], tuple]]:
    """Yield a function that makes one training step on a batch and returns `(loss, accuracy)`, detached.

    It does what the `train_step` of stage 06 does. On a cpu the parameters are flat meanwhile (see `FlatStep`); on
    CUDA the step is recorded once and replayed (see `GraphedStep`): at this size the GPU waits for python otherwise.
    Another `step` or `scheduler` is called as it is, once a batch.
    """
    if (step, scheduler) != (train_step, CosineWarmupScheduler):
        optimizer = torch.optim.Adam(model.parameters(), lr=recipe.learning_rate, betas=recipe.betas)
        rates = scheduler(optimizer, recipe.warmup, recipe.max_steps)
        yield lambda batch: step(model, batch, loss_fn, optimizer, rates, recipe.max_norm)
    elif next(model.parameters()).is_cuda:
        yield GraphedStep(model, loss_fn, recipe)
    else:
        with flat_parameters(model.parameters()) as flat:
            yield FlatStep(model, flat, loss_fn, recipe)


def endless(train: TrainingData, seed: int) -> Iterator[Batch]:
    """Batches without end, epoch after epoch, each epoch in a new order."""
    generator = torch.Generator().manual_seed(seed)
    while True:
        yield from train.epoch(generator)


def evaluate(model: nn.Module, loss_fn: LossFunction, batches: Iterable[Batch]) -> tuple[float, float]:
    """Mean loss and accuracy over all rows of the batches, in eval mode and without gradients.

    Raises:
        ValueError: when there is no batch.
    """
    sizes, results = [], []
    was_training = model.training
    model.eval()
    with torch.inference_mode():
        for batch in batches:
            sizes.append(len(batch[0]))
            loss, accuracy = loss_fn(model, batch)
            results.append(torch.stack([loss, torch.as_tensor(accuracy).to(loss)]))
    model.train(was_training)
    if not sizes:
        raise ValueError("there is no batch to evaluate on: give a list with one batch or more")
    weights = torch.tensor(sizes, dtype=results[0].dtype) / sum(sizes)
    loss, accuracy = (weights[:, None] * torch.stack(results).cpu()).sum(0).tolist()
    return loss, accuracy


def seems_done(history: History, recipe: Recipe) -> bool:
    """Whether the mean accuracy of the last training batches, all read back, reaches the recipe's target.

    Then it is worth a look at the validation data out of turn: a look takes as long as five or six steps.
    """
    target, recent = recipe.target_accuracy, history.accuracies[-RECENT:]
    return target is not None and history.is_read and fmean(recent) >= target


def reached_target(history: History, recipe: Recipe) -> bool:
    """Whether the last validation reaches the recipe's target."""
    target = recipe.target_accuracy
    return target is not None and history.validations[-1].accuracy >= target


@contextlib.contextmanager
def own_randomness(seed: int, where: torch.device) -> Iterator[None]:
    """Seed torch, and so dropout, inside; restore the caller's generators afterwards."""
    with torch.random.fork_rng(devices=[where] if where.type == "cuda" else []):
        torch.manual_seed(seed)
        yield
