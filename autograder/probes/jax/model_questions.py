"""The questions that the modules of stage 22 are asked.

Each gets the module, torch's weights, its inputs, how it is told to train, and stand-ins of its parts.
"""

import random
from dataclasses import dataclass, field, replace
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from flax import nnx

from autograder.probes.calling import call
from autograder.probes.jax.keys import draws_noted
from autograder.probes.jax.modules import Module, name_in_flax, refuse_other_names, weights_in_flax
from autograder.probes.jax.rngs import rngs_of
from autograder.probes.jax.stand_ins import (
    Called,
    Heard,
    add_drawn,
    add_where_told,
    ones_and_attention,
)
from autograder.probes.jax.transforms import called, traced

PLACES = "x mask add_positional_encoding deterministic rngs"


@dataclass(frozen=True)
class Noise:
    """How a call is told that it trains; unless it does, nothing is said, or it gets `keys alone`."""

    training: bool | str = False
    seed: int = 1
    key: jax.Array | None = field(default=None, compare=False)  # of this seed, and made before anything is traced

    def __call__(self) -> dict:
        """The named arguments of a call."""
        if self.training == "keys alone":
            return {"rngs": rngs_of(dropout=self.key)}
        return {"deterministic": False, "rngs": rngs_of(dropout=self.key)} if self.training else {}


SILENT = Noise()


def _keys_of(noise: Noise) -> Noise:
    """The keys alone, where the module isn't told to train."""
    return replace(noise, training="keys alone")


def _parameters(module, weights, inputs, noise, parts):
    """They have the names and sizes of the weights, or a `ParameterMismatch` is raised."""
    refuse_other_names(module, weights_in_flax(weights))
    number = sum(int(np.prod(shape)) for shape in module.shapes.values())
    return {"number of parameters": number, "only_params": all(module.learned)}


def _distinct(module, weights, inputs, noise, parts):
    found = _parameters(module, weights, inputs, noise, parts)
    return {"distinct": len(module.names), "only_params": found["only_params"]}


def _draws(module, weights, inputs, noise, parts):
    """Whether the constructor draws from the keys that it is given: how many kernels don't depend on them.

    And what each kernel begins with, in an order that doesn't depend on names.
    """
    sizes = zip(module.names, module.shapes.values(), module.drawn, strict=True)
    kernels = {name: drawn for name, shape, drawn in sizes if len(shape) == 2}
    start = module.start(*kernels)
    first = min((kernel.size for kernel in start.values()), default=0)
    return {
        "draws": any(kernels.values()),
        "undrawn": sum(not drawn for drawn in kernels.values()),
        "start": np.array(sorted(kernel.ravel()[:first].tolist() for kernel in start.values()), np.float32),
    }


def _start(module, weights, inputs, noise, parts):
    """What the feed-forwards of the layers begin with, [layers, in, out]."""
    names = [name for name in module.names if name.endswith("linear_in.kernel")]
    return {"kernels": np.stack([*module.start(*names).values()])}


def _say(module, inputs, noise, parts, way=called):
    flags = {name: value for name, value in inputs.items() if isinstance(value, bool)}
    arrays = {name: value for name, value in inputs.items() if name not in flags}

    def told(layer, arrays):
        return {"output": call(layer, PLACES, **arrays, **flags, **noise())}

    return module.run(told, arrays, parts=parts, way=way, question=("output", *flags.items(), noise))


def _output(module, weights, inputs, noise, parts, way=called):
    return _say(module, inputs, noise, parts, way)


def _again(module, weights, inputs, noise, parts):
    """Of a second call, traced on its own, when Python's and NumPy's generators have moved on.

    And whether each of its draws has a key of its own.
    """
    _say(module, inputs, noise, parts)
    random.random(), np.random.random()  # noqa: NPY002 (the global one)
    with draws_noted() as drawn:
        found = _say(module, inputs, noise, parts)
    return found | {"own_keys": len({*drawn}) == len(drawn)}


def _twice(module, weights, inputs, noise, parts):
    found = _say(module, inputs, noise, parts)["output"]
    again = _say(module, inputs, noise, parts)["output"]
    rates = [part.rate for _, part in nnx.iter_modules(_concrete(module)) if isinstance(part, nnx.Dropout)]
    return {"output": found, "second": again, "again": again, "rates": np.array([min(rates), max(rates)])}


def _random(module, weights, inputs, noise, parts):
    """Whether something drops, by a comparison with the deterministic call; and whether it does with keys alone."""
    dropped, guessed, whole = (
        np.asarray(_say(module, inputs, told, parts)["output"]) for told in (noise, _keys_of(noise), SILENT)
    )
    return {"random": bool(abs(dropped - whole).max() > 1e-3), "guessed": bool(abs(guessed - whole).max() > 1e-3)}


def _norms(block, weights, inputs, noise, parts):
    """Also what its two norms alone make of x."""
    norm1, norm2 = block.part("norm1"), block.part("norm2")
    norms = block.run(lambda layer, x: getattr(layer, norm2)(getattr(layer, norm1)(x)), inputs["x"])
    return _output(block, weights, inputs, noise, parts) | {"norms": norms}


def _afterwards(module, weights, inputs, noise, parts):
    """After a call with the first sample backwards, one token shorter, and a mask of the diagonal."""

    def twice(layer, x):
        call(layer, PLACES, **_something_else(x))
        return call(layer, PLACES, x=x)

    return {"output": module.run(twice, inputs["x"])}


def _inside(block, weights, inputs, noise, parts):
    """With the dropout of the feed-forward alone: the block's own is turned off."""

    def call_it(layer, x):
        for part in [part for part in vars(layer).values() if isinstance(part, nnx.Dropout)]:
            part.rate = 0.0
        return call(layer, PLACES, x=x, **noise())

    return {"output": block.run(call_it, inputs["x"])}


def _masks(block, weights, inputs, noise, parts):
    """What the two dropouts make of ones: the sub-layers return ones, x is 0, and the norms do nothing."""
    seen = []

    def keep(x):
        seen.append(x)
        return x

    parts = {"self_attn": Called(ones_and_attention), "linear_net": Called(lambda x, *_, **__: jnp.ones_like(x))}
    parts |= {"norm1": keep, "norm2": keep}

    def call_it(layer, x):
        seen.clear()
        call(layer, PLACES, x=0 * x, **noise())
        if len(seen) != 2:
            raise LookupError(f"norm1 and norm2 were called {len(seen)} times in all, expected 2")
        return {"first": seen[0], "second": seen[1] - seen[0]}

    return block.run(call_it, inputs["x"], parts=parts)


def _told(encoder, weights, inputs, noise, parts):
    """How many of its layers are told to train, and given keys: each is replaced by one that adds 1 where it is.

    And whether one is told to train that gets keys alone.
    """
    parts = {str(place): Called(add_where_told) for place in range(encoder.layers)}
    output = _say(encoder, inputs, noise, parts)["output"]
    silent = _say(encoder, inputs, _keys_of(noise), parts)["output"]
    told, guessed = (np.asarray(found) - np.asarray(inputs["x"]) for found in (output, silent))
    return {"output": output, "told": told[0, 0, 1], "guessed": bool(guessed[0, 0, 1] > 0.5)}


def _keys_of_layers(encoder, weights, inputs, noise, parts):
    """What each of its layers draws."""
    parts = {str(place): Called(partial(add_drawn, place)) for place in range(encoder.layers)}
    drawn = np.asarray(_say(encoder, inputs, noise, parts)["output"]) - np.asarray(inputs["x"])
    return {"drawn": drawn[0, 0, : encoder.layers]}


def _encoder_told(model, weights, inputs, noise, parts):
    """Whether the transformer is told to train, and given keys: it is replaced by one that adds 1 where it is."""
    encoder = Called(add_where_told)
    encoder.layers = [encoder]  # for a model that calls them itself
    parts = {"transformer": encoder}
    found, silent = (_say(model, inputs, how, parts)["output"] for how in (noise, SILENT))
    return {"output": found, "told": bool(abs(np.asarray(found) - np.asarray(silent)).max() > 1e-3)}


def _encoder_drops(model, weights, inputs, noise, parts):
    """Whether something drops inside the transformer: what comes out of it is what output_hidden is given."""
    hidden = model.part("output_hidden")

    def out_of_it(layer, x, told):
        own = getattr(layer, hidden)
        setattr(layer, hidden, heard := Heard(own))
        call(layer, PLACES, x=x, **told())
        setattr(layer, hidden, own)
        return heard.given[0]

    dropped, whole = (model.run(partial(out_of_it, told=told), inputs["x"]) for told in (noise, SILENT))
    return {"drops": bool(abs(np.asarray(dropped) - np.asarray(whole)).max() > 1e-3)}


def _maps(module, weights, inputs, noise, parts, before=None):
    """[layers, B, h, T, T]"""
    flags = {name: value for name, value in inputs.items() if isinstance(value, bool)}
    arrays = {name: value for name, value in inputs.items() if name not in flags}

    def ask(layer, arrays):
        if before:
            before(layer, arrays["x"])
        return {"maps": jnp.stack(list(call(layer.get_attention_maps, PLACES, **arrays, **flags)))}

    return module.run(ask, arrays, question=("maps", before, *flags.items()))


def _maps_afterwards(module, weights, inputs, noise, parts):
    """After the maps of something else."""

    def other(layer, x):
        call(layer.get_attention_maps, PLACES, **_something_else(x))

    return _maps(module, weights, inputs, noise, parts, other)


def _gradients(module, weights, inputs, noise, parts):
    """What comes back to the parameters of the contract and to x, as torch's probes report it."""

    learned = {n: leaf for n, leaf in enumerate(module.leaves) if jnp.issubdtype(leaf.dtype, jnp.floating)}

    def weighed(learned, x):
        held = replace(module, leaves=[learned.get(n, leaf) for n, leaf in enumerate(module.leaves)])
        output = held.run(lambda layer, x: call(layer, PLACES, x=x), x, way=lambda f, *given: f(*given))
        ramp = jnp.linspace(-1, 2, output.size, dtype=output.dtype).reshape(output.shape)
        return (output * ramp).sum(), output

    (of_leaves, of_x), output = called(jax.grad(weighed, (0, 1), has_aux=True), learned, inputs["x"])
    own = {module.names[n]: np.asarray(leaf) for n, leaf in of_leaves.items()}
    back = [own.get(module.counterparts.get(name_in_flax(name))) for name in sorted(weights)]
    sizes = [-1.0 if leaf is None else float(abs(leaf).max()) for leaf in back]
    norms = [-1.0 if leaf is None else float(np.sqrt((leaf.astype(np.float64) ** 2).sum())) for leaf in back]
    reaches_any = max(sizes, default=0) > 0  # a module without parameters leaves none out, and yet reaches none
    unreached = sum(size == 0 for size in sizes) if reaches_any else len(sizes)
    found = {"gradients": np.array(sizes), "norms": np.array(norms), "of_x": of_x}
    return found | {"output": output, "unreached": unreached}


def _something_else(x) -> dict:
    """The first sample backwards and one token shorter, and a mask [1, 1, T, T] of the diagonal."""
    return {"x": x[:1, ::-1][:, :-1], "mask": jnp.eye(x.shape[1] - 1, dtype=bool)[None, None]}


def _concrete(module: Module):
    return nnx.merge(module.graph, jax.tree.unflatten(module.structure, module.leaves))


ASK = {
    "parameters": _parameters,
    "state": _parameters,
    "published": _output,
    "distinct parameters": _distinct,
    "draws": _draws,
    "start": _start,
    "output": _output,
    "jit": partial(_output, way=traced),
    "again": _again,
    "twice": _twice,
    "random": _random,
    "norms": _norms,
    "afterwards": _afterwards,
    "inside": _inside,
    "masks": _masks,
    "told": _told,
    "keys of layers": _keys_of_layers,
    "encoder told": _encoder_told,
    "encoder drops": _encoder_drops,
    "maps": _maps,
    "maps afterwards": _maps_afterwards,
    "gradients": _gradients,
}
