"""Weights from elsewhere: published checkpoints, and torch's own Transformer layers."""

from pathlib import Path

import torch
from torch import nn
from torch.nn import functional as F

from course_lib.llama import halves_to_pairs, load_llama  # noqa: F401 (found here, with what else comes from elsewhere)
from course_lib.model.decoder import DecoderBlock
from course_lib.model.encoder import EncoderBlock, PreNormEncoderBlock
from course_lib.model.multi_head import CrossAttention, MultiheadAttention
from course_lib.model.predictor import TransformerPredictor


def load_published_checkpoint(path: str | Path) -> TransformerPredictor:
    """Read a checkpoint of a `TransformerPredictor`, such as those published with tutorials.

    Args:
        path: a file that torch.save wrote: a dict with `state_dict` and `hyper_parameters` (the
            arguments of `TransformerPredictor`). What else the dict holds is passed over.

    Returns:
        The model, on the CPU, in eval mode.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: the file is something else, or does not fit the model. Nothing in it is executed.
    """
    if not Path(path).is_file():
        raise FileNotFoundError(f"there is no checkpoint file at {path}: check the path")
    state_dict, hyper_parameters = _read_checkpoint(path)
    try:
        model = TransformerPredictor(**hyper_parameters)
    except (TypeError, ValueError, RuntimeError, ZeroDivisionError) as error:
        raise ValueError(f"the hyper_parameters of {path} make no TransformerPredictor: {_first_line(error)}") from None
    _refuse_misfits(path, state_dict, model)
    model.load_state_dict(state_dict)
    return model.eval()


def _read_checkpoint(path: str | Path) -> tuple[dict, dict]:
    """Return the two dicts of a checkpoint; weights_only refuses to run code that a pickle names."""
    try:
        checkpoint = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:  # a file of any kind can fail here in any way
        raise ValueError(
            f"{path} is not a checkpoint that can be read without executing code "
            f"({type(error).__name__}): give a file that torch.save made of plain tensors and numbers"
        ) from None
    if not isinstance(checkpoint, dict):
        raise ValueError(f"{path} must hold a dict, but it holds a {type(checkpoint).__name__}")
    for key in ("state_dict", "hyper_parameters"):
        if not isinstance(checkpoint.get(key), dict):
            raise ValueError(f"{path} must hold a dict named {key!r}, but its keys are {list(checkpoint)}")
    return checkpoint["state_dict"], checkpoint["hyper_parameters"]


def _refuse_misfits(path: str | Path, state_dict: dict, model: nn.Module) -> None:
    """Raise a ValueError that names the first parameters that are missing, too many or of another shape."""
    expected = {name: list(tensor.shape) for name, tensor in model.state_dict().items()}
    came = {
        name: list(value.shape) if isinstance(value, torch.Tensor) else f"a {type(value).__name__}"
        for name, value in state_dict.items()
    }
    misfits = [
        f"{name} (expected {expected.get(name, 'nothing')}, came {came.get(name, 'nothing')})"
        for name in [*expected, *(name for name in came if name not in expected)]
        if expected.get(name) != came.get(name)
    ]
    if misfits:
        more = f" and {len(misfits) - 3} more" if len(misfits) > 3 else ""
        raise ValueError(f"the state_dict of {path} does not fit its model: {', '.join(misfits[:3])}{more}")


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


def copy_attention(theirs: nn.MultiheadAttention, ours: MultiheadAttention) -> None:
    """Copy the weights of torch's self-attention into ours.

    torch lays the rows of its projection out as [3, h, d] (all queries, all keys, all values), ours
    are [h, 3, d] (head by head).

    Args:
        theirs: with kdim = vdim = embed_dim.
        ours: with input_dim = embed_dim and the same number of heads.

    Raises:
        ValueError: theirs has something that ours has not, or another number of heads.
        RuntimeError: the shapes differ (from `load_state_dict`).
    """
    _refuse_other_attention(theirs, ours)
    if theirs.in_proj_weight is None:
        raise ValueError("self-attention needs kdim and vdim equal to embed_dim: use copy_cross_attention")
    heads = theirs.num_heads
    weight = theirs.in_proj_weight.unflatten(0, (3, heads, -1)).transpose(0, 1)  # [h, 3, d, E]
    bias = _bias(theirs.in_proj_bias, 3 * theirs.embed_dim).unflatten(0, (3, heads, -1)).transpose(0, 1)
    ours.load_state_dict(
        {
            "qkv_proj.weight": weight.flatten(0, 2),  # [h·3·d, E]
            "qkv_proj.bias": bias.flatten(),  # [h·3·d]
            "o_proj.weight": theirs.out_proj.weight,
            "o_proj.bias": _bias(theirs.out_proj.bias, theirs.embed_dim),
        }
    )


def copy_cross_attention(theirs: nn.MultiheadAttention, ours: CrossAttention) -> None:
    """Copy the weights of torch's attention into our cross-attention.

    Args:
        theirs: with any kdim and vdim.
        ours: with query_dim = embed_dim, key_dim = kdim, value_dim = vdim, and as many heads.

    Raises:
        ValueError: theirs has something that ours has not, or another number of heads.
        RuntimeError: the shapes differ (from `load_state_dict`).
    """
    _refuse_other_attention(theirs, ours)
    if theirs.in_proj_weight is None:
        weights = [theirs.q_proj_weight, theirs.k_proj_weight, theirs.v_proj_weight]
    else:
        weights = theirs.in_proj_weight.chunk(3)
    biases = _bias(theirs.in_proj_bias, 3 * theirs.embed_dim).chunk(3)
    state = {
        "out_proj.weight": theirs.out_proj.weight,
        "out_proj.bias": _bias(theirs.out_proj.bias, theirs.embed_dim),
    }
    for name, weight, bias in zip("qkv", weights, biases, strict=True):
        state |= {f"{name}_proj.weight": weight, f"{name}_proj.bias": bias}
    ours.load_state_dict(state)


def copy_encoder_layer(theirs: nn.TransformerEncoderLayer, ours: EncoderBlock) -> None:
    """Copy the weights of torch's encoder layer into our block of the same kind.

    Args:
        theirs: with ReLU; norm_first goes with `PreNormEncoderBlock`, otherwise `EncoderBlock`.
        ours: of the same widths and number of heads.

    Raises:
        ValueError: the two are of different kinds.
        RuntimeError: the shapes differ (from `load_state_dict`).
    """
    if theirs.norm_first != isinstance(ours, PreNormEncoderBlock):
        raise ValueError(
            f"norm_first={theirs.norm_first} does not go with {type(ours).__name__}: "
            "PreNormEncoderBlock is for True, EncoderBlock for False"
        )
    copy_attention(theirs.self_attn, ours.self_attn)
    _copy_feed_forward_and_norms(theirs, ours, norms=("norm1", "norm2"))


def copy_decoder_layer(theirs: nn.TransformerDecoderLayer, ours: DecoderBlock) -> None:
    """Copy the weights of torch's decoder layer into our block, which is causal by itself.

    Args:
        theirs: with ReLU and norm_first=False.
        ours: of the same widths and number of heads.

    Raises:
        ValueError: the two are of different kinds.
        RuntimeError: the shapes differ (from `load_state_dict`).
    """
    if theirs.norm_first:
        raise ValueError("norm_first=True does not go with DecoderBlock, which is post-norm")
    copy_attention(theirs.self_attn, ours.self_attn)
    copy_cross_attention(theirs.multihead_attn, ours.cross_attn)
    _copy_feed_forward_and_norms(theirs, ours, norms=("norm1", "norm2", "norm3"))


def _copy_feed_forward_and_norms(theirs: nn.Module, ours: nn.Module, norms: tuple[str, ...]) -> None:
    if theirs.activation is not F.relu and not isinstance(theirs.activation, nn.ReLU):
        raise ValueError(f"our blocks have ReLU, but the activation is {theirs.activation}")
    for name, linear in (("0", theirs.linear1), ("3", theirs.linear2)):
        _copy_affine(linear, ours.linear_net.get_submodule(name))
    for name in norms:
        _copy_affine(getattr(theirs, name), getattr(ours, name))
        getattr(ours, name).eps = getattr(theirs, name).eps


def _copy_affine(theirs: nn.Module, ours: nn.Module) -> None:
    ours.load_state_dict({"weight": theirs.weight, "bias": _bias(theirs.bias, len(theirs.weight))})


def _bias(bias: torch.Tensor | None, size: int) -> torch.Tensor:
    """Return the bias [size]; a layer without one adds zeros."""
    return torch.zeros(size) if bias is None else bias


def _refuse_other_attention(theirs: nn.MultiheadAttention, ours: nn.Module) -> None:
    if theirs.bias_k is not None or theirs.add_zero_attn:
        raise ValueError("our attention has neither add_bias_kv nor add_zero_attn: make it without them")
    if theirs.num_heads != ours.num_heads:
        raise ValueError(f"theirs has {theirs.num_heads} heads, but ours has {ours.num_heads}")
