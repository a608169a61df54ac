"""The versions that a verdict may depend on."""

from importlib.metadata import version

OURS = "attention-workshop"
PACKAGES = (OURS, "torch", "numpy", "ipython", "nbgrader")


def versions() -> dict[str, str]:
    """Package → version, for the record."""
    return {name: version(name) for name in PACKAGES}
