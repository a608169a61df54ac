"""Stage 22: the encoder and the predictor as flax modules, asked the questions that torch's are asked.

Where the wiring of a block or of a stack is looked at, its parts are replaced by stand-ins: so a mistake in one
exercise does not count again in the next.
"""

import jax
import numpy as np

from autograder.probes.calling import call
from autograder.probes.jax.model_questions import ASK, SILENT, Noise
from autograder.probes.jax.modules import Module, build, weights_in_flax
from autograder.probes.jax.stand_ins import (
    mixing,
    tokenwise,
)
from autograder.probes.jax.track import key_of, tensor
from autograder.probes.jax.transforms import called, traced

BLOCK = "input_dim num_heads dim_feedforward dropout rngs"
PREDICTOR = "input_dim model_dim num_classes num_heads num_layers dropout input_dropout rngs"
NOT_HERE = ("lr", "warmup", "max_iters")  # of torch's predictor: its optimiser is told


def jax_PositionalEncoding(student, arguments, x=None, ask="table"):
    """What `ask` names, of a module with these arguments; x [B, T, d_model]."""
    module = build(student, "d_model max_len", arguments)
    width, rows = arguments["d_model"], arguments.get("max_len", 5000)
    if ask == "state":
        return {"leaves": len(module.names), "params": sum(module.learned)}
    if ask == "output":
        return {"output": _of(module, x)}
    if ask == "gradients":
        weigh = np.linspace(1, 2, x.size, dtype=np.float32).reshape(x.shape)
        return {"of_x": module.run(lambda layer, x: jax.grad(lambda x: (call(layer, x=x) * weigh).sum())(x), x)}
    if x is None:
        table = _of(module, tensor(np.zeros((1, rows, width))))
        return {"ends": table[..., [0, 1, -2, -1], :]} if ask == "ends" else {"table": table}
    if ask == "afterwards":
        return _added(module, lambda layer, x: [call(layer, x=x[:1, :-1]), call(layer, x=x)][1], x)
    return _added(module, lambda layer, x: call(layer, x=x), x, traced if ask == "jit" else called)


def _of(module: Module, x):
    return module.run(lambda layer, x: call(layer, x=x), x, question="output")


def _added(module: Module, function, x, way=called):
    own, again = (np.asarray(_of(module, tensor(np.zeros((1, *x.shape[1:]))))[0]) for _ in range(2))
    steady = np.array_equal(own, again)
    return {"added": module.run(function, x, way=way) - np.asarray(x), "own": own, "steady": steady}


def jax_EncoderBlock(
    student, arguments, weights=None, x=None, mask=None, ask="output", training=False, parts=None, seed=1
):
    """x [B, T, d] → output [B, T, d], or the answer to another question; with `parts`, stand-ins of these weights."""
    module = _built(student, BLOCK, arguments, weights)
    stand_ins = {name: mixing(w) if name == "self_attn" else tokenwise(w) for name, w in (parts or {}).items()}
    return ASK[ask](module, weights, _given(x, mask), _noise(training, seed), stand_ins)


def jax_TransformerEncoder(
    student, arguments, weights=None, x=None, mask=None, ask="output", training=False, parts=None, seed=1
):
    """x [B, T, d] → output [B, T, d], or the answer to another question; with `parts`, its blocks are stand-ins."""
    module = _built(student, f"num_layers {BLOCK}", arguments, weights)
    stand_ins = {place: mixing(weight) for place, weight in (parts or {}).items()}
    return ASK[ask](module, weights, _given(x, mask), _noise(training, seed), stand_ins)


def jax_TransformerPredictor(student, arguments, weights=None, ask="output", training=False, seed=1, **inputs):
    """x [B, T, d_in], perhaps a mask and more → output [B, T, classes], or the answer to another question."""
    arguments = {name: value for name, value in arguments.items() if name not in NOT_HERE}
    module = _built(student, PREDICTOR, arguments, weights)
    return ASK[ask](module, weights, inputs, _noise(training, seed), {})


def _built(student, order, arguments, weights) -> Module:
    return build(student, order, arguments, weights_in_flax(weights or {}))


def _given(x, mask) -> dict:
    return {"x": x} | ({} if mask is None else {"mask": mask})


def _noise(training: bool | str, seed: int) -> Noise:
    return Noise(training, seed, key_of(seed)) if training else SILENT
