"""Adam on flat parameters, clipping included.

`torch.optim.Adam` works out at every step what to do, which takes longer than doing it to one vector of ten thousand
numbers; and torch's fused kernel can also divide the gradients, which saves a separate pass for clipping.
"""

import math
from collections.abc import Iterable

import torch

from course_lib.training.engine.flat_parameters import FlatParameter


class FlatAdam(torch.optim.Optimizer):
    """`step()` does what `nn.utils.clip_grad_norm_` and then `torch.optim.Adam` do.

    Args:
        flat: the parameters, with their gradients.
        lr, betas: as of `torch.optim.Adam`; a scheduler may change the rate of the one parameter group.
        max_norm: the gradient of all parameters together is at most this long.

    Source: Kingma and Ba 2015, "Adam: A Method for Stochastic Optimization", algorithm 1; Pascanu et al. 2013, "On the
    difficulty of training recurrent neural networks", section 3.2 (clipping by norm).
    """

    def __init__(self, flat: Iterable[FlatParameter], lr: float, betas: tuple[float, float], max_norm: float):
        vectors = [one.vector for one in flat]
        super().__init__(vectors, {"lr": lr, "betas": betas})
        self.max_norm = max_norm
        self._updates = [_Update(vector) for vector in vectors]

    def step(self) -> None:
        group = self.param_groups[0]
        length = math.sqrt(sum(float(torch.dot(one.gradient, one.gradient)) for one in self._updates))
        excess = (length + 1e-6) / self.max_norm  # where it is over 1, the gradients are divided by it
        for one in self._updates:
            one.make(group["lr"], *group["betas"], excess)

    step.hooked = True  # else torch wraps it for its profiler, which costs as much as the step itself


class _Update:
    """Of one vector: what Adam's kernel takes, looked up once.

    Attributes:
        gradient: of the vector.
    """

    def __init__(self, vector: torch.nn.Parameter):
        self.gradient = vector.grad
        values, steps = vector.detach(), torch.zeros((), device=vector.device)
        averages, squares = torch.zeros_like(values), torch.zeros_like(values)
        self._tensors = [values], [self.gradient], [averages], [squares], [], [steps]
        self._steps = steps
        self._divides = vector.dtype == torch.float32 and vector.device.type == "cpu"  # can the kernel?
        self._excess = torch.ones(())

    def make(self, lr: float, beta1: float, beta2: float, excess: float) -> None:
        """One step of Adam; gradients are divided by `excess` if it is over 1."""
        is_long = not excess <= 1.0
        if is_long and not self._divides:
            self.gradient.div_(excess)
        self._steps.add_(1)
        torch._fused_adam_(
            *self._tensors,
            lr=lr,
            beta1=beta1,
            beta2=beta2,
            weight_decay=0.0,
            eps=1e-8,
            amsgrad=False,
            maximize=False,
            grad_scale=self._excess.fill_(excess) if is_long and self._divides else None,
        )
