"""Stage 08: splits and sets as they were drawn, and the loss on a model with known weights."""

import torch

from autograder.probes.calling import several
from autograder.probes.torch.stand_in import StandIn, loss_on


def split_per_class(student, labels, per_class):
    """labels [N] → picked, rest, and the labels after the call."""
    return several(student(labels, per_class), "picked", "rest") | {"labels": labels}


def sample_anomaly_sets(
    student, features, labels, anomaly_index, set_size, seed, outputs=("sets", "target", "indices"), compare=False
):
    """The named `outputs` of one draw, in two bytes a number where they fit; with `compare`, those of four draws.

    Those are: the first, the next from the same generator, the first again from a generator in the same
    state, and one from a generator of another seed.
    """
    generator = torch.Generator().manual_seed(seed)
    if not compare:
        named = several(student(features, labels, anomaly_index, set_size, generator), "sets", "target", "indices")
        return named if len(outputs) == 3 else {name: _narrow(named[name]) for name in outputs}
    state, other = generator.get_state(), torch.Generator().manual_seed(seed + 1)
    arguments = (features, labels, anomaly_index, set_size)
    draws = {"first": student(*arguments, generator), "second": student(*arguments, generator)}
    draws["again"] = student(*arguments, generator.set_state(state))
    draws["other"] = student(*arguments, other)
    return {
        f"{name}_{part}": value
        for name, (_, target, indices) in draws.items()
        for part, value in (("target", target), ("indices", indices))
    }


def _narrow(tensor):
    fits = isinstance(tensor, torch.Tensor) and tensor.dtype == torch.int64 and tensor.abs().max() < 2**15
    return tensor.to(torch.int16) if fits else tensor


def anomaly_loss(student, weights, sets, target, training=False):
    """sets [B, S, D], target [B] → loss and accuracy on a `StandIn` that holds `weights`."""
    return loss_on(student, StandIn(weights), (sets, target), training)


def equivariance_error(student, weights, sets, permutation, sees_places=False):
    """sets [B, S, D], permutation [S] → the error, whether it came as a python number, and the mode of the model."""
    model = StandIn(weights, sees_places).eval()
    error = student(model, sets, permutation)
    return {"error": error, "is_number": isinstance(error, float), "mode_kept": not model.training}
