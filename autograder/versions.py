"""The versions that a verdict may depend on."""

from importlib.metadata import version

PACKAGES = ("attention-workshop", "torch", "numpy", "ipython", "nbgrader")


def versions() -> dict[str, str]:
    """Package → version, for the record."""
    return {name: version(name) for name in PACKAGES}
