"""Stage 23: a schedule, two losses on a model with known weights, one step of training, and an epoch as a scan."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx
from jax.errors import JAXTypeError

from autograder.probes.calling import call, several
from autograder.probes.jax.track import key_of, tensor
from autograder.probes.jax.transforms import called, program_of, traced
from course_lib.jax.training import TrainState

WAYS = {"call": called, "jit": traced}
LOSS = "model batch num_classes deterministic rngs"
PARAMS = ("0.weight", "0.bias", "1.weight", "1.bias")  # of the network that is trained, in torch's order
MOMENTUM, DECAY = 0.5, 0.2  # of the optimiser that torch's cases have


def jax_cosine_warmup_schedule(student, rates, warmup, max_iters, ask="call"):
    """Base rates [groups] → the `table` of rates at the steps 0 to max_iters, [max_iters + 1, groups].

    Those of the first group in two parts: the `climb` [warmup], and the `fall` from there on. Without warm-up only
    whether the rate `moves`, and its ends. With `ask="jit"` the steps are traced, and vmapped.
    """
    made = [call(student, "base_lr warmup max_iters", base_lr=r, warmup=warmup, max_iters=max_iters) for r in rates]
    steps = tensor(np.arange(max_iters + 1))
    if ask == "jit":
        one = traced(made[0], tensor(np.array(max_iters // 2)))
        return {"table": np.stack([traced(jax.vmap(rate), steps) for rate in made], axis=1), "one": one}
    found = [[rate(step) for step in range(max_iters + 1)] for rate in made]
    table = np.array(found, dtype=np.float32).T
    if not warmup:
        moves = bool((table[1] != table[max_iters // 2]).any())
        return {"moves": moves, "first": table[0, 0], "fall": table[1:, 0], "last": table[-1, 0]}
    scalars = all(getattr(one, "dtype", None) == jnp.float32 and one.shape == () for row in found for one in row)
    return {"table": table, "climb": table[:warmup, 0], "fall": table[warmup:, 0], "are_numbers": scalars}


def jax_reverse_loss(student, weights, tokens, targets, training=False, ask="call"):
    """tokens, targets [B, T] → loss and accuracy on a stand-in for the predictor that holds `weights`."""
    width = weights["input_net.1.weight"].shape[1]
    more = {} if width == 10 else {"num_classes": width}
    return _loss_on(student, weights, (tokens, targets), ask, training, more)


def jax_anomaly_loss(student, weights, sets, target, training=False, ask="call"):
    """sets [B, S, D], target [B] → loss and accuracy on a stand-in for the predictor that holds `weights`."""
    return _loss_on(student, weights, (sets, target), ask, training, {})


def _loss_on(student, weights, batch, ask, training, more):
    """What `student(model, batch)` gives; in `training` also a gradient.

    `ask`: `told`, where the model is told to train; `keys alone`, where there are keys and it isn't.
    """

    def look(weights, batch):
        return several(call(student, LOSS, model=partial(_model, weights), batch=batch, **more), *OUTPUTS)

    if ask in ("told", "keys alone"):
        key = key_of(3)

        def told(weights, batch):
            rngs = nnx.Rngs(dropout=key)
            noise = {"deterministic": ask == "keys alone", "rngs": rngs}
            model = partial(_model, weights, given=rngs, undrawn=rngs.dropout.count[...])
            return several(call(student, LOSS, model=model, batch=batch, **more, **noise), *OUTPUTS)

        return called(told, weights, batch)
    found = WAYS[ask](look, weights, batch) | {"mode_kept": True}  # a pure model has no mode
    if not training:
        return found
    first = "input_net.1.weight"
    back = called(jax.grad(lambda w: look(weights | {first: w}, batch)["loss"] * jnp.float32(1)), weights[first])
    flags = {"loss_is_tensor": True, "loss_follows": bool(np.any(back)), "accuracy_detached": True}  # as torch's have
    return found | flags | {"gradient": back}


OUTPUTS = ("loss", "accuracy")


def _model(weights, x, mask=None, add_positional_encoding=True, *, deterministic=True, rngs=None, **noise):
    """As torch's stand-in computes it; told to train, it says the opposite, and more loudly with foreign keys."""
    if x.dtype != jnp.float32:
        raise TypeError(f"the model takes float32 with three axes, but got {x.dtype} {list(x.shape)}")
    x = x @ weights["input_net.1.weight"].T + weights["input_net.1.bias"]  # [B, T, d]
    if add_positional_encoding:
        x = x + weights["positional_encoding.pe"][:, : x.shape[1]]
    mean = x.mean(1, keepdims=True)
    x = x + 2 * jnp.tanh(mean @ weights["transformer.weight"].T + weights["transformer.bias"])
    x = x @ weights["output_net.0.weight"].T + weights["output_net.0.bias"]
    centred = x - x.mean(-1, keepdims=True)
    x = centred / jnp.sqrt(jnp.square(centred).mean(-1, keepdims=True) + 1e-5)
    x = jnp.tanh(x * weights["output_net.1.weight"] + weights["output_net.1.bias"])
    logits = x @ weights["output_net.4.weight"].T + weights["output_net.4.bias"]
    if deterministic:
        return logits
    if not isinstance(rngs, nnx.Rngs):
        return -3 * logits
    return (-2 if _are_given(rngs, **noise) else -4) * logits


def _are_given(rngs: nnx.Rngs, given: nnx.Rngs | None = None, undrawn: jax.Array | None = None) -> bool:
    """Whether these keys are the given ones, or were drawn from them."""
    return given is None or rngs is given or given.dropout.count[...] is not undrawn


def jax_train_step(student, weights, x, y, rates, max_norm, steps=1, ask="values", **_):
    """Train a small network on x [B, 5], y [B] for some steps.

    Returns the weights after them, one vector; the loss and accuracy of every step; and the counts that the state and
    the optimiser keep. `ask="keys"`: the keys that the state has and that the loss gets, as numbers, from two keys to
    begin with; the step is traced once, as under `jax.jit`.
    """
    optimizer = _optimizer(rates, max_norm, 0 if ask == "keys" else DECAY)
    calls, kinds = [], []

    def loss_fn(params, batch, key):
        calls.append(key)
        x, y = batch
        hidden = jnp.tanh(x @ params["0.weight"].T + params["0.bias"])
        misses = (hidden @ params["1.weight"].T + params["1.bias"])[..., 0] - y  # [B]
        closeness = (1 / (1 + jnp.abs(misses))).mean()
        return jnp.square(misses).mean(), jax.random.key_data(key) if ask == "keys" else closeness

    def step(state, batch):
        given = {"loss_fn": loss_fn, "optimizer": optimizer, "state": state, "batch": batch}
        state, outputs = call(student, "loss_fn optimizer state batch", **given)
        kinds.append(isinstance(state, TrainState))
        return _as_state(state), several(outputs, "losses", "accuracies")

    def run(params, x, y):
        state, found, table = TrainState(params, optimizer.init(params), jax.random.key(11), jnp.int32(0)), [], []
        for _ in range(steps):
            state, outputs = step(state, (x, y))
            found.append(outputs)
            table.append(jnp.array(rates) / (1 + state.opt_state[-1].count))
        stacked = {name: jnp.stack([one[name] for one in found]) for name in found[0]}
        flat = jnp.concatenate([state.params[name].ravel() for name in PARAMS])
        counts = {"step": state.step, "count": state.opt_state[-1].count}
        return stacked | counts | {"weights": flat, "rates": jnp.stack(table)}

    if ask == "keys":
        try:
            return called(partial(_keys_seen, jax.jit(step), optimizer, steps), weights, x, y)
        except JAXTypeError:  # it asks for values, which costs points elsewhere
            return called(partial(_keys_seen, step, optimizer, steps), weights, x, y)
    result = (traced if ask == "jit" else called)(run, weights, x, y)
    graph = {"detached": True, "are_tensors": True}  # there is none here; torch's answers have these
    return result | graph | {"are_states": all(kinds)} | ({} if ask == "jit" else {"looked": len(calls) / steps})


def _keys_seen(step, optimizer, steps, params, x, y):
    """The keys that the states have and that the loss gets, as numbers, in some steps from each of two keys."""
    found = {}
    for seed, of_state, of_loss in ((11, "state_keys", "used"), (12, "other_state_keys", "used_by_other")):
        state = TrainState(params, optimizer.init(params), jax.random.key(seed), jnp.int32(0))
        keys, used = [state.key], []
        for _ in range(steps):
            state, outputs = step(state, (x, y))
            keys.append(state.key)
            used.append(outputs["accuracies"])
        found |= {of_state: jnp.stack([jax.random.key_data(key) for key in keys]), of_loss: jnp.stack(used)}
    return found


def _as_state(parts) -> TrainState:
    """A state of another kind, such as a tuple or a dict of its parts, as a TrainState."""
    if isinstance(parts, TrainState):
        return parts
    return TrainState(**parts) if isinstance(parts, dict) else TrainState(*parts)


def _optimizer(rates, max_norm, decay):
    """Clipping by the norm of all, decay, momentum, and a rate for each layer, divided by 1 + t.

    Decay asks for the parameters; without it an answer that forgets them can show what it does with its keys.
    """

    def by_layer(updates, state, params=None):
        scaled = {name: -rates[int(name[0])] * leaf for name, leaf in updates.items()}
        return scaled, state

    return optax.chain(
        optax.clip_by_global_norm(max_norm),
        optax.add_decayed_weights(decay) if decay else optax.identity(),
        optax.trace(MOMENTUM),
        optax.GradientTransformation(lambda params: optax.EmptyState(), by_layer),
        optax.scale_by_schedule(lambda t: 1 / (1 + t)),
    )


BEGUN = 3  # steps that the state has counted before the first epoch


def jax_train_epoch(student, rows, batch_size, seed=5, epochs=1, ask="call"):
    """rows [N] → the rows of every batch, [n, batch_size], of the last of some epochs, and what the steps saw.

    The first and the last leaf of the data have two axes.
    """
    calls, programs = [], []

    def step(state, batch):
        calls.append(None)
        key, used = jax.random.split(state.key)
        outputs = batch | {"keys": jax.random.key_data(used), "number": state.step}
        outputs["before"] = jax.random.key_data(state.key)
        marked = jnp.expm1(batch["rows"] * 0)  # no answer has a use for it, so it counts the copies of a step
        total = state.params + (batch["rows"] + marked).sum()
        return TrainState(total, state.opt_state, key, state.step + 1), outputs

    def run(rows):
        numbers = jnp.arange(len(rows), dtype=jnp.int32)
        data = {"numbers": numbers[:, None] + 100 * jnp.arange(2), "rows": rows}
        data["twice"] = 2 * rows[:, None] * jnp.ones((1, 3))
        state = TrainState(jnp.float32(0), (), jax.random.key(seed), jnp.int32(BEGUN))
        for _ in range(epochs):
            begun = state
            given = {"step": step, "state": state, "data": data, "batch_size": batch_size}
            state, outputs = call(student, "step state data batch_size", **given)
        found = {name: outputs[name] for name in ("numbers", "rows", "twice")}
        if outputs["before"].ndim != 2 or not len(outputs["before"]):  # no key for each step: the rest means nothing
            return found
        drawn, before = outputs["rows"].ravel(), outputs["before"]
        again = (before[:, None] == before).all(-1).sum()
        return found | {
            "params": state.params,
            "step": state.step,
            "order_of_steps": outputs["number"],
            "own_keys": again == len(before),
            "fresh_key": jnp.any(outputs["before"][0] != jax.random.key_data(begun.key)),
            "end_key": jnp.any(jax.random.key_data(state.key) != jax.random.key_data(begun.key)),
            "other_order": _differ(drawn, jax.random.permutation(jax.random.wrap_key_data(before[0]), rows)),
            "new_order_key": _differ(drawn, jax.random.permutation(begun.key, rows)),
        }

    def noted(function, *arguments):
        program, structure = program_of(function, *arguments)
        programs.append(program.jaxpr)
        return program, structure

    if ask == "jit":
        return traced(run, rows)
    found = called(run, rows, trace=noted)
    copies = [_times("expm1", program) for program in programs]
    return found | {"traces": len(calls) / epochs, "copies": max(copies, default=0) / epochs}


def _differ(order, other):
    """Whether two orders of rows differ, as far as both go."""
    length = min(order.size, other.size)
    return jnp.any(order[:length] != other[:length])


def _times(name: str, program) -> int:
    """How often an operation appears in a program, those inside of scans, branches and calls included."""
    inner = (part for step in program.eqns for part in jax.tree.leaves([*step.params.values()]))
    jaxprs = (getattr(part, "jaxpr", part) for part in inner)
    return sum(step.primitive.name == name for step in program.eqns) + sum(
        _times(name, part) for part in jaxprs if hasattr(part, "eqns")
    )
