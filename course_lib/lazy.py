"""Public names of a package whose modules are imported at first use."""

import importlib
from collections.abc import Callable


def lazy_names(package: str, home: dict[str, tuple[str, ...]]) -> tuple[Callable, list[str]]:
    """A module's `__getattr__` and `__all__`.

    Args:
        package: its `__name__`.
        home: module of the package → the public names that stand in it.

    >>> get, names = lazy_names("course_lib", {"model.masks": ("causal_mask",)})
    >>> names, get("causal_mask").__module__
    (['causal_mask'], 'course_lib.model.masks')
    """
    module_of = {name: module for module, names in home.items() for name in names}

    def load(name: str):
        if name not in module_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(importlib.import_module(f"{package}.{module_of[name]}"), name)

    return load, sorted(module_of)
