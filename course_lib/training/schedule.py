"""The learning rate over a training run: up, then down along a cosine."""

import math

import torch


class CosineWarmupScheduler(torch.optim.lr_scheduler.LRScheduler):
    """Scale every learning rate by a factor that first climbs, then falls along half a cosine.

        factor(t) = ½ · (1 + cos(π · t / max_iters)),   times t / warmup while t ≤ warmup

    t counts the iterations (steps of the optimiser), not the epochs: call `step()` after each one.
    With a warm-up nothing moves at t = 0; the run is over at max_iters. Without a warm-up (0) there is no climb.

    Args:
        optimizer: each of its parameter groups keeps its own base rate.
        warmup: how many iterations the climb takes.
        max_iters: how many iterations the whole run takes.

    `get_lr()`: returns one rate for each parameter group, for the iteration `self.last_epoch`.

    Source: warm-up, "Attention Is All You Need", section 5.3; cosine, Loshchilov and Hutter 2017,
    "SGDR: Stochastic Gradient Descent with Warm Restarts", section 3, equation 5.

    >>> optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=2.0)
    >>> scheduler = CosineWarmupScheduler(optimizer, warmup=0, max_iters=2)
    >>> optimizer.step(), scheduler.step()
    (None, None)
    >>> [round(rate, 4) for rate in scheduler.get_last_lr()]
    [1.0]
    """

    def __init__(self, optimizer: torch.optim.Optimizer, warmup: int, max_iters: int):
        self.warmup = warmup
        self.max_iters = max_iters
        super().__init__(optimizer)  # keeps the rates as self.base_lrs, asks get_lr for those of t = 0

    def get_lr(self) -> list[float]:
        # BEGIN SOLUTION
        #: torch counts the calls of step() in self.last_epoch, whatever the name says: that is t.
        #: The cosine is there from the first iteration on; the climb multiplies it.
        #: self.base_lrs holds one base rate for each group: return one rate for each.
        t = self.last_epoch
        factor = 0.5 * (1 + math.cos(math.pi * t / self.max_iters))
        if t < self.warmup:  # at t = warmup the climb has reached 1
            factor *= t / self.warmup
        return [base_lr * factor for base_lr in self.base_lrs]
        # END SOLUTION
