"""Checkpoints of the Llama family, as Hugging Face saves them, in the model of stage 13."""

import json
import math
from pathlib import Path

import torch
from torch import nn

from course_lib.model.language_model import LanguageModel

SIZES = {
    "vocab_size": "vocab_size",
    "model_dim": "hidden_size",
    "num_heads": "num_attention_heads",
    "num_layers": "num_hidden_layers",
    "hidden_dim": "intermediate_size",
}
FIXED = {"model_type": "llama", "attention_bias": False, "mlp_bias": False, "hidden_act": "silu"}
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
LLAMA3 = ("factor", "low_freq_factor", "high_freq_factor", "original_max_position_embeddings")


def load_llama(path: str | Path, model_class: type[nn.Module] = LanguageModel) -> nn.Module:
    """A Llama from a directory that `save_pretrained` wrote, in our own code.

    The weights keep their dtype, bfloat16 for instance. They are read one tensor at a time, the largest first, so the
    memory stays near that of the weights.

    Args:
        path: a directory with config.json, and model.safetensors or the shards of model.safetensors.index.json.
        model_class: the class to load into; your own `LanguageModel`, for instance. Where the config scales its
            rotary positions (Llama 3.1 and later), `base` is a tensor [d/2], one base per pair.

    Returns:
        The model, on the CPU, in eval mode.

    Raises:
        FileNotFoundError: config.json or the weights are missing.
        ValueError: the config asks for something that the model does not have, or the weights do not fit it; the
            message names the key and the value.
    """
    path = Path(path)
    config = _read_json(path / "config.json")
    arguments = _arguments(path, config)
    files = _files(path)
    with torch.device("meta"):
        model = _made(model_class, arguments)
    if any(buffer.is_meta for buffer in model.buffers()):
        model = _made(model_class, arguments)
    expected = dict(model.named_parameters(remove_duplicate=False))
    heads = {"q_proj": arguments["num_heads"], "k_proj": arguments["num_kv_heads"]}
    names = _names(arguments)
    _refuse_misfits(files, names, expected)
    for name in sorted(names, key=lambda name: -expected[name].numel()):
        weight = _read(files[names[name]][0], names[name])
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


def _arguments(path: Path, config: dict) -> dict:
    """The arguments of `LanguageModel`, or a ValueError that names key and value."""
    for key, value in FIXED.items():
        found = config.get(key, value if key != "model_type" else None)
        if found != value:
            raise ValueError(f"{path / 'config.json'} has {key} = {found!r}, but the model has {value!r}")
    missing = [theirs for theirs in SIZES.values() if not isinstance(config.get(theirs), int)]
    if missing:
        raise ValueError(f"{path / 'config.json'} must have a whole number for {', '.join(missing)}")
    arguments = {ours: config[theirs] for ours, theirs in SIZES.items()}
    width = arguments["model_dim"] // arguments["num_heads"]
    if config.get("head_dim") not in (None, width):
        raise ValueError(
            f"{path / 'config.json'} has head_dim = {config['head_dim']}, "
            f"but hidden_size / num_attention_heads is {width}"
        )
    kv_heads = config.get("num_key_value_heads") or arguments["num_heads"]
    arguments |= {"num_kv_heads": kv_heads, "eps": config.get("rms_norm_eps", 1e-6)}
    arguments |= {"tied": bool(config.get("tie_word_embeddings", False)), "base": _base(path, config, width)}
    return arguments


def _base(path: Path, config: dict, width: int) -> float | torch.Tensor:
    """The base of the rotary positions; where they are scaled, one for each pair, [d/2]."""
    parts = [config.get(key) or {} for key in ("rope_parameters", "rope_scaling")]
    if not all(isinstance(part, dict) for part in parts):
        raise ValueError(
            f"{path / 'config.json'} must hold an object for rope_parameters and rope_scaling, not {parts}"
        )
    rope = parts[0] | parts[1]
    base = float(config.get("rope_theta") or rope.get("rope_theta") or 10000.0)
    kind = next((part[key] for part in reversed(parts) for key in ("rope_type", "type") if key in part), "default")
    if kind == "default":
        return base
    if kind != "llama3":
        raise ValueError(f"{path / 'config.json'} has rope_type = {kind!r}; supported are 'default' and 'llama3'")
    lacking = [key for key in LLAMA3 if not isinstance(rope.get(key), (int, float))]
    if lacking:
        raise ValueError(f"{path / 'config.json'} has rope_type = 'llama3', but no number for {', '.join(lacking)}")
    return _stretched(base, width, *(rope[key] for key in LLAMA3))


def _stretched(base: float, width: int, factor: float, low: float, high: float, trained: int) -> torch.Tensor:
    """The bases [d/2] that turn pairs of long waves more slowly by the factor, of short ones as before.

    In between, a share of both (Llama 3.1's rule). `base_i^(−2i/d)` is the frequency that is wanted.
    """
    exponents = torch.arange(0, width, 2, dtype=torch.float64) / width  # [d/2]
    frequencies = base**-exponents
    turns = trained * frequencies / (2 * math.pi)  # in a text of the trained length
    share = ((turns - low) / (high - low)).clamp(0, 1)
    wanted = frequencies * (share + (1 - share) / factor)
    return torch.where(exponents > 0, wanted ** (-1 / exponents.clamp(min=1e-9)), base).float()


def _names(arguments: dict) -> dict[str, str]:
    """Our names → theirs."""
    names = {"embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    if not arguments["tied"]:
        names["output.weight"] = "lm_head.weight"
    for i in range(arguments["num_layers"]):
        names |= {f"blocks.{i}.{ours}.weight": f"model.layers.{i}.{theirs}.weight" for ours, theirs in INSIDE.items()}
    return names


def _files(path: Path) -> dict[str, tuple[Path, list[int]]]:
    """Their names → the file that a tensor is in, and its shape."""
    from safetensors import SafetensorError, safe_open

    index = path / "model.safetensors.index.json"
    shards = sorted(set(_read_json(index).get("weight_map", {}).values())) if index.is_file() else ["model.safetensors"]
    absent = [shard for shard in shards if not (path / shard).is_file()]
    if absent:
        raise FileNotFoundError(
            f"{path} lacks {', '.join(absent[:3])}: {len(absent)} of {len(shards)} files of weights"
        )
    found = {}
    for shard in shards:
        try:
            with safe_open(path / shard, framework="pt") as stored:
                for name in stored.keys():  # noqa: SIM118 (no dict)
                    found[name] = (path / shard, list(stored.get_slice(name).get_shape()))
        except SafetensorError as error:
            raise ValueError(f"{path / shard} is not a whole safetensors file: {error}") from None
    return found


def _refuse_misfits(files: dict, names: dict[str, str], expected: dict[str, nn.Parameter]) -> None:
    """A ValueError that names the first tensors that are missing, superfluous or of another shape."""
    said = []
    for ours, theirs in names.items():
        shape = list(expected[ours].shape)
        came = files[theirs][1] if theirs in files else "nothing"
        if came != shape:
            said.append(f"{theirs} (expected {shape}, came {came})")
    known = {*names.values(), "lm_head.weight"}  # a tied checkpoint may hold the table twice
    said += [
        f"{theirs} (expected nothing, came {files[theirs][1]})"
        for theirs in files
        if theirs not in known and not theirs.endswith("rotary_emb.inv_freq")
    ]
    if said:
        more = f" and {len(said) - 3} more" if len(said) > 3 else ""
        raise ValueError(f"the weights do not fit the config: {', '.join(said[:3])}{more}")


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


def _read_json(path: Path) -> dict:
    if not path.is_file():
        raise FileNotFoundError(
            f"there is no {path.name} in {path.parent}: give a directory that save_pretrained wrote"
        )
    try:
        found = json.loads(path.read_text("utf-8"))
    except ValueError as error:
        raise ValueError(f"{path} is not JSON: {error}") from None
    if not isinstance(found, dict):
        raise ValueError(f"{path} must hold a JSON object, but it holds a {type(found).__name__}")
    return found


def _put(model: nn.Module, name: str, parameter: nn.Parameter) -> None:
    parent, _, last = name.rpartition(".")
    setattr(model.get_submodule(parent), last, parameter)
