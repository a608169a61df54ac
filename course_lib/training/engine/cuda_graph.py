"""A training step on a GPU, recorded once and replayed.

A step of a small Transformer is some three hundred operations of a few microseconds each, and python needs
longer to ask for one than the GPU to carry it out. A CUDA graph records them all; afterwards one call starts
the whole step. It reads its batch from, and leaves its results at, the same addresses each time.

Source: NVIDIA's and PyTorch's notes on whole-network capture (PyTorch documentation, *CUDA semantics*).
"""

import torch
from torch import nn

from course_lib.training.batches import Batch
from course_lib.training.recipe import Recipe
from course_lib.training.schedule import CosineWarmupScheduler

REHEARSALS = 3


class GraphedStep:
    """Called with a batch: makes one step, returns `(loss, accuracy)`.

    The first batch decides the shapes; a step on a batch of others is not recorded. What is recorded must not wait for
    the GPU (`.item()`, `print` of a tensor, an `if` on a value): such a loss function is a RuntimeError here.
    """

    def __init__(self, model: nn.Module, loss_fn, recipe: Recipe):
        rate = torch.tensor(recipe.learning_rate, device=next(model.parameters()).device)
        self.model, self.loss_fn, self.max_norm = model, loss_fn, recipe.max_norm
        self.optimizer = torch.optim.Adam(model.parameters(), lr=rate, betas=recipe.betas, fused=True, capturable=True)
        self.scheduler = CosineWarmupScheduler(self.optimizer, recipe.warmup, recipe.max_steps)
        self.graph: torch.cuda.CUDAGraph | None = None

    def __call__(self, batch: Batch) -> tuple[torch.Tensor, torch.Tensor]:
        if self.graph is None:
            self._record(batch)
        if [tensor.shape for tensor in batch] == [place.shape for place in self.batch]:
            for place, tensor in zip(self.batch, batch, strict=True):
                place.copy_(tensor)
            self.graph.replay()
            loss, accuracy = self.loss.clone(), self.accuracy.clone()
        else:
            loss, accuracy = (result.detach() for result in self._step(batch))
        self.scheduler.step()
        return loss, accuracy

    def _step(self, batch: Batch) -> tuple[torch.Tensor, torch.Tensor]:
        # BEGIN SOLUTION of train_step
        self.optimizer.zero_grad(set_to_none=True)
        loss, accuracy = self.loss_fn(self.model, batch)
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), self.max_norm)
        self.optimizer.step()
        return loss, accuracy
        # END SOLUTION

    def _record(self, batch: Batch) -> None:
        self.batch = tuple(tensor.clone() for tensor in batch)
        before = {name: weight.clone() for name, weight in self.model.state_dict().items()}
        with torch.cuda.stream(side := torch.cuda.Stream()):
            side.wait_stream(torch.cuda.default_stream())
            for _ in range(REHEARSALS):
                self._step(self.batch)
        torch.cuda.current_stream().wait_stream(side)
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            self.loss, self.accuracy = (result.detach() for result in self._step(self.batch))
        self.model.load_state_dict(before)  # the rehearsals are forgotten: in place, for the graph knows addresses
        for state in self.optimizer.state.values():
            for moment in state.values():
                moment.zero_()
