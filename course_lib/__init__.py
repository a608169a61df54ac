"""The reference Transformer of the course, and the helpers that a student imports.

`import course_lib` costs what `import torch` costs; pictures, widgets and data load where they are used.
"""

import importlib

_HOME = {
    "attention": ("softmax", "scaled_dot_product"),
    "masks": ("causal_mask", "padding_mask", "expand_mask"),
    "heads": ("split_heads", "merge_heads"),
    "multi_head": ("MultiheadAttention", "CrossAttention"),
    "positions": ("PositionalEncoding", "LearnedPositions"),
    "layers": ("LayerNorm", "FeedForward"),
    "encoder": ("EncoderBlock", "PreNormEncoderBlock", "TransformerEncoder"),
    "decoder": ("DecoderBlock", "TransformerDecoder"),
    "seq2seq": ("Seq2SeqTransformer", "shift_right", "sequence_loss", "greedy_decode"),
    "schedule": ("CosineWarmupScheduler",),
    "predictor": ("TransformerPredictor",),
    "steps": ("train_step",),
    "reverse": ("ReverseDataset", "reverse_loss"),
    "anomaly": ("split_per_class", "sample_anomaly_sets", "anomaly_loss", "equivariance_error"),
    "devices": ("device", "seed_everything"),
    "waiting": ("needs_your",),
    "standing": ("progress",),
}
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names}

__all__ = sorted(_MODULE_OF)


def __getattr__(name: str):
    """Load a public name from its module when it is first asked for."""
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'course_lib' has no attribute {name!r}")
    return getattr(importlib.import_module(f"course_lib.{_MODULE_OF[name]}"), name)


def __dir__() -> list[str]:
    return __all__
