"""A small model with known weights instead of a `TransformerPredictor`, for exercises that call one."""

import torch
from torch import nn

from autograder.probes.calling import call, several

MODEL_DIM = 5
SURE = 200.0  # times as large are the logits of a model that is sure


class StandIn(nn.Module):
    """Called as a `TransformerPredictor` is, with parts of the same names; attends by the mean of what is visible.

    Args:
        weights: see `stand_in_weights`.
        sees_places: add the positional encoding even if the caller says not to; then the order of a set matters.
    """

    def __init__(self, weights: dict[str, torch.Tensor], sees_places: bool = False):
        super().__init__()
        num_classes, input_dim = weights["output_net.4.weight"].shape[0], weights["input_net.1.weight"].shape[1]
        self.hyper_parameters = {"input_dim": input_dim, "num_classes": num_classes, "model_dim": MODEL_DIM}
        self.sees_places = sees_places
        self.input_net = nn.Sequential(nn.Dropout(0.0), nn.Linear(input_dim, MODEL_DIM))
        self.positional_encoding = _PositionalEncoding(weights["positional_encoding.pe"])
        self.transformer = nn.Linear(MODEL_DIM, MODEL_DIM)
        self.output_net = nn.Sequential(
            nn.Linear(MODEL_DIM, MODEL_DIM),
            nn.LayerNorm(MODEL_DIM),
            nn.Tanh(),
            nn.Dropout(0.0),
            nn.Linear(MODEL_DIM, num_classes),
        )
        self.to(weights["transformer.weight"].dtype).load_state_dict(weights)

    def forward(self, x, mask=None, add_positional_encoding=True):
        if x.dtype == torch.float32:  # the answers are computed in float64; all else is for the Linear to refuse
            x = x.to(self.transformer.weight.dtype)
        x = self.input_net(x)  # [B, T, MODEL_DIM]
        if add_positional_encoding or self.sees_places:
            x = self.positional_encoding(x)
        x = x + 2 * torch.tanh(self.transformer(_mean_of_visible(x, mask)))
        return self.output_net(x)  # [B, T, num_classes]


class _PositionalEncoding(nn.Module):
    def __init__(self, pe):
        super().__init__()
        self.register_buffer("pe", torch.zeros_like(pe))

    def forward(self, x):
        return x + self.pe[:, : x.shape[1]]


def _mean_of_visible(x, mask):
    """For every token, the mean of those that it may see; x [B, T, d], mask [T, T], [B, T, T] or [B, 1, T, T]."""
    if mask is None:
        return x.mean(dim=1, keepdim=True)
    visible = mask.to(x.dtype)
    visible = visible.squeeze(1) if visible.ndim == 4 else visible  # [T, T] or [B, T, T]
    return visible @ x / visible.sum(dim=-1, keepdim=True).clamp(min=1)


def made_sure(weights: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """The weights of a model whose logits are 200 times as large."""
    last = ("output_net.4.weight", "output_net.4.bias")
    return weights | {name: SURE * weights[name] for name in last}


def stand_in_weights(generator, input_dim: int, num_classes: int, places: float = 0.0) -> dict[str, torch.Tensor]:
    """Weights for a `StandIn`; its positional encoding is random, with the standard deviation `places`."""
    sizes = {
        "input_net.1.weight": (MODEL_DIM, input_dim),
        "input_net.1.bias": (MODEL_DIM,),
        "transformer.weight": (MODEL_DIM, MODEL_DIM),
        "transformer.bias": (MODEL_DIM,),
        "output_net.0.weight": (MODEL_DIM, MODEL_DIM),
        "output_net.0.bias": (MODEL_DIM,),
        "output_net.1.weight": (MODEL_DIM,),
        "output_net.1.bias": (MODEL_DIM,),
        "output_net.4.weight": (num_classes, MODEL_DIM),
        "output_net.4.bias": (num_classes,),
        "positional_encoding.pe": (1, 17, MODEL_DIM),
    }
    weights = {name: torch.randn(size, generator=generator) for name, size in sizes.items()}
    weights["positional_encoding.pe"] *= places
    return weights


def loss_on(student, model: nn.Module, batch, training: bool = False) -> dict:
    """What `student(model, batch)` gives, and whether the model was only ever called in its own mode.

    In `training`, also a gradient, whether the loss is a tensor, and whether the accuracy is free of any gradient.
    """
    modes = set()
    model.train(training).register_forward_pre_hook(
        lambda module, _: modes.update(part.training for part in module.modules())
    )
    returned = several(call(student, model=model, batch=batch), "loss", "accuracy")
    found = returned | {"mode_kept": modes <= {training}}
    if not training:
        return found
    loss, weight = returned["loss"], next(model.parameters())
    connected = isinstance(loss, torch.Tensor) and loss.requires_grad
    gradient = torch.autograd.grad(loss, weight, allow_unused=True)[0] if connected else None
    return found | {
        "gradient": torch.zeros_like(weight) if gradient is None else gradient,
        "loss_is_tensor": isinstance(loss, torch.Tensor),
        "loss_follows": connected,
        "accuracy_detached": not getattr(returned.get("accuracy"), "requires_grad", False),
    }
