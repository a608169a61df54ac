"""Parameters from elsewhere and back: the published flax checkpoint, torch's predictor, and a file of your own."""

import os
import re
import zipfile
from collections.abc import Mapping
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import torch
from flax import nnx
from flax.serialization import msgpack_restore

from course_lib.tasks.download import fetch

URL = "https://raw.githubusercontent.com/phlippe/saved_models/main/JAX/tutorial6/ReverseTask.ckpt"
SHA256 = "af733e4191eafd377769576d3a9e06fde606748881ca887ef4462d92c3b038f9"
OF_LINEN = {  # flax's older modules number the layers of a list in their names
    r"\blayers_(\d+)\.": r"layers.\1.",
    r"\blinear_0\.": "linear_net.linear_in.",
    r"\blinear_3\.": "linear_net.linear_out.",
    r"\boutput_net_0\.": "output_hidden.",
    r"\boutput_net_1\.": "output_norm.",
    r"\boutput_net_4\.": "output_layer.",
}
OF_TORCH = {  # torch's Sequential numbers its modules
    r"\blinear_net\.0\.": "linear_net.linear_in.",
    r"\blinear_net\.3\.": "linear_net.linear_out.",
    r"\binput_net\.1\.": "input_layer.",
    r"\boutput_net\.0\.": "output_hidden.",
    r"\boutput_net\.1\.": "output_norm.",
    r"\boutput_net\.4\.": "output_layer.",
}


class CheckpointUnavailable(RuntimeError):
    """The published checkpoint is not here and cannot be downloaded."""


def params_of(module: nnx.Module) -> dict[str, jax.Array]:
    """A module's parameters by their dotted names, such as `transformer.layers.0.norm1.scale`."""
    return {".".join(map(str, path)): leaf[...] for path, leaf in nnx.to_flat_state(nnx.state(module, nnx.Param))}


def put_params(module: nnx.Module, params: Mapping[str, np.ndarray], source: str = "the tree") -> None:
    """Put parameters into a module, all of them or none.

    Args:
        module: is changed in place.
        params: an array for each dotted name of `params_of(module)`, of the same shape.
        source: where they come from, for the message.

    Raises:
        ValueError: names or shapes differ, and the message gives the first of them with both shapes; or an array
            holds complex numbers.
    """
    expected = {name: list(leaf.shape) for name, leaf in params_of(module).items()}
    came = {name: list(np.shape(leaf)) for name, leaf in params.items()}
    misfits = [
        f"{name} (expected {expected.get(name, 'nothing')}, came {came.get(name, 'nothing')})"
        for name in [*expected, *(name for name in came if name not in expected)]
        if expected.get(name) != came.get(name)
    ]
    if misfits:
        more = f" and {len(misfits) - 3} more" if len(misfits) > 3 else ""
        raise ValueError(f"{source} does not fit this model: {', '.join(misfits[:3])}{more}")
    if other := next((name for name, leaf in params.items() if np.iscomplexobj(leaf)), None):
        raise ValueError(f"{source} does not fit this model: {other} holds complex numbers")
    state = nnx.state(module, nnx.Param)
    flat = {".".join(map(str, path)): leaf for path, leaf in nnx.to_flat_state(state)}
    for name, leaf in flat.items():
        leaf[...] = jnp.asarray(params[name], leaf.dtype)
    nnx.update(module, state)


def load_flax_checkpoint(path: str | Path, model: nnx.Module) -> nnx.Module:
    """Put the parameters of a flax checkpoint, such as the published one, into a `TransformerPredictor`.

    Args:
        path: a file in flax's msgpack format: a tree of arrays. Nothing in it is executed.
        model: of the checkpoint's sizes; it is changed in place, and returned.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: the file is no such tree, or does not fit the model, which is then as it was.
    """
    if not Path(path).is_file():
        raise FileNotFoundError(f"there is no checkpoint file at {path}: check the path")
    try:
        tree = msgpack_restore(Path(path).read_bytes())
    except Exception as error:  # a file of any kind can fail here in any way
        raise ValueError(
            f"{path} is not a whole flax checkpoint ({type(error).__name__}): give a file that "
            "flax.serialization.msgpack_serialize made of a tree of arrays"
        ) from None
    if not isinstance(tree, dict):
        raise ValueError(f"{path} must hold a tree of arrays, but it holds a {type(tree).__name__}")
    params = {renamed(name, OF_LINEN): leaf for name, leaf in _flat(tree.get("params", tree)).items()}
    if other := next((name for name, leaf in params.items() if not isinstance(leaf, np.ndarray)), None):
        raise ValueError(f"{path} must hold arrays, but {other} is a {type(params[other]).__name__}")
    put_params(model, params, str(path))
    return model


def published_checkpoint(folder: Path | None = None) -> Path:
    """The published parameters of the reverse task (P. Lippe, UvA Deep Learning Tutorials, JAX, tutorial 6; 40 kB).

    Args:
        folder: where the file is kept; `COURSE_DATA` or ~/.cache/attention-workshop when it is None.

    Raises:
        CheckpointUnavailable: when the file is missing and cannot be downloaded.
    """
    folder = Path(folder or os.environ.get("COURSE_DATA") or Path.home() / ".cache" / "attention-workshop")
    try:
        return fetch(URL, folder / "uva_jax" / "ReverseTask.ckpt", f"sha256:{SHA256}")
    except (OSError, ValueError) as error:
        raise CheckpointUnavailable(
            f"the published checkpoint is not in {folder} and could not be fetched ({error}); "
            "the rest of the page does not need it"
        ) from error


def copy_from_torch(theirs: torch.nn.Module, ours: nnx.Module) -> None:
    """Copy the weights of a module of the torch track into its counterpart here: a kernel is a weight transposed.

    Raises:
        ValueError: the two are of different sizes or kinds.
    """
    weights = {name: value.detach().cpu().numpy() for name, value in theirs.state_dict().items()}
    params = {
        _kernel(renamed(name, OF_TORCH)): value.T if value.ndim == 2 else value for name, value in weights.items()
    }
    put_params(ours, params, type(theirs).__name__)


def copy_to_torch(ours: nnx.Module, theirs: torch.nn.Module) -> None:
    """Copy the parameters of a module into its counterpart of the torch track.

    Raises:
        ValueError: the two are of different sizes or kinds.
    """
    names = {_kernel(renamed(name, OF_TORCH)): name for name in theirs.state_dict()}
    params = {name: np.asarray(leaf) for name, leaf in params_of(ours).items()}
    expected = {ours: list(theirs.state_dict()[name].shape) for ours, name in names.items()}
    came = {name: list(leaf.T.shape) for name, leaf in params.items()}
    if other := next((name for name in {**expected, **came} if expected.get(name) != came.get(name)), None):
        raise ValueError(
            f"{type(theirs).__name__} does not fit these parameters: {other} "
            f"(expected {expected.get(other, 'nothing')}, came {came.get(other, 'nothing')})"
        )
    theirs.load_state_dict({names[name]: torch.tensor(leaf.T) for name, leaf in params.items()})


def save_params(path: str | Path, params) -> None:
    """Save a tree of arrays as an .npz file; each is named after its path in the tree."""
    np.savez(path, **_places(params))


def load_params(path: str | Path, like):
    """Read a tree of arrays that `save_params` wrote.

    Args:
        path: the .npz file.
        like: a tree of the same structure and shapes; it is not changed.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: the file is not such a file, or holds other places or shapes; the message gives both.
    """
    try:
        with Path(path).open("rb") as whole, np.load(whole, allow_pickle=False) as file:
            came = dict(file)
    except (ValueError, EOFError, zipfile.BadZipFile, AttributeError) as error:
        raise ValueError(f"{path} is not a whole .npz file ({type(error).__name__})") from None
    expected = _places(like)
    for name in {**expected, **came}:
        shapes = [list(np.shape(tree[name])) if name in tree else "nothing" for tree in (expected, came)]
        if shapes[0] != shapes[1]:
            raise ValueError(f"{path} does not fit this tree: {name} (expected {shapes[0]}, came {shapes[1]})")
    return jax.tree.unflatten(jax.tree.structure(like), [jnp.asarray(came[name]) for name in expected])


def renamed(name: str, patterns: Mapping[str, str]) -> str:
    """Translate another library's name of a parameter to ours.

    >>> renamed("transformer.layers_0.linear_3.kernel", OF_LINEN)
    'transformer.layers.0.linear_net.linear_out.kernel'
    """
    for pattern, ours in patterns.items():
        name = re.sub(pattern, ours, name)
    return name


def _kernel(name: str) -> str:
    part, _, kind = name.rpartition(".")
    return f"{part}.{('scale' if 'norm' in part else 'kernel') if kind == 'weight' else kind}".removeprefix(".")


def _flat(tree: Mapping, prefix: str = "") -> dict:
    found = {}
    for name, leaf in tree.items():
        found |= _flat(leaf, f"{prefix}{name}.") if isinstance(leaf, dict) else {f"{prefix}{name}": leaf}
    return found


def _places(tree) -> dict[str, np.ndarray]:
    return {
        jax.tree_util.keystr(path): np.asarray(leaf) for path, leaf in jax.tree_util.tree_flatten_with_path(tree)[0]
    }
