"""What the config.json of a Llama says about the model of stage 13; what the model does not have is refused."""

import json
import math
from collections.abc import Callable
from pathlib import Path

import torch

SIZES = {
    "vocab_size": "vocab_size",
    "model_dim": "hidden_size",
    "num_heads": "num_attention_heads",
    "num_layers": "num_hidden_layers",
    "hidden_dim": "intermediate_size",
}
FIXED = {
    "model_type": "llama",
    "attention_bias": False,
    "mlp_bias": False,
    "hidden_act": "silu",
    "quantization_config": None,
}
LLAMA3 = ("factor", "low_freq_factor", "high_freq_factor", "original_max_position_embeddings")


def language_model_arguments(file: Path) -> dict:
    """The arguments of `LanguageModel` that a config.json asks for.

    Where the rotary positions are scaled, `base` is a tensor [d/2], one base for each pair of features.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: the file is not a JSON object, lacks a key, or asks for something that the model does not have; the
            message names the key and its value.
    """
    config = read_json(file)
    for key, value in FIXED.items():
        found = config.get(key, None if key == "model_type" else value)
        if found != value:
            raise ValueError(f"{file} has {key} = {found!r}, but the model has {value!r}")
    if missing := [theirs for theirs in SIZES.values() if theirs not in config]:
        raise ValueError(f"{file} has no {', '.join(missing)}: give the config.json that belongs to the weights")
    arguments = {ours: _whole(file, config, theirs) for ours, theirs in SIZES.items()}
    heads, width = arguments["num_heads"], arguments["model_dim"] // arguments["num_heads"]
    kv_heads = heads if config.get("num_key_value_heads") is None else _whole(file, config, "num_key_value_heads")
    _refuse_uneven(file, config, kv_heads)
    tied = config.get("tie_word_embeddings", False)
    if not isinstance(tied, bool):
        raise ValueError(f"{file} has tie_word_embeddings = {tied!r}, but it must be true or false")
    eps = _number(file, "rms_norm_eps", config.get("rms_norm_eps", 1e-6))
    return arguments | {"num_kv_heads": kv_heads, "eps": eps, "tied": tied, "base": _base(file, config, width)}


def read_json(file: Path) -> dict:
    """A file that holds a JSON object."""
    if not file.is_file():
        raise FileNotFoundError(
            f"there is no {file.name} in {file.parent}: give a directory that save_pretrained wrote"
        )
    try:
        found = json.loads(file.read_text("utf-8"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{file} is not JSON: {error}") from None
    if not isinstance(found, dict):
        raise ValueError(f"{file} must hold a JSON object, but it holds a {type(found).__name__}")
    return found


def _refuse_uneven(file: Path, config: dict, kv_heads: int) -> None:
    """Refuse heads that do not divide what they share, or whose width is odd or another than the model's."""
    dim, heads = config["hidden_size"], config["num_attention_heads"]
    if dim % heads:
        raise ValueError(f"{file} has hidden_size = {dim}, which num_attention_heads = {heads} does not divide")
    if heads % kv_heads:
        raise ValueError(
            f"{file} has num_attention_heads = {heads}, which num_key_value_heads = {kv_heads} do not divide"
        )
    width = dim // heads
    if config.get("head_dim") not in (None, width):
        raise ValueError(
            f"{file} has head_dim = {config['head_dim']!r}, but hidden_size / num_attention_heads is {width}"
        )
    if width % 2:
        raise ValueError(
            f"{file} has hidden_size = {dim} and num_attention_heads = {heads}, so heads are {width} wide, but rotary "
            f"positions need an even width"
        )


def _base(file: Path, config: dict, width: int) -> float | torch.Tensor:
    """The base of the rotary positions; where they are scaled, one for each pair, [d/2]."""
    parts = {key: config.get(key) or {} for key in ("rope_parameters", "rope_scaling")}
    for key, part in parts.items():
        if not isinstance(part, dict):
            raise ValueError(f"{file} has {key} = {part!r}, but it must be an object or null")
    rope = parts["rope_parameters"] | parts["rope_scaling"]
    share = rope.get("partial_rotary_factor", config.get("partial_rotary_factor", 1.0))
    if share != 1:
        raise ValueError(f"{file} has partial_rotary_factor = {share!r}, but the model turns every feature")
    theta = config["rope_theta"] if config.get("rope_theta") is not None else rope.get("rope_theta", 10000.0)
    base = _number(file, "rope_theta", theta)
    key = "rope_type" if "rope_type" in rope or "type" not in rope else "type"
    kind = rope.get(key, "default")
    if kind == "default":
        return base
    if kind != "llama3":
        raise ValueError(f"{file} has {key} = {kind!r}; supported are 'default' and 'llama3'")
    if lacking := [name for name in LLAMA3 if name not in rope]:
        raise ValueError(f"{file} has {key} = 'llama3', but no {', '.join(lacking)}")
    factor, low, high, trained = (_number(file, name, rope[name]) for name in LLAMA3)
    if low >= high:
        raise ValueError(f"{file} has low_freq_factor = {low:g}, but it must be below high_freq_factor = {high:g}")
    if factor != 1 and trained < 2 * math.pi * high:
        raise ValueError(
            f"{file} has original_max_position_embeddings = {trained:g}, too few for high_freq_factor = {high:g}: the "
            f"first pair would be slowed too, but it turns by 1 per position whatever its base is"
        )
    return _stretched(base, width, factor, low, high, trained)


def _stretched(base: float, width: int, factor: float, low: float, high: float, trained: float) -> torch.Tensor:
    """The bases [d/2] that turn pairs of long waves more slowly by the factor, of short ones as before.

    In between, a share of both (Llama 3.1's rule). `base_i^(−2i/d)` is the frequency that is wanted.
    """
    exponents = torch.arange(0, width, 2, dtype=torch.float64) / width  # [d/2]
    frequencies = base**-exponents
    turns = trained * frequencies / (2 * math.pi)  # in a text of the trained length
    share = ((turns - low) / (high - low)).clamp(0, 1)
    wanted = frequencies * (share + (1 - share) / factor)
    return torch.where(exponents > 0, wanted ** (-1 / exponents.clamp(min=1e-9)), base).float()


def _whole(file: Path, config: dict, key: str) -> int:
    return _checked(file, key, config[key], lambda value: type(value) is int and value > 0, "a whole number above 0")


def _number(file: Path, key: str, value: object) -> float:
    return float(_checked(file, key, value, _is_positive, "a number above 0"))


def _is_positive(value: object) -> bool:
    return type(value) in (int, float) and 0 < value < math.inf


def _checked(file: Path, key: str, value, fits: Callable[[object], bool], needed: str):
    if not fits(value):
        raise ValueError(f"{file} has {key} = {value!r}, but it must be {needed}")
    return value
