"""The Transformer of the course in JAX: pure functions on pytrees, flax modules, and training as a fold.

Raises:
    ImportError: jax, flax or optax is missing or too old, or `JAX_PLATFORMS` asks for a GPU that isn't there; the
        message says what to do.
"""

import os
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from course_lib.lazy import lazy_names

NEEDED = {"jax": (0, 10), "flax": (0, 12), "optax": (0, 2)}
NVIDIA = Path("/dev/nvidiactl")  # asking JAX would start its threads


def require_jax(version: Callable[[str], str] = version, nvidia: Path = NVIDIA) -> None:
    """An `ImportError` if a package is missing or too old, or if `JAX_PLATFORMS` names a GPU that isn't there."""
    for package, least in NEEDED.items():
        wanted = f"{package} {'.'.join(map(str, least))} or newer"
        advice = "pip install 'attention-workshop[jax]', then restart the kernel."
        try:
            found = version(package)
        except PackageNotFoundError:
            raise ImportError(f"The JAX stages need {wanted}, and there is none: {advice}") from None
        if tuple(map(int, found.split(".")[:2])) < least:
            raise ImportError(f"The JAX stages need {wanted}, and this is {found}: {advice}")
    wanted = os.environ.get("JAX_PLATFORMS", "").lower().split(",")
    if {"cuda", "gpu"} & {*wanted} and "cpu" not in wanted and not nvidia.exists():
        raise ImportError(
            f"JAX_PLATFORMS is {','.join(wanted)}, and this machine has no NVIDIA GPU: unset it, or set it to cpu, "
            "then restart the kernel. The course needs no GPU."
        )


require_jax()
__getattr__, __all__ = lazy_names(
    __name__,
    {
        "attention": ("scaled_dot_product", "expand_mask", "init_attention", "multihead_attention", "dropout"),
        "layers": ("MultiheadAttention", "FeedForward", "LayerNorm"),
        "model": ("PositionalEncoding", "EncoderBlock", "TransformerEncoder", "TransformerPredictor"),
        "training": (
            "TrainState",
            "cosine_warmup_schedule",
            "reverse_loss",
            "anomaly_loss",
            "train_step",
            "train_epoch",
        ),
    },
)


def __dir__() -> list[str]:
    return __all__
