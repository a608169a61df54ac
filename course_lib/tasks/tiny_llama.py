"""A small Llama as Hugging Face's `save_pretrained` writes it, and what transformers makes of a text with it."""

from pathlib import Path

import torch

TINY_LLAMA = Path(__file__).parent / "checkpoints" / "tiny_llama"  # two layers, groups, a tied table, scaled positions
EXPECTED = TINY_LLAMA / "expected.safetensors"


def transformers_logits() -> tuple[torch.Tensor, torch.Tensor]:
    """Tokens, int64 [2, 37], and the logits that transformers computes for them with this Llama [2, 37, 65].

    >>> [tuple(found.shape) for found in transformers_logits()]
    [(2, 37), (2, 37, 65)]
    """
    from safetensors.torch import load_file

    stored = load_file(EXPECTED)
    return stored["tokens"], stored["logits"]
