"""Stage 08: splits and sets as they were drawn, and the loss on a model with known weights."""

import torch

from autograder.probes.calling import call, several
from autograder.probes.torch.stand_in import StandIn, loss_on

OUTPUTS = ("sets", "target", "indices")
SAMPLER = "features labels anomaly_index set_size generator"


def split_per_class(student, labels, per_class):
    """labels [N] → picked and rest, each in ascending order: any order is right."""
    found = several(call(student, labels=labels, per_class=per_class), "picked", "rest")
    return {name: _sorted(index) for name, index in found.items()}


def _sorted(index):
    return index.sort().values if isinstance(index, torch.Tensor) and index.ndim == 1 else index


def sample_anomaly_sets(student, seed, outputs=OUTPUTS, compare=False, batch_size=None, **inputs):
    """The named `outputs` of one draw; if only some are wanted, in two bytes per number where they fit.

    With `compare`, those of five draws; with a `batch_size`, those of as many batches as it takes, one after the other.
    """
    if compare:
        return _five_draws(student, inputs, seed)
    generator = torch.Generator().manual_seed(seed)
    if batch_size:
        batches = (inputs | {"anomaly_index": part} for part in inputs["anomaly_index"].split(batch_size))
        parts = [several(call(student, SAMPLER, **batch, generator=generator), *OUTPUTS) for batch in batches]
        return {name: _as_int16(torch.cat([part[name] for part in parts])) for name in outputs}
    drawn = several(call(student, SAMPLER, **inputs, generator=generator), *OUTPUTS)
    return drawn if len(outputs) == len(OUTPUTS) else {name: _as_int16(drawn[name]) for name in outputs}


def _five_draws(student, inputs, seed):
    """Targets and indices of a first draw, of the next two from the same generator (`second`, `third`), of one from a
    generator in the state before the first (`again`), and of one from a generator of another seed (`other`)."""
    generator = torch.Generator().manual_seed(seed)
    sources = {"first": generator, "second": generator, "third": generator}
    sources |= {"again": torch.Generator().manual_seed(seed), "other": torch.Generator().manual_seed(seed + 1)}
    found = {}
    for name, source in sources.items():
        fresh = {key: value.clone() if isinstance(value, torch.Tensor) else value for key, value in inputs.items()}
        _, found[f"{name}_target"], found[f"{name}_indices"] = call(student, SAMPLER, **fresh, generator=source)
    return found


def _as_int16(tensor):
    fits = isinstance(tensor, torch.Tensor) and tensor.dtype == torch.int64 and tensor.abs().max() < 2**15
    return tensor.to(torch.int16) if fits else tensor


def anomaly_loss(student, weights, sets, target, training=False):
    """sets [B, S, D], target [B] → loss and accuracy on a `StandIn` that holds `weights`."""
    return loss_on(student, StandIn(weights), (sets, target), training)


def equivariance_error(student, weights, sets, permutation, sees_places=False):
    """sets [B, S, D], permutation [S] → the error, and whether it came as a Python number."""
    error = call(student, model=StandIn(weights, sees_places).eval(), sets=sets, permutation=permutation)
    return {"error": error, "is_number": isinstance(error, float)}
