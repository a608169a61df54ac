"""Adam on flat parameters, clipping included.

`torch.optim.Adam` works out at every step what to do, which takes longer than doing it to one vector of ten thousand
numbers; and torch's fused kernel can also divide the gradients, which saves a separate pass for clipping.
"""

from collections.abc import Iterable

import torch
from torch.optim.adam import adam

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
        self._gradients = [vector.grad for vector in vectors]
        self._of_each = [_as_adam_takes_them(vector) for vector in vectors]

    @torch.no_grad()
    def step(self) -> None:
        group = self.param_groups[0]
        beta1, beta2 = group["betas"]
        squares = [torch.dot(gradient, gradient) for gradient in self._gradients]
        length = (squares[0] if len(squares) == 1 else sum(squares)).sqrt()
        excess = ((length + 1e-6) / self.max_norm).clamp(min=1.0)  # the gradients are divided by this
        for gradient, tensors in zip(self._gradients, self._of_each, strict=True):
            by_the_kernel = gradient.dtype == torch.float32 and gradient.device.type == "cpu"
            if not by_the_kernel:
                gradient.div_(excess)
            adam(
                *tensors,
                fused=True,
                grad_scale=excess.float() if by_the_kernel else None,
                amsgrad=False,
                beta1=beta1,
                beta2=beta2,
                lr=group["lr"],
                weight_decay=0.0,
                eps=1e-8,
                maximize=False,
            )


def _as_adam_takes_them(vector: torch.nn.Parameter) -> tuple[list[torch.Tensor], ...]:
    """Adam's arguments: values, gradients, averages of both moments, an empty list, and the number of steps made."""
    averages, squares = torch.zeros_like(vector.detach()), torch.zeros_like(vector.detach())
    steps = torch.zeros((), device=vector.device)
    return [vector], [vector.grad], [averages], [squares], [], [steps]
