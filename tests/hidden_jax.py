"""A Python that finds nothing of JAX, as where the course was installed without it."""

from pathlib import Path

from autograder.stages import TRACKS

HIDE = f"""
from importlib.machinery import PathFinder

found = PathFinder.find_spec

def find_spec(name, path=None, target=None):
    return None if name.partition(".")[0] in {("jaxlib", *TRACKS["jax"].packages)!r} else found(name, path, target)

PathFinder.find_spec = find_spec
"""


def hide_jax(folder: Path) -> None:
    """Every Python that has the folder on its path from its start finds nothing of JAX: see `site` of `warm.start`."""
    (folder / "sitecustomize.py").write_text(HIDE)
