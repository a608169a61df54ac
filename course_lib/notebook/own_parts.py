"""A student's own parts, put together: each is run after the parts that it calls.

Which stage was done first does not matter: a predictor that was kept before its encoder uses the encoder once there is
one. A part is used when its text is the one that was right, and so is the text of every kept part that it calls.
"""

import ast
import hashlib
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import ModuleType

import course_lib

PACKAGE = "my_transformer"
GIVEN = {  # of a library's public names, those that no stage asks for
    "course_lib": {"device", "needs_your", "progress", "seed_everything"},
    "course_lib.jax": {"FeedForward", "LayerNorm", "MultiheadAttention", "TrainState"},
}
CHANGED = "was changed since it was right"


@dataclass(frozen=True)
class Part:
    """A part in a file: its text, the digest of the text that was right, and its first line."""

    name: str
    path: Path
    text: str
    number: str
    line: int

    @cached_property
    def right(self) -> str | None:
        """The text that was right: the whole, or the whole without lines added below it; None if it was changed."""
        lines = self.text.splitlines()
        texts = ("\n".join(lines[:end]).strip() for end in range(len(lines), 0, -1))
        return next((text for text in texts if number_of(text) == self.number), None)

    @property
    def added(self) -> str:
        """The lines added below it since."""
        return self.text[len(self.right) :] if self.right else ""

    def calls(self, library: ModuleType) -> list[str]:
        """The parts that it calls."""
        return [name for name in parts_called_in(self.right or "", library) if name != self.name]


def number_of(source: str) -> str:
    """A digest of the text."""
    return hashlib.sha256(source.encode()).hexdigest()[:8]


def package_of(library: str) -> str:
    """The package that contains a library's parts.

    >>> package_of("course_lib"), package_of("course_lib.jax")
    ('my_transformer', 'my_transformer.jax')
    """
    return PACKAGE + library.removeprefix("course_lib")


def is_part(name: str, library: ModuleType = course_lib) -> bool:
    """Whether an object is written in the stages, rather than a helper."""
    return name in library.__all__ and name not in GIVEN[library.__name__]


def parts_called_in(source: str, library: ModuleType) -> list[str]:
    """The names of parts that a text uses, in their order."""
    try:
        nodes = ast.walk(ast.parse(source))
    except SyntaxError:
        return []
    used = {node.id: None for node in nodes if isinstance(node, ast.Name)}
    return [name for name in used if is_part(name, library)]


class OwnParts:
    """All parts of a folder, run when they are first asked for.

    Args:
        files: of each file its path, what it begins with, and its parts.
        library: whose parts they stand for: `course_lib`, or the package of another framework in it.
    """

    def __init__(self, files: Mapping[Path, tuple[str, list[Part]]], library: ModuleType):
        self.library = library
        self.parts = {part.name: part for _, parts in files.values() for part in parts}
        self.beginnings = {path: beginning for path, (beginning, _) in files.items()}
        self.found: dict[str, object] = {}
        self.reasons: dict[str, str] = {}
        self._running: set[str] = set()
        self._modules: dict[Path, ModuleType | str] = {}

    def get(self, name: str, lenient: bool = False):
        """The student's object; None if there is none, or if `reasons` says why it is not used.

        Args:
            lenient: use it even if a part that it calls is not; there it gets the course's.
        """
        if name in self.parts and name not in self.found and name not in self.reasons and name not in self._running:
            self._running.add(name)
            reason = self._reason(self.parts[name], lenient)
            if reason:
                self.reasons[name] = reason
            self._running.discard(name)
        return self.found.get(name)

    def _reason(self, part: Part, lenient: bool) -> str:
        """Run a part; return the reason why it is not used, or nothing."""
        if part.right is None:
            return CHANGED
        calls = part.calls(self.library)
        for name in calls:
            if self.get(name) is None and name in self.parts and not lenient and name not in self._running:
                return f"calls {name}, which {self.reasons[name]}"
        module = self._module(part.path)
        if isinstance(module, str):
            return module
        for name in calls:
            own = self.get(name)
            setattr(module, name, getattr(self.library, name) if own is None else own)
        if reason := self._run(part.right, part.path, part.line, module):
            return reason
        self.found[part.name] = vars(module)[part.name]
        return ""

    def _module(self, path: Path) -> ModuleType | str:
        """The module of a file, after running the lines before its first part; or the reason why they do not run."""
        if path not in self._modules:
            package = package_of(self.library.__name__)
            module = ModuleType(f"{package}.{path.stem}")
            module.__file__, module.__package__ = str(path), package
            sys.modules[module.__name__] = module
            reason = self._run(self.beginnings[path], path, 1, module, keep=self._is_no_part)
            self._modules[path] = reason or module
        return self._modules[path]

    def run_what_was_added(self) -> dict[Path, str]:
        """Run the lines that were added below parts; return, for each file, the reason why they do not run."""
        reasons = {}
        for part in self.parts.values():
            if part.added.strip() and isinstance(module := self._module(part.path), ModuleType):
                line = part.line + part.text[: len(part.right)].count("\n")
                if reason := self._run(part.added, part.path, line, module):
                    reasons[part.path] = reason
        return reasons

    @staticmethod
    def _run(
        source: str, path: Path, line: int, module: ModuleType, keep: Callable[[ast.stmt], bool] = lambda _: True
    ) -> str:
        """Run a passage of a file under its own line numbers; return the reason why it does not run, or nothing."""
        try:
            tree = ast.parse("\n" * (line - 1) + source)
            tree.body = [statement for statement in tree.body if keep(statement)]
            exec(compile(tree, str(path), "exec"), vars(module))
        except (Exception, SystemExit) as error:
            return f"does not run (line {_line(error, path) or line}, {type(error).__name__}: {error})"
        return ""

    def _is_no_part(self, statement: ast.stmt) -> bool:
        """Whether a statement imports no part: parts are looked up separately."""
        if not isinstance(statement, ast.ImportFrom):
            return True
        from_us = statement.level or (statement.module or "").split(".")[0] in ("course_lib", PACKAGE)
        return not (from_us and all(is_part(alias.name, self.library) for alias in statement.names))


def _line(error: BaseException, path: Path) -> int | None:
    """The line of the file that failed."""
    if isinstance(error, SyntaxError):
        return error.lineno
    traceback, line = error.__traceback__, None
    while traceback:
        if traceback.tb_frame.f_code.co_filename == str(path):
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    return line
