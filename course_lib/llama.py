"""Checkpoints of the Llama family, as Hugging Face saves them, in the model of stage 13."""

from pathlib import Path
from typing import NamedTuple

import torch
from torch import nn

from course_lib.llama_config import language_model_arguments, read_json
from course_lib.model.language_model import LanguageModel

INSIDE = {  # name in a block of ours → name in a layer of theirs
    "attention_norm": "input_layernorm",
    "attention.q_proj": "self_attn.q_proj",
    "attention.k_proj": "self_attn.k_proj",
    "attention.v_proj": "self_attn.v_proj",
    "attention.o_proj": "self_attn.o_proj",
    "feed_forward_norm": "post_attention_layernorm",
    "feed_forward.gate_proj": "mlp.gate_proj",
    "feed_forward.up_proj": "mlp.up_proj",
    "feed_forward.down_proj": "mlp.down_proj",
}
WHOLE, INDEX = "model.safetensors", "model.safetensors.index.json"
DTYPES = ("F64", "F32", "F16", "BF16")


class Stored(NamedTuple):
    """Where a tensor is stored, with its shape and dtype; nothing is read yet."""

    file: Path
    shape: list[int]
    dtype: str


def load_llama(path: str | Path, model_class: type[nn.Module] = LanguageModel) -> nn.Module:
    """A Llama from a directory that `save_pretrained` wrote, in our own code.

    The weights keep their dtype, bfloat16 for instance. Names, shapes and dtypes are compared before the first weight
    is read; then one tensor is read at a time, the largest first, so the memory stays near that of the weights.

    Args:
        path: a directory with config.json, and model.safetensors or the shards of model.safetensors.index.json.
        model_class: the class to load into; your own `LanguageModel`, for instance. Where the config scales its
            rotary positions (Llama 3.1 and later), `base` is a tensor [d/2], one base per pair.

    Returns:
        The model, on the CPU, in eval mode.

    Raises:
        FileNotFoundError: the directory has no config.json, or no weights at all.
        ValueError: the config lacks a key or asks for something that the model does not have, a shard that the index
            names is missing or damaged, or the weights do not fit; the message names the key and the value.
    """
    path = Path(path)
    arguments = language_model_arguments(path / "config.json")
    stored = _stored(path)
    with torch.device("meta"):
        model = _made(model_class, arguments)
    if any(buffer.is_meta for buffer in model.buffers()):
        model = _made(model_class, arguments)
    names = _names(arguments)
    expected = _parameters(model, names)
    _refuse_misfits(stored, names, expected)
    heads = {"q_proj": arguments["num_heads"], "k_proj": arguments["num_kv_heads"]}
    for name in sorted(names, key=lambda name: -expected[name].numel()):
        weight = _read(stored[names[name]].file, names[name])
        part = name.split(".")[-2]
        if part in heads:
            weight = halves_to_pairs(weight, heads[part])
        _put(model, name, nn.Parameter(weight))
    if arguments["tied"]:
        _put(model, "output.weight", model.get_parameter("embedding.weight"))
    return model.eval()


def halves_to_pairs(weight: torch.Tensor, heads: int) -> torch.Tensor:
    """Rows of q_proj or k_proj [h·d, D], reordered within each head.

    Hugging Face turns feature i with feature i + d/2, we turn 2i with 2i + 1: the same function, its rows in another
    order.
    """
    return weight.unflatten(0, (heads, 2, -1)).transpose(1, 2).flatten(0, 2).contiguous()


def _names(arguments: dict) -> dict[str, str]:
    """Our names → theirs."""
    names = {"embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    if not arguments["tied"]:
        names["output.weight"] = "lm_head.weight"
    for i in range(arguments["num_layers"]):
        names |= {f"blocks.{i}.{ours}.weight": f"model.layers.{i}.{theirs}.weight" for ours, theirs in INSIDE.items()}
    return names


def _stored(path: Path) -> dict[str, Stored]:
    """Their names → where a tensor is; of the weights themselves nothing is read."""
    from safetensors import SafetensorError, safe_open

    found = {}
    for shard in [WHOLE] if (path / WHOLE).is_file() else _shards(path):
        try:
            with safe_open(path / shard, framework="pt") as tensors:
                for name in tensors.keys():  # noqa: SIM118 (no dict)
                    part = tensors.get_slice(name)
                    found[name] = Stored(path / shard, list(part.get_shape()), part.get_dtype())
        except SafetensorError as error:
            raise ValueError(f"{path / shard} is not a whole safetensors file: {error}") from None
    return found


def _shards(path: Path) -> list[str]:
    """The files that the index names."""
    index = path / INDEX
    if not index.is_file():
        raise FileNotFoundError(f"there is neither {WHOLE} nor {INDEX} in {path}: other formats are not read")
    weight_map = read_json(index).get("weight_map")
    if not isinstance(weight_map, dict) or not weight_map:
        raise ValueError(f"{index} has weight_map = {weight_map!r}, but it must say which file holds each tensor")
    for name, shard in weight_map.items():
        if not isinstance(shard, str) or Path(shard).name != shard:
            raise ValueError(f"{index} has {name} = {shard!r}, but it must be the name of a file next to the index")
        if not (path / shard).is_file():
            raise ValueError(f"{index} has {name} = {shard!r}, but there is no such file: download it again")
    return sorted(set(weight_map.values()))


def _parameters(model: nn.Module, names: dict[str, str]) -> dict[str, nn.Parameter]:
    """The model's parameters by name, those of a tied table under both names; all of them must have a name of ours."""
    found = dict(model.named_parameters(remove_duplicate=False))
    wrong = [f"no parameter {name}" for name in names if name not in found]
    wrong += [f"a parameter {name} of its own" for name in found if name not in {*names, "output.weight"}]
    if wrong:
        raise ValueError(f"{type(model).__name__} cannot hold a Llama: it has {', '.join(wrong[:3])}")
    return found


def _refuse_misfits(stored: dict[str, Stored], names: dict[str, str], expected: dict[str, nn.Parameter]) -> None:
    """A ValueError that names the first tensors that are missing, superfluous, of another shape or of a wrong dtype."""
    said = []
    for ours, theirs in names.items():
        shape = list(expected[ours].shape)
        came = stored[theirs].shape if theirs in stored else "nothing"
        if came != shape:
            said.append(f"{theirs} (expected {shape}, came {came})")
        elif stored[theirs].dtype not in DTYPES:
            said.append(f"{theirs} (expected one of {', '.join(DTYPES)}, came {stored[theirs].dtype})")
    known = {*names.values(), "lm_head.weight"}  # a tied checkpoint may hold the table twice
    said += [
        f"{theirs} (expected nothing, came {came.shape})"
        for theirs, came in stored.items()
        if theirs not in known and not theirs.endswith("rotary_emb.inv_freq")
    ]
    if said:
        more = f" and {len(said) - 3} more" if len(said) > 3 else ""
        raise ValueError(f"the weights do not fit the config: {', '.join(said[:3])}{more}")
    kinds = {stored[theirs].dtype: theirs for theirs in names.values()}
    if len(kinds) > 1:
        named = " and ".join(f"{theirs} is {dtype}" for dtype, theirs in kinds.items())
        raise ValueError(f"the weights must all have one dtype, but {named}")


def _made(model_class: type[nn.Module], arguments: dict) -> nn.Module:
    try:
        return model_class(**arguments)
    except (TypeError, ValueError, ZeroDivisionError) as error:
        raise ValueError(f"the config makes no {model_class.__name__}: {error}") from None


def _read(file: Path, name: str) -> torch.Tensor:
    """One tensor, in memory of its own: the file is mapped only while it is read."""
    from safetensors import safe_open

    with safe_open(file, framework="pt") as stored:
        return stored.get_tensor(name).clone()


def _put(model: nn.Module, name: str, parameter: nn.Parameter) -> None:
    parent, _, last = name.rpartition(".")
    setattr(model.get_submodule(parent), last, parameter)
