"""A small model with known weights in the place of a `TransformerPredictor`, for exercises that call one."""

import torch
from torch import nn

from autograder.probes.calling import several

INSIDE = 5  # width of the stand-in


class StandIn(nn.Module):
    """Called as a `TransformerPredictor` is, with parts of the same names; its tokens mix by plain means.

    Args:
        weights: see `stand_in_weights`.
        sees_places: add the positions even when the caller says not to: then it is no model of sets.
    """

    def __init__(self, weights: dict[str, torch.Tensor], sees_places: bool = False):
        super().__init__()
        num_classes, input_dim = weights["output_net.4.weight"].shape[0], weights["input_net.1.weight"].shape[1]
        self.hyper_parameters = {"input_dim": input_dim, "num_classes": num_classes, "model_dim": INSIDE}
        self.sees_places = sees_places
        self.input_net = nn.Sequential(nn.Dropout(0.0), nn.Linear(input_dim, INSIDE))
        self.positional_encoding = _Positions(weights["positional_encoding.pe"])
        self.transformer = nn.Linear(INSIDE, INSIDE)
        self.output_net = nn.Sequential(
            nn.Linear(INSIDE, INSIDE), nn.LayerNorm(INSIDE), nn.Tanh(), nn.Dropout(0.0), nn.Linear(INSIDE, num_classes)
        )
        self.to(weights["transformer.weight"].dtype).load_state_dict(weights)

    def forward(self, x, mask=None, add_positional_encoding=True):
        if x.is_floating_point():  # integers are for the Linear to refuse
            x = x.to(self.transformer.weight.dtype)
        x = self.input_net(x)  # [B, T, INSIDE]
        if add_positional_encoding or self.sees_places:
            x = self.positional_encoding(x)
        x = x + 2 * torch.tanh(self.transformer(_means(x, mask)))
        return self.output_net(x)  # [B, T, num_classes]


class _Positions(nn.Module):
    def __init__(self, pe):
        super().__init__()
        self.register_buffer("pe", torch.zeros_like(pe))

    def forward(self, x):
        return x + self.pe[:, : x.shape[1]]


def _means(x, mask):
    """For every token, the mean of those that it may see; x [B, T, d], mask [T, T] or more axes."""
    if mask is None:
        return x.mean(dim=1, keepdim=True)
    seen = mask.to(x.dtype)
    seen = seen.squeeze(1) if seen.ndim == 4 else seen  # [T, T] or [B, T, T]
    return seen @ x / seen.sum(dim=-1, keepdim=True).clamp(min=1)


def stand_in_weights(generator, input_dim: int, num_classes: int, places: float = 0.0) -> dict[str, torch.Tensor]:
    """Weights for a `StandIn`; `places` is the size of what it adds for the position of a token."""
    sizes = {
        "input_net.1.weight": (INSIDE, input_dim),
        "input_net.1.bias": (INSIDE,),
        "transformer.weight": (INSIDE, INSIDE),
        "transformer.bias": (INSIDE,),
        "output_net.0.weight": (INSIDE, INSIDE),
        "output_net.0.bias": (INSIDE,),
        "output_net.1.weight": (INSIDE,),
        "output_net.1.bias": (INSIDE,),
        "output_net.4.weight": (num_classes, INSIDE),
        "output_net.4.bias": (num_classes,),
        "positional_encoding.pe": (1, 17, INSIDE),
    }
    weights = {name: torch.randn(size, generator=generator) for name, size in sizes.items()}
    weights["positional_encoding.pe"] *= places
    return weights


def loss_on(student, model: StandIn, batch, training: bool = False) -> dict:
    """What `student(model, batch)` gives, and whether the mode is as it was; in `training`, also the gradient."""
    model.train(training)
    found = several(student(model, batch), "loss", "accuracy")
    found["mode_kept"] = all(part.training == training for part in model.modules())
    if training:
        loss = found["loss"]
        follows = isinstance(loss, torch.Tensor) and loss.requires_grad
        first = model.input_net[1].weight
        gradient = torch.autograd.grad(loss, first, allow_unused=True)[0] if follows else None
        found["gradient"] = torch.zeros_like(first) if gradient is None else gradient
    return found
