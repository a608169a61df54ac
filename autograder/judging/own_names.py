"""Attributes and entries that a student made: `found.attention` of a dataclass, `calls["softmax"]`, `Mine.softmax`.

They only share their name with a built-in function. An attribute is the student's if their own statements define one
of that name, and its object does not come from a library. An entry is the student's unless the names of a module are
looked up as entries.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

import torch

from autograder.judging.nodes import FUNCTIONS, INSIDE, OF_TORCH, OURSELVES, last_name, nodes_of, once, root_of
from autograder.judging.ready_made import is_offered

WITH_FIELDS = ("namedtuple", "NamedTuple", "make_dataclass", "SimpleNamespace")
SPACES = {"__dict__", "vars", "globals", "locals", "getmembers", "getmembers_static"}  # names as entries


class OwnNames:
    """What is the student's own in the statements that an answer reaches.

    >>> own = OwnNames(ast.parse("class Mine:\\n    softmax = 1\\nclass Other(Mine): pass\\nmine = Mine()").body)
    >>> [own.has(ast.Name(name), "softmax") for name in ("Mine", "mine", "Other", "logits", "F")]
    [True, True, True, True, False]
    >>> [own.has(ast.Name(name), "softmax_") for name in ("Mine", "logits")]
    [False, False]
    """

    def __init__(self, statements: Iterable[ast.stmt]):
        found = [_found_in(statement) for statement in statements]
        self.libraries = OF_TORCH.union(*(one.libraries for one in found))
        same = [pair for one in found for pair in one.same]
        while more := {variable for variable, of in same if of in self.libraries} - self.libraries:
            self.libraries |= more
        self.looks_up = any(one.looks_up for one in found)
        self.made = {name for one in found for name, roots in one.made.items() if roots - self.libraries}
        self.makers: dict[str, set[str]] = defaultdict(set)
        for one in found:
            for name, makers in one.makers.items():
                self.makers[name] |= makers
        self.calls = [call for one in found for call in one.calls]

    def has(self, base: ast.AST, name: str) -> bool:
        """Is attribute `name` of `base` the student's?"""
        root = _root(base)
        if root in self.libraries:
            return False
        if isinstance(base, ast.Name) and root in OURSELVES:
            return True
        if not is_offered(name):
            return name in self.made
        runs_seen = root in OURSELVES or hasattr(torch.Tensor, name)  # a tensor's own is known when it runs
        return root in self._objects(name) or (runs_seen and bool(self.makers.get(name)))

    def has_entry(self, base: ast.AST) -> bool:
        """Is an entry of `base` the student's?"""
        return not self.looks_up and _root(base) not in self.libraries

    def _objects(self, name: str) -> set[str]:
        """The classes that define an attribute, and their instances."""
        classes = self.makers.get(name, set())
        return classes | {variable for variable, maker in self.calls if maker in classes}


class _Found:
    def __init__(self) -> None:
        self.libraries: set[str] = set()
        self.looks_up = False
        self.made: dict[str, set[str]] = defaultdict(set)  # attribute → its owners
        self.makers: dict[str, set[str]] = defaultdict(set)  # attribute → classes, and objects made with it
        self.calls: list[tuple[str, str]] = []  # variable and what was called for it
        self.same: list[tuple[str, str]] = []  # variable and what it is a part of

    def define(self, owner: str, names: Iterable[str]) -> None:
        """Note a class, or an object made with these attributes."""
        for name in names:
            self.made[name].add(owner)
            self.makers[name].add(owner)


@once
def _found_in(statement: ast.stmt) -> _Found:
    found = _Found()
    for node in nodes_of(statement):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            found.libraries |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ClassDef):
            found.define(node.name, _fields_of(node))
        elif isinstance(node, ast.Call):
            found.define(f"{last_name(node.func)}()", _named_by(node))
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            found.made[node.attr].add(_root(node))
        elif isinstance(node, ast.Assign):
            for variable in (target.id for target in node.targets if isinstance(target, ast.Name)):
                _note_variable(found, variable, node.value)
        found.looks_up |= _looks_up(node)
    return found


def _note_variable(found: _Found, variable: str, value: ast.expr) -> None:
    if isinstance(value, (ast.Name, ast.Attribute)):
        found.same.append((variable, _root(value)))
    elif isinstance(value, ast.Call):
        found.calls.append((variable, _root(value)))
        found.define(variable, _named_by(value))


def _fields_of(made: ast.ClassDef) -> Iterator[str]:
    """The attributes that a class defines in its body, or sets on `self` in a method."""
    for part in made.body:
        if isinstance(part, (*FUNCTIONS, ast.ClassDef)):
            yield part.name
        targets = part.targets if isinstance(part, ast.Assign) else [getattr(part, "target", None)]
        yield from (target.id for target in targets if isinstance(target, ast.Name))
    for node in ast.walk(made):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and _root(node) in OURSELVES:
            yield node.attr


def _named_by(call: ast.Call) -> set[str]:
    """The fields of the named tuple or namespace that a call makes."""
    if last_name(call.func) not in WITH_FIELDS:
        return set()
    texts = [node.value for part in call.args for node in ast.walk(part) if isinstance(node, ast.Constant)]
    words = {word for text in texts if isinstance(text, str) for word in re.findall(r"\w+", text)}
    return words | {keyword.arg for keyword in call.keywords if keyword.arg}


def _looks_up(node: ast.AST) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr in SPACES and not (isinstance(node.value, ast.Name) and node.value.id in OURSELVES)
    if isinstance(node, ast.Name):
        return node.id in SPACES
    return isinstance(node, ast.Constant) and node.value == "__dict__"


def _root(node: ast.AST) -> str:
    return root_of(node, (*INSIDE, ast.Call))
