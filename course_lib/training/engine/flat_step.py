"""A training step on a cpu, on flat parameters.

It does what the `train_step` of stage 06 does. There a seventh of a step (reverse model, batch of 32) goes into
emptying, clipping and applying the gradients of 22 parameters one by one; here they lie in one vector.
"""

import torch
from torch import nn

from course_lib.training.batches import Batch
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
        self.model, self.flat, self.loss_fn, self.max_norm = model, flat, loss_fn, recipe.max_norm
        vectors = [one.vector for one in flat]
        self.optimizer = torch.optim.Adam(vectors, lr=recipe.learning_rate, betas=recipe.betas, fused=True)
        self.scheduler = CosineWarmupScheduler(self.optimizer, recipe.warmup, recipe.max_steps)

    def __call__(self, batch: Batch) -> tuple[torch.Tensor, torch.Tensor]:
        # BEGIN SOLUTION of train_step
        for one in self.flat:
            one.zero_grad()
        loss, accuracy = self.loss_fn(self.model, batch)
        loss.backward()
        self._clip()
        self.optimizer.step()
        self.scheduler.step()
        return loss.detach(), torch.as_tensor(accuracy).detach()
        # END SOLUTION

    def _clip(self) -> None:
        """What `nn.utils.clip_grad_norm_` does, in four operations (Pascanu et al. 2013, section 3.2)."""
        gradients = [one.vector.grad for one in self.flat]
        squares = [torch.dot(gradient, gradient) for gradient in gradients]
        length = (squares[0] if len(squares) == 1 else sum(squares)).sqrt()
        scale = (self.max_norm / (length + 1e-6)).clamp(max=1.0)
        for gradient in gradients:
            gradient.mul_(scale)
