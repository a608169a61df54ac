"""One step of training."""

import torch
from torch import nn


def train_step(
    model: nn.Module,
    batch,
    loss_fn,
    optimizer: torch.optim.Optimizer,
    scheduler: torch.optim.lr_scheduler.LRScheduler,
    max_norm: float,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Improve the model a little on one batch.

    Args:
        model: its parameters are changed.
        batch: whatever loss_fn understands.
        loss_fn: `loss_fn(model, batch) → (loss, accuracy)`, both without dimensions; called once.
        optimizer: holds the model's parameters.
        scheduler: steps once an iteration, that is once in every call.
        max_norm: the gradient of all parameters together is at most this long.

    Returns:
        `(loss, accuracy)` before the step: two tensors without dimensions, detached from the graph.

    Source: Pascanu, Mikolov, Bengio 2013, "On the difficulty of training recurrent neural networks",
    section 3.2 (clipping by norm).

    >>> model = nn.Linear(1, 1, bias=False)
    >>> optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
    >>> scheduler = torch.optim.lr_scheduler.ConstantLR(optimizer, factor=1.0)
    >>> before = model.weight.item()
    >>> loss_fn = lambda model, batch: (7 * model.weight.sum(), torch.tensor(0.5))
    >>> _, accuracy = train_step(model, None, loss_fn, optimizer, scheduler, max_norm=0.25)
    >>> round(before - model.weight.item(), 4), accuracy
    (0.25, tensor(0.5000))
    """
    # BEGIN SOLUTION
    #: backward() adds to the gradients that are already there: empty them first.
    #: Then loss, gradients, clipping, the optimiser's step, the scheduler's step, in this order.
    #: nn.utils.clip_grad_norm_ shortens all gradients together; clipping each number is another thing.
    #: What is returned must not keep the graph alive: detach it.
    optimizer.zero_grad()
    loss, accuracy = loss_fn(model, batch)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    scheduler.step()
    return loss.detach(), torch.as_tensor(accuracy).detach()
    # END SOLUTION
