"""torchvision next to a CPU-only torch: it can be imported once two missing operators are declared.

The registry's Linux wheel of torchvision is built against CUDA. Beside a CPU-only torch its compiled
operators do not load, and the import dies with `operator torchvision::nms does not exist`. Nothing in this
course calls these operators, so declaring their schemas is enough: models, transforms, datasets work.
"""

import importlib
import sys
from types import ModuleType

import torch

_SCHEMA = "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor"
_OPERATORS = ("torchvision::nms", "torchvision::qnms")


def import_torchvision() -> ModuleType:
    """torchvision, fixed if the plain import fails on its missing operators.

    Raises:
        ImportError: when torchvision is not installed, or is broken in another way.
    """
    try:
        return importlib.import_module("torchvision")
    except ModuleNotFoundError as error:
        raise ImportError("torchvision is not installed: pip install 'attention-workshop[images]'") from error
    except RuntimeError as error:
        if "operator torchvision::" not in str(error):
            raise ImportError(f"torchvision is installed, but its import fails: {error}") from error
    _forget_half_imported()
    for operator in _OPERATORS:
        torch.library.define(operator, _SCHEMA)
    return importlib.import_module("torchvision")


def _forget_half_imported() -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "torchvision"]:
        del sys.modules[name]
