"""What the answers of a stage, and the verdicts on it, are made from: renewed when one of these files changes."""

import ast
import hashlib
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from autograder.stages import stage_named

PACKAGES = ("autograder", "course_lib")
JUDGE = ("autograder.judging.judge", "autograder.judging.answers.fair", "autograder.probes.run")


@cache
def fingerprint(stage: str) -> str:
    """A digest of a stage's exercises, their probes, the judge, whatever these import, and its row of the table."""
    row = stage_named(stage)
    whole = hashlib.sha256(repr(row).encode())
    for path in sorted(made_from(stage)):
        whole.update(b"\0" + path.read_bytes())
    return whole.hexdigest()


def made_from(stage: str) -> frozenset[Path]:
    """The files that decide: of the two packages, and without what only passes names on (`__init__.py`, the table)."""
    row = stage_named(stage)
    topic = _path(f"autograder.catalogue.{row.topic}").parent
    own = [f"autograder.catalogue.{row.topic}.{path.stem}" for path in topic.glob("*.py") if path.stem != "__init__"]
    reached, waiting = set(), [*own, f"autograder.probes.{row.track}.{row.topic}", *JUDGE]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += _imports(_path(name))
    passing_on = ("__init__.py", "stages.py")
    return frozenset(path for name in reached if (path := _path(name)).name not in passing_on)


@cache
def _imports(path: Path) -> tuple[str, ...]:
    """The modules of ours that a file imports, anywhere in it."""
    return tuple(name for name in _named(ast.parse(path.read_text("utf-8"))) if name.split(".")[0] in PACKAGES)


def _named(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in PACKAGES:
            yield node.module
            below = (f"{node.module}.{alias.name}" for alias in node.names)
            yield from (name for name in below if _path(name))


@cache
def _path(module: str) -> Path | None:
    """Where a module of ours stands; None where the name is not a module's."""
    try:
        spec = find_spec(module)
    except ModuleNotFoundError:
        return None
    return Path(spec.origin) if spec and spec.origin else None
