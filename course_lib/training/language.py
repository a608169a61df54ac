"""Training a language model: AdamW, or Muon for its matrices, and a rate that is warmed up and brought down."""

import contextlib
import math
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F

from course_lib.training.batches import Batch
from course_lib.training.devices import device
from course_lib.training.engine.fast_path import fast_path
from course_lib.training.engine.kept_memory import keep_memory
from course_lib.training.engine.threads import suitable_threads
from course_lib.training.history import History, Validation
from course_lib.training.loop import TrainingData, endless, evaluate, own_randomness
from course_lib.training.muon import Muon
from course_lib.training.progress_bar import progress_bar
from course_lib.training.shortened import steps_to_make


@dataclass(frozen=True)
class LanguageRecipe:
    """How a language model is trained.

    Attributes:
        learning_rate: the highest; the same for AdamW and Muon, whose steps are brought to AdamW's size.
        batch_size: texts in one step. block: predictions in one text.
        max_steps: steps after which training ends. warmup: steps in which the rate climbs from 0.
        muon: whether the matrices of the blocks take steps of Muon (their momentum with all its singular values set to
            about 1; Jordan et al. 2024); tables and norms always take AdamW's.
        weight_decay: of matrices.
        max_norm: the gradient is clipped to this length.
        dropout: of what the embedding, each attention and each feed-forward say; for models that could memorise a short
            text.
        validate_every: steps between two looks at the validation text; None looks at the end only.
        seed: of the batches.
    """

    learning_rate: float
    batch_size: int
    block: int
    max_steps: int
    warmup: int = 100
    muon: bool = False
    weight_decay: float = 0.1
    max_norm: float = 1.0
    dropout: float = 0.0
    validate_every: int | None = None
    seed: int = 0

    def rate(self, step: int) -> float:
        """The factor of the learning rate at a step: a linear warm-up, then a cosine down to 1 %.

        >>> recipe = LanguageRecipe(1e-3, batch_size=1, block=1, max_steps=100, warmup=10)
        >>> [round(recipe.rate(step), 3) for step in (0, 9, 55, 100)]
        [0.1, 1.0, 0.505, 0.01]
        """
        if step < self.warmup:
            return (step + 1) / self.warmup
        done = min((step - self.warmup) / max(self.max_steps - self.warmup, 1), 1.0)
        return 0.01 + 0.99 * (1 + math.cos(math.pi * done)) / 2


def optimizers(model: nn.Module, recipe: LanguageRecipe) -> list[torch.optim.Optimizer]:
    """AdamW for everything, or Muon for the matrices inside the blocks and AdamW for the rest."""
    inside = {
        id(p)
        for name, p in model.named_parameters()
        if p.ndim == 2 and recipe.muon and not name.startswith(("embedding", "output"))
    }
    matrices = [p for p in model.parameters() if id(p) in inside]
    tables = [p for p in model.parameters() if p.ndim == 2 and id(p) not in inside]
    vectors = [p for p in model.parameters() if p.ndim != 2]
    groups = [{"params": tables, "weight_decay": recipe.weight_decay}, {"params": vectors, "weight_decay": 0.0}]
    found = [torch.optim.AdamW(groups, lr=recipe.learning_rate, betas=(0.9, 0.99))]
    if matrices:
        found.append(Muon(matrices, lr=recipe.learning_rate, weight_decay=recipe.weight_decay))
    return found


@contextlib.contextmanager
def dropped(model: nn.Module, share: float) -> Iterator[None]:
    """Inside, in train mode, dropout at this rate applies to embedding, attentions and feed-forwards."""

    def drop(module: nn.Module, _, output):
        if isinstance(output, tuple):  # an attention's output, and its cache
            return F.dropout(output[0], share, module.training), *output[1:]
        return F.dropout(output, share, module.training)

    parts = [
        part
        for name, part in model.named_modules()
        if name.split(".")[-1] in ("embedding", "attention", "feed_forward")
    ]
    hooks = [part.register_forward_hook(drop) for part in parts if share]
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()


def fit_language_model(
    model: nn.Module,
    loss_fn: Callable,
    train: TrainingData,
    validation: Iterable[Batch],
    recipe: LanguageRecipe,
    progress: bool = True,
    threads: int | None = None,
) -> History:
    """Train a model, and leave it in eval mode with its last weights.

    The same weights, text and recipe give the same weights again, on one machine with one torch. Ctrl-C ends the run
    and keeps what was learned. Meanwhile the course's own layers compute with torch's fused kernels (see `fast_path`).

    Args:
        model: trained in place; moved to `device()`. On a GPU the products run in bfloat16.
        loss_fn: `loss_fn(model, batch) → (loss, accuracy)`.
        train: gives batches, again and again.
        validation: fixed batches.
        recipe: rates, sizes, steps.
        progress: whether to show a progress bar.
        threads: of torch on the cpu; None: what suits the model.

    The environment variable `COURSE_STEPS` ends every run after so many steps, as in `fit`.

    Raises:
        ValueError: `COURSE_STEPS` is not a number of steps.
        FloatingPointError: the loss is no longer finite; the message names the step.
    """
    where, steps, began, history = device(), steps_to_make(recipe.max_steps), time.perf_counter(), History()
    model, train = model.to(where).train(), train.to(where)
    validation = [tuple(tensor.to(where) for tensor in batch) for batch in validation]
    every = recipe.validate_every or recipe.max_steps
    keep_memory()

    def validate() -> None:
        history.validations.append(Validation(history.step, *evaluate(model, loss_fn, validation)))

    with (
        suitable_threads(model, threads),
        fast_path(model),
        dropped(model, recipe.dropout),
        own_randomness(recipe.seed, where),
        progress_bar("training", recipe.max_steps, progress) as show,
    ):
        steppers = optimizers(model, recipe)
        try:
            for step, batch in zip(range(steps), endless(train, recipe.seed), strict=False):
                for stepper in steppers:
                    stepper.zero_grad()
                    for group in stepper.param_groups:
                        group["lr"] = recipe.learning_rate * recipe.rate(step)
                with torch.autocast(where.type, torch.bfloat16, enabled=where.type == "cuda"):
                    loss, accuracy = loss_fn(model, batch)
                loss.backward()
                nn.utils.clip_grad_norm_(model.parameters(), recipe.max_norm)
                for stepper in steppers:
                    stepper.step()
                history.record(loss.detach(), accuracy.detach())
                if (step + 1) % 20 == 0:
                    history.read_back()
                    show(step + 1, f"loss {history.losses[-1]:.3f}")
                if (step + 1) % every == 0:
                    validate()
        except KeyboardInterrupt:
            history.stopped = "interrupted"
        history.read_back()
        if not history.validations:
            validate()
    model.eval()
    history.seconds = time.perf_counter() - began
    return history
