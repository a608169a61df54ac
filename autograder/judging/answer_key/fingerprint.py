"""What the answers of a stage, and the verdicts on it, are made from: renewed when one of these files changes."""

import ast
import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from autograder.derived import derived
from autograder.installed import require_framework
from autograder.stages import stage_named

PACKAGES = ("autograder", "course_lib")
GRADING = ("autograder.grading.submission", "autograder.worker.server")
JUDGE = ("autograder.judging.judge", "autograder.judging.answer_key.fair", "autograder.probes.run")


@cache
def fingerprint(stage: str, kept: Path | None = None) -> str:
    """A digest of what a stage's answers are made from: its exercises and probes, the judge, what these import.

    With `kept`, a folder, it is taken from there as long as no source has changed.
    """
    return derived(kept, f"{stage}-answers", lambda: _digest(stage, sources_of(stage)))


@cache
def fingerprint_of_verdicts(stage: str, kept: Path | None = None) -> str:
    """A digest of all that a verdict depends on: the same, and whatever grading and the worker import."""
    return derived(kept, f"{stage}-verdicts", lambda: _digest(stage, sources_of(stage) | followed(GRADING)))


def sources_of(stage: str) -> frozenset[Path]:
    """The files that decide about answers: of the two packages, and without the table of stages.

    Raises:
        FrameworkMissing: the framework of the stage is not installed, so its exercises cannot be imported.
    """
    require_framework(stage)
    row = stage_named(stage)
    topic = _file(f"autograder.catalogue.{row.topic}").parent
    own = [f"autograder.catalogue.{row.topic}.{path.stem}" for path in topic.glob("*.py") if path.stem != "__init__"]
    probes = (f"autograder.probes.{row.track}.{part}" for part in (row.topic, "track"))
    return followed((*own, *probes, *JUDGE))


def _digest(stage: str, paths: frozenset[Path]) -> str:
    whole = hashlib.sha256(repr(stage_named(stage)).encode())
    for path in sorted(paths):
        whole.update(b"\0" + path.read_bytes())
    return whole.hexdigest()


def followed(modules: Iterable[str]) -> frozenset[Path]:
    """The files of these modules and of what they import, but for the table and for what only passes names on."""
    reached: set[str] = set()
    waiting = [*modules]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += imports_of(_file(name))
    return frozenset(path for name in reached if (path := _file(name)).name != "stages.py" and not passes_on(path))


def passes_on(path: Path) -> bool:
    """Is it an `__init__.py` that defines nothing, except how names are looked up in it?"""
    return path.name == "__init__.py" and _defines_nothing(path.read_text("utf-8"))


def imports_of(path: Path) -> tuple[str, ...]:
    """The modules of ours that a file imports, anywhere in it."""
    return _imports_in(path.read_text("utf-8"))


@cache
def _defines_nothing(source: str) -> bool:
    parts = [part.name for part in ast.parse(source).body if isinstance(part, (ast.FunctionDef, ast.ClassDef))]
    return all(name.startswith("__") for name in parts)


@cache
def _imports_in(source: str) -> tuple[str, ...]:
    return tuple(name for name in _named(ast.parse(source)) if name.split(".")[0] in PACKAGES)


def _named(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] in PACKAGES:
            yield node.module
            below = (f"{node.module}.{alias.name}" for alias in node.names)
            yield from (name for name in below if path_of(name))


def _file(module: str) -> Path:
    """The file of a module of ours; an error if there is none."""
    path = path_of(module)
    if path is None:
        raise ModuleNotFoundError(f"no module {module}", name=module)
    return path


@cache
def path_of(module: str) -> Path | None:
    """The file of a module of ours; None if no module has this name."""
    try:
        spec = find_spec(module)
    except ModuleNotFoundError:
        return None
    return Path(spec.origin) if spec and spec.origin else None
