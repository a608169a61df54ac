"""Pictures with controls. Each works with a widget front end, and stands still without one."""

import importlib

_HOME = {
    "explorer": "Explorer",
    "temperature": "softmax_temperature",
    "widths": "saturation",
    "masking": "mask_builder",
    "heads": "head_explorer",
    "positions": "position_explorer",
    "schedule": "schedule_explorer",
    "attention_maps": "attention_explorer",
    "decoding": "greedy_steps",
    "gallery": "anomaly_gallery",
}
_MODULE_OF = {name: module for module, name in _HOME.items()}

__all__ = sorted(_MODULE_OF)


def __getattr__(name: str):
    """Load a widget from its module when it is first asked for."""
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'course_lib.widgets' has no attribute {name!r}")
    return getattr(importlib.import_module(f"course_lib.widgets.{_MODULE_OF[name]}"), name)


def __dir__() -> list[str]:
    return __all__
