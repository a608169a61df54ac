"""Stage 21: attention as pure functions. Each probe calls the student's function and names what it returned."""

import jax
import jax.numpy as jnp
import numpy as np

from autograder.probes.calling import call
from autograder.probes.jax.track import key_of, keys_from, tensor
from autograder.probes.jax.transforms import called, gradients, traced


def jax_scaled_dot_product(student, q, k, v, mask=None, gradient=False, fully_masked_query=None, ask="call"):
    """q [..., L, d_k], k [..., S, d_k], v [..., S, d_v] → values [..., L, d_v], attention [..., L, S].

    With `gradient`, also those of q, k and v. `ask`: how it is called. What a `fully_masked_query` gets is free as
    long as it is a number, so its row is taken out and only whether it is finite is reported.
    """
    given = [x for x in (q, k, v, mask) if x is not None]

    def attend(*given):
        return call(student, **dict(zip(("q", "k", "v", "mask"), given, strict=False)))

    if ask == "float16":
        return _halved(attend, *given)
    found = _values_and_attention(WAYS[ask](attend, *given))
    if fully_masked_query is not None:
        others = [query for query in range(q.shape[-2]) if query != fully_masked_query]
        finite = {"finite": _finite(array[..., fully_masked_query, :] for array in found.values())}
        if gradient:
            back = gradients(lambda *x: _values_and_attention(attend(*x, *given[3:]))["values"], *given[:3])
            finite["finite gradient"] = _finite(back)
        return {name: np.asarray(array)[..., others, :] for name, array in found.items()} | finite
    if gradient:
        back = gradients(lambda *x: _values_and_attention(attend(*x, *given[3:]))["values"], *given[:3])
        found |= {f"gradient_{name}": array for name, array in zip("qkv", back, strict=True)}
    return found


def jax_expand_mask(student, mask, ask="call"):
    """mask [L, S], [B, L, S] or 4-D → mask 4-D."""
    return {"mask": WAYS[ask](lambda mask: call(student, mask=mask), mask)}


def jax_init_attention(student, seed, ask="call", **widths):
    """A seed, which makes the key, and the widths → kernels and biases; with `ask="shapes"`, only their shapes."""

    made = []  # what came back while it was traced

    def init(key):
        made[:] = [call(student, "key input_dim embed_dim num_heads", key=key, **widths)]
        return made[0]

    key = key_of(seed)
    if ask == "ensemble":
        return _as_in_contract(_leaves(called(jax.vmap(init), keys_from(seed, 3))), 1, **widths)
    found = _leaves(WAYS[ask](init, key))
    if ask != "shapes":
        return _as_in_contract(found, 0, **widths)
    are_arrays = all(isinstance(leaf, jax.Array) for leaf in jax.tree.leaves(made[0]))
    return {name: np.array(np.shape(leaf)) for name, leaf in found.items()} | {"are_arrays": are_arrays}


def jax_multihead_attention(student, arguments, weights=None, x=None, mask=None, ask="call"):
    """x [B, T, input_dim] → output [B, T, embed_dim] and attention [B, h, T, T]; see `ASK_LAYER`."""
    if ask == "refusal":
        params = init_zeros(arguments["input_dim"], arguments["embed_dim"])
        call(
            student, params=params, x=tensor(np.ones((2, 5, arguments["input_dim"]))), num_heads=arguments["num_heads"]
        )
        return {}

    def attend(params, x, *mask):
        given = dict(zip(("mask",), mask, strict=False))
        returned = call(student, "params x num_heads mask", params=params, x=x, num_heads=heads, **given)
        return _parts(returned, "output", "attention")

    heads, given = arguments["num_heads"], [x] if mask is None else [x, mask]
    found = ASK_LAYER[ask](attend, tree_of(weights), *given)
    return {"output": found["output"]} if ask in ONLY_OUTPUT else found


def jax_dropout(student, seed, x, rate, ask="call", **told):
    """x [...] → output [...]; with `ask="gradient"`, also the gradient of its sum, and for a tree of keys each mask.

    `told`: nothing, or `deterministic`.
    """

    def drop(key, x):
        return call(student, "key x rate deterministic", key=key, x=x, rate=rate, **told)

    key = None if seed is None else key_of(seed)
    if ask == "bfloat16":
        return {"kept": called(drop, key, x.astype(jnp.bfloat16)).dtype == jnp.bfloat16}
    if ask == "ensemble":
        return {"output": called(jax.vmap(drop, (0, None)), keys_from(seed, 3), x)}
    if ask == "gradient":
        back = called(jax.grad(lambda x: drop(key, x).sum()), x)
        return {"output": called(drop, key, x), "gradient": back}
    return {"output": WAYS[ask](drop, key, x)}


def tree_of(weights: dict) -> dict:
    """The parameters of the contract from torch's: a kernel is the transpose of a weight."""
    layers: dict[str, dict] = {}
    for name, array in weights.items():
        layer, _, part = name.rpartition(".")
        layers.setdefault(layer, {})["kernel" if part == "weight" else part] = tensor(np.asarray(array).T)
    return layers


def init_zeros(input_dim: int, embed_dim: int) -> dict:
    """Parameters of an attention layer, all zero."""
    sizes = {"qkv_proj": (input_dim, 3 * embed_dim), "o_proj": (embed_dim, embed_dim)}
    return {name: {"kernel": tensor(np.zeros(size)), "bias": tensor(np.zeros(size[1]))} for name, size in sizes.items()}


def _ensemble(attend, params, *given):
    """Two layers at once, by vmap over their parameters; what the first one gave."""
    both = jax.tree.map(lambda leaf: tensor(np.stack([leaf, 2 * np.asarray(leaf)])), params)
    found = called(jax.vmap(attend, (0, *(None for _ in given))), both, *given)
    return {name: array[0] for name, array in found.items()}


def _afterwards(attend, params, x, *mask):
    """After a call with the first sample backwards, one token shorter, and a mask of the diagonal."""
    other = tensor(np.asarray(x)[:1, ::-1][:, :-1])
    called(attend, params, other, tensor(np.eye(x.shape[1] - 1, dtype=bool)[None, None]))
    return called(attend, params, x, *mask)


def _sizes_of_gradients(attend, params, x, *mask):
    """The largest entry and the norm of each gradient, in the alphabetical order of torch's names, x included."""

    def weighed(params, x):
        output = attend(params, x, *mask)["output"]
        return (output * jnp.linspace(-1, 2, output.size).reshape(output.shape)).sum()

    of_params, of_x = called(jax.grad(weighed, (0, 1)), params, x)
    named = {f"{layer}.{part}": leaf for layer, parts in of_params.items() for part, leaf in parts.items()}
    named = {name.replace("kernel", "weight"): leaf for name, leaf in named.items()} | {"x": of_x}
    ordered = [np.asarray(named[name]) for name in sorted(named)]
    return {
        "gradients": np.array([abs(leaf).max() for leaf in ordered]),
        "norms": np.array([np.sqrt((leaf.astype(np.float64) ** 2).sum()) for leaf in ordered]),
    }


ONLY_OUTPUT = ("call", "jit", "ensemble", "afterwards")  # as the torch track's cases have it
ASK_LAYER = {
    "call": called,
    "jit": traced,
    "attention": called,
    "ensemble": _ensemble,
    "afterwards": _afterwards,
    "gradients": _sizes_of_gradients,
}


def _vmapped(attend, *given):
    """Over the two leading axes of q, k and v; a mask is the same for all."""
    axes = (0, 0, 0, None)[: len(given)]
    return called(jax.vmap(jax.vmap(attend, axes), axes), *given)


def _halved(attend, *given):
    """In float16, whether it stays, and whether all is finite."""
    halves = (tensor(np.asarray(x, np.float16)) for x in given[:3])
    found = _values_and_attention(called(attend, *halves, *given[3:]))
    return {name: array.dtype == jnp.float16 for name, array in found.items()} | {"finite": _finite(found.values())}


WAYS = {
    "call": called,
    "jit": traced,
    "vmap": _vmapped,
    "shapes": called,
}


def _values_and_attention(returned):
    """The two arrays by name; one array alone is the values, and is not unpacked along its batch."""
    return _parts(returned, "values", "attention")


def _parts(returned, first: str, second: str) -> dict:
    if isinstance(returned, (jax.Array, np.ndarray)):
        return {first: returned}
    one, other = returned
    return {first: one, second: other}


def _leaves(params) -> dict:
    """Every array of a tree, by the names on its path."""
    named = jax.tree_util.tree_leaves_with_path(params)
    return {".".join(str(getattr(step, "key", step)) for step in path): leaf for path, leaf in named}


def _as_in_contract(found: dict, leading: int, input_dim: int, embed_dim: int, **_) -> dict:
    """Every array by its name, and an array of another name as the one of the contract that is as large.

    Before its own axes it has some `leading` ones.
    """
    wanted = _leaves(init_zeros(input_dim, embed_dim))
    others = [name for name in found if name not in wanted]
    for name in wanted.keys() - found.keys():
        size = sorted(wanted[name].shape)
        other = next((own for own in others if sorted(np.shape(found[own])[leading:]) == size), None)
        found |= {name: found[other]} if other else {}
    return found


def _finite(arrays) -> bool:
    return all(bool(np.isfinite(array).all()) for array in arrays)
