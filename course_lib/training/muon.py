"""Muon: momentum whose singular values are all set to about one, for the matrices inside a model."""

import torch

POLYNOMIAL = (3.4445, -4.7750, 2.0315)  # five rounds bring singular values between 0.002 and 1 to between 0.7 and 1.2


def orthogonalised(matrices: torch.Tensor, rounds: int = 5) -> torch.Tensor:
    """Matrices [N, m, n] with the same singular vectors, and singular values of about one (Newton and Schulz).

    torch.optim.Muon does the same in bfloat16, which on a cpu takes four times as long as a whole step of a small
    model; here matrices of one shape go together, in the dtype in which they come.

    Source: Jordan et al. 2024, "Muon: An optimizer for hidden layers in neural networks".

    >>> found = orthogonalised(torch.tensor([[[3.0, 0.0], [0.0, 0.1]]]))
    >>> bool((torch.linalg.svdvals(found) - 1).abs().max() < 0.4)
    True
    """
    a, b, c = POLYNOMIAL
    tall = matrices.shape[-2] > matrices.shape[-1]
    x = matrices.mT if tall else matrices
    x = x / (x.norm(dim=(-2, -1), keepdim=True) + 1e-7)
    for _ in range(rounds):
        square = x @ x.mT
        x = a * x + (b * square + c * square @ square) @ x
    return x.mT if tall else x


class Muon(torch.optim.Optimizer):
    """Nesterov momentum, orthogonalised; steps as large as AdamW's, so that both take one rate.

    Args:
        params: matrices.
        lr: the rate.
        momentum: how much of the mean gradient a step keeps.
        weight_decay: as in AdamW.

    Source: Jordan et al. 2024; Liu et al. 2025, "Muon is Scalable for LLM Training", section 2.2 (the size of a step).
    """

    def __init__(self, params, lr: float, momentum: float = 0.95, weight_decay: float = 0.0):
        super().__init__(params, {"lr": lr, "momentum": momentum, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            shapes: dict[torch.Size, list[torch.Tensor]] = {}
            for matrix in group["params"]:
                if matrix.grad is not None:
                    shapes.setdefault(matrix.shape, []).append(matrix)
            for shape, matrices in shapes.items():
                size = 0.2 * max(shape) ** 0.5  # AdamW's steps have a root mean square of about 0.2
                gradients = torch.stack([matrix.grad for matrix in matrices])  # [N, m, n]
                kept = self.state[matrices[0]].setdefault("momentum", torch.zeros_like(gradients))
                kept.lerp_(gradients, 1 - group["momentum"])
                steps = orthogonalised(gradients.lerp(kept, group["momentum"]))
                for matrix, one in zip(matrices, steps, strict=True):
                    matrix.mul_(1 - group["lr"] * group["weight_decay"]).add_(one, alpha=-size * group["lr"])
