"""A training step on a cpu, on flat parameters.

It does what the `train_step` of stage 06 does. There a seventh of a step (reverse model, batch of 32) goes into
emptying, clipping and applying the gradients of 22 parameters one by one; here they lie in one vector.
"""

import torch
from torch import nn

from course_lib.training.batches import Batch
from course_lib.training.engine.flat_adam import FlatAdam
from course_lib.training.engine.flat_parameters import FlatParameter
from course_lib.training.recipe import Recipe
from course_lib.training.schedule import CosineWarmupScheduler


class FlatStep:
    """Called with a batch: makes one step, returns `(loss, accuracy)`, detached.

    Args:
        model: the one that loss_fn is called with.
        flat: its parameters (see `flat_parameters`).
        loss_fn: `loss_fn(model, batch) → (loss, accuracy)`.
        recipe: rates, betas and the length to clip to.
    """

    def __init__(self, model: nn.Module, flat: list[FlatParameter], loss_fn, recipe: Recipe):
        self.model, self.flat, self.loss_fn = model, flat, loss_fn
        self.optimizer = FlatAdam(flat, recipe.learning_rate, recipe.betas, recipe.max_norm)
        self.scheduler = CosineWarmupScheduler(self.optimizer, recipe.warmup, recipe.max_steps)

    def __call__(self, batch: Batch) -> tuple[torch.Tensor, torch.Tensor]:
        # BEGIN SOLUTION of train_step
        for one in self.flat:
            one.zero_grad()
        loss, accuracy = self.loss_fn(self.model, batch)
        loss.backward()
        self.optimizer.step()  # clips them first
        self.scheduler.step()
        return loss.detach(), torch.as_tensor(accuracy).detach()
        # END SOLUTION
