"""Attributes and entries that a student made: `found.attention` of a dataclass, `calls["softmax"]`, `Mine.softmax`.

They share a name with something ready-made and are not it. An attribute is the student's if their own statements make
one of that name, and what it is asked of does not come from a library; an entry, unless names of a module are looked
up as entries.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

import torch

from autograder.judging.nodes import nodes_of, once

OF_TORCH = {"torch", "nn", "F", "Tensor"}  # what a page imports
OURSELVES = ("self", "cls")
WITH_FIELDS = ("namedtuple", "NamedTuple", "make_dataclass", "SimpleNamespace")
SPACES = {"__dict__", "vars", "globals", "locals", "getmembers", "getmembers_static"}  # names as entries
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class OwnNames:
    """What is the student's own in the statements that an answer reaches.

    >>> own = OwnNames(ast.parse("class Mine:\\n    softmax = 1\\nclass Other(Mine): pass\\nmine = Mine()").body)
    >>> [own.has(ast.Name(name), "softmax", True) for name in ("Mine", "mine", "Other", "logits", "F")]
    [True, True, True, True, False]
    >>> [own.has(ast.Name(name), "softmax_", True) for name in ("Mine", "logits")]
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

    def has(self, base: ast.AST, name: str, elsewhere: bool) -> bool:
        """Is attribute `name` of `base` the student's? `elsewhere`: a library has one of exactly this name."""
        root = root_of(base)
        if root in self.libraries:
            return False
        if isinstance(base, ast.Name) and root in OURSELVES:
            return True
        if not elsewhere:
            return name in self.made
        runs_seen = root in OURSELVES or hasattr(torch.Tensor, name)  # a tensor's own is known when it runs
        return root in self._objects(name) or (runs_seen and bool(self.makers.get(name)))

    def has_entry(self, base: ast.AST) -> bool:
        """Is what is taken from `base` by its name an entry of the student's table?"""
        return not self.looks_up and root_of(base) not in self.libraries

    def _objects(self, name: str) -> set[str]:
        """The classes that define an attribute, and what is made by them."""
        classes = self.makers.get(name, set())
        return classes | {variable for variable, maker in self.calls if maker in classes}


class _Found:
    def __init__(self) -> None:
        self.libraries: set[str] = set()
        self.looks_up = False
        self.made: dict[str, set[str]] = defaultdict(set)  # attribute → the names of what has it
        self.makers: dict[str, set[str]] = defaultdict(set)  # attribute → classes, and objects made with it
        self.calls: list[tuple[str, str]] = []  # variable and what was called for it
        self.same: list[tuple[str, str]] = []  # variable and what it is a part of


@once
def _found_in(statement: ast.stmt) -> _Found:
    found = _Found()
    for node in nodes_of(statement):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            found.libraries |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ClassDef):
            for name in _fields_of(node):
                found.made[name].add(node.name)
                found.makers[name].add(node.name)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            found.made[node.attr].add(root_of(node))
        elif isinstance(node, ast.Assign):
            for variable in (target.id for target in node.targets if isinstance(target, ast.Name)):
                _note_variable(found, variable, node.value)
        found.looks_up |= _looks_up(node)
    return found


def _note_variable(found: _Found, variable: str, value: ast.expr) -> None:
    if isinstance(value, (ast.Name, ast.Attribute)):
        found.same.append((variable, root_of(value)))
    elif isinstance(value, ast.Call):
        found.calls.append((variable, root_of(value)))
        for name in _named_by(value):
            found.made[name].add(variable)
            found.makers[name].add(variable)


def _fields_of(made: ast.ClassDef) -> Iterator[str]:
    """The attributes that the body of a class gives it, and its methods give `self`."""
    for part in made.body:
        if isinstance(part, (*FUNCTIONS, ast.ClassDef)):
            yield part.name
        targets = part.targets if isinstance(part, ast.Assign) else [getattr(part, "target", None)]
        yield from (target.id for target in targets if isinstance(target, ast.Name))
    for node in ast.walk(made):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and root_of(node) in OURSELVES:
            yield node.attr


def _named_by(call: ast.Call) -> set[str]:
    """The fields of a named tuple or a namespace, where a call makes one."""
    if not isinstance(call.func, (ast.Name, ast.Attribute)) or last_name(call.func) not in WITH_FIELDS:
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


def last_name(node: ast.AST) -> str:
    """`c` of `a.b.c`; empty if it is not a name."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def root_of(node: ast.AST) -> str:
    """`a` of `a.b[0](c).d`; empty if it does not start with a name."""
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""
