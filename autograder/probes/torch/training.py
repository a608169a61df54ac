"""Stage 06: a schedule, the predictor of the tasks, and one step of training."""

import inspect
import math
from functools import partial
from itertools import count

import numpy as np
import torch
from torch import nn

from autograder.probes.calling import call, several
from autograder.probes.side_effects import side_effects
from autograder.probes.torch.modules import build, differ, dropouts, load_matching_weights

PREDICTOR = "x mask add_positional_encoding"
ARGUMENTS = "input_dim model_dim num_classes num_heads num_layers lr warmup max_iters dropout input_dropout"


def CosineWarmupScheduler(student, rates, warmup, max_iters):
    """Base rates [groups] → the `table` of rates at the iterations 0 to max_iters, [max_iters + 1, groups].

    The rates of the first group also come in two parts, the `climb` [warmup] before `warmup` and the `fall` from there
    on, and with whether all rates are plain numbers. Without warm-up, the `fall` from t = 1 on, and whether the rate
    `moves` between t = 1 and the middle of the run: other mistakes show in other cases.
    """
    parameters = [nn.Parameter(torch.zeros(1)) for _ in rates]
    groups = [{"params": [parameter], "lr": rate} for parameter, rate in zip(parameters, rates, strict=True)]
    optimizer = torch.optim.SGD(groups, lr=0.6)  # a default that no group has
    for parameter in parameters:
        parameter.grad = torch.ones(1)
    with side_effects(None, {"optimizer": parameters}):
        scheduler = call(student, optimizer=optimizer, warmup=warmup, max_iters=max_iters)
    table, numbers = [_rates(optimizer)], [_are_numbers(optimizer)]
    for _ in range(max_iters):
        optimizer.step()
        with side_effects(None, {"optimizer": parameters}):
            scheduler.step()
        table.append(_rates(optimizer))
        numbers.append(_are_numbers(optimizer))
    table = torch.stack(table)
    if not warmup:
        return {"moves": bool((table[1] != table[max_iters // 2]).any()), "fall": table[1:, 0]}
    return {"table": table, "climb": table[:warmup, 0], "fall": table[warmup:, 0], "are_numbers": all(numbers)}


def TransformerPredictor(student, arguments, weights, ask="output", training=False, **inputs):
    """x [B, T, d_in], perhaps a mask and add_positional_encoding → output [B, T, classes]; with `ask`, something else.

    The output with the "published" parameters and no others (else other ones get numbers of their own); that of two
    calls, "twice", with what the output network reads when everything is "dropped", and whether they differ at
    "random", each with the probabilities of its dropouts; the attention "maps" of every layer, [layers, B, h, T, T];
    the output, and how many parameters its "gradients" do not reach; the "hyper_parameters", in the order of the
    contract.
    """
    put_weights = build if ask == "published" else load_matching_weights
    model = put_weights(partial(_with_rates, student), arguments, weights).train(training)
    torch.default_generator.manual_seed(1)
    return ASK[ask](model, inputs)


def _output(model, inputs):
    return {"output": call(model, PREDICTOR, **inputs)}


def _twice(model, inputs):
    output, again = call(model, PREDICTOR, **inputs), call(model, PREDICTOR, **inputs)
    return {"output": output, "again": again, "dropouts": dropouts(model, outside="input_net")}


def _dropped(model, inputs):
    """The output and that of another call, and what the output network reads, if it is called as a whole."""
    read = {}
    model.output_net.register_forward_pre_hook(lambda part, given: read.update(read=given[0]))
    return _twice(model, inputs) | read


def _random(model, inputs):
    found = _twice(model, inputs)
    return {"random": differ(found["output"], found["again"]), "dropouts": found["dropouts"]}


def _maps(model, inputs):
    with side_effects(model, {}):
        maps = call(model.get_attention_maps, PREDICTOR, **inputs)
    return {"maps": torch.stack([torch.as_tensor(attention) for attention in maps])}


def _gradients(model, inputs):
    output = call(model, PREDICTOR, **inputs)
    if output.requires_grad:
        ramp = torch.linspace(-1, 2, output.numel(), dtype=output.dtype).reshape(output.shape)
        (output * ramp).sum().backward()
    return {"output": output, "unreached": sum(parameter.grad is None for parameter in model.parameters())}


def _hyper_parameters(model, inputs):
    return {"hyper_parameters": np.array([model.hyper_parameters[name] for name in ARGUMENTS.split()])}


ASK = {
    "output": _output,
    "published": _output,
    "twice": _twice,
    "random": _random,
    "dropped": _dropped,
    "maps": _maps,
    "gradients": _gradients,
    "hyper_parameters": _hyper_parameters,
}


def _with_rates(student, **arguments):
    """Build a predictor; one that asks for lr, warmup and max_iters gets them."""
    try:
        inspect.signature(student).bind(**arguments)
    except TypeError:
        arguments = {"lr": 0.003, "warmup": 11, "max_iters": 170} | arguments
    return call(student, ARGUMENTS, **arguments)


def train_step(
    student, weights, x, y, rates, max_norm, steps=1, stale=None, soft_accuracy=False, accuracy=None, nan=False
):
    """Train a small network on x [B, 5], y [B] for some steps.

    Returns the weights after them, one vector; the rates after every step, [steps, groups]; and, if there are
    any, the loss and accuracy of every step, [steps], and whether they are tensors and detached from the graph. The
    gradients start as `stale`, if given. With a `soft_accuracy`, which is attached to the graph as the loss is, only
    whether the results are detached. With an `accuracy`, loss_fn always returns this one. If the loss is a `nan`, only
    the rates.
    """
    model = _Network(weights)
    if stale is not None:
        for name, parameter in model.named_parameters():
            parameter.grad = stale[name]
    groups = [{"params": list(layer.parameters()), "lr": rate} for layer, rate in zip(model, rates, strict=True)]
    optimizer = torch.optim.SGD(groups, momentum=0.5, weight_decay=0.2)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda t: 1 / (1 + t))
    came_back, table = [], []

    def loss_fn(model, batch):
        x, y = batch
        misses = model(x).squeeze(-1) - y  # [B]
        another = math.nan if nan else 0.3 * next(passes)  # a second pass returns something else, as with dropout
        loss, closeness = misses.square().mean() + another, (1 / (1 + misses.abs())).mean() + another
        if accuracy is not None:
            return loss, torch.full_like(closeness, accuracy)
        return loss, closeness if soft_accuracy else closeness.detach()

    given = {"model": model, "batch": (x, y), "loss_fn": loss_fn, "optimizer": optimizer, "scheduler": scheduler}
    for _ in range(steps):
        passes = count()
        came_back.append(call(student, **given, max_norm=max_norm))
        table.append(_rates(optimizer))
    if soft_accuracy:
        return {name: value for name, value in _returned(came_back).items() if name == "detached"}
    if nan:
        return {"rates": torch.stack(table)}
    return {
        "weights": torch.cat([parameter.flatten() for parameter in model.parameters()]),
        "rates": torch.stack(table),
    } | _returned(came_back)


def _rates(optimizer):
    return torch.tensor([float(group["lr"]) for group in optimizer.param_groups], dtype=torch.float64)


def _are_numbers(optimizer):
    return not any(isinstance(group["lr"], torch.Tensor) for group in optimizer.param_groups)


def _returned(came_back):
    """The losses and accuracies of all steps, [steps], as far as they came back; else whether `nothing` did."""
    try:
        steps = [several(each, "losses", "accuracies") for each in came_back]
        found = {name: torch.stack([torch.as_tensor(step[name]).detach() for step in steps]) for name in steps[0]}
    except (TypeError, ValueError, RuntimeError):
        return {"nothing": all(returned is None for returned in came_back)}
    values = [value for step in steps for value in step.values()]
    return found | {
        "detached": not any(getattr(value, "requires_grad", False) for value in values),
        "are_tensors": all(isinstance(value, torch.Tensor) for value in values),
    }


class _Network(nn.Sequential):
    """Two layers, [B, 5] → [B, 1]."""

    def __init__(self, weights):
        hidden, width = weights["0.weight"].shape
        super().__init__(nn.Linear(width, hidden), nn.Linear(hidden, 1))
        self.to(weights["0.weight"].dtype).load_state_dict(weights)

    def forward(self, x):
        first, last = self
        return last(torch.tanh(first(x)))
