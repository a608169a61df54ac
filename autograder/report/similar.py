"""Near-identical answers, by the hash of a normalised syntax tree: linear in the number of submissions.

Names that the student chose, comments, docstrings, annotations, strings and formatting do not count. Answers
that are the release's stub, and tiny ones, are left out: equal by nature. The reference is public: whose answer
is like it stands in a list of its own.
"""

import ast
import hashlib
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from autograder.repair.sources import parse

MIN_NODES = 30  # a one-line mask has about twenty; below this, two honest answers agree by themselves
MIN_WORDS = 12  # for answers in prose
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True)
class Alike:
    """Students whose answers to the same exercises are the same but for names and layout."""

    students: tuple[str, ...]
    exercises: tuple[str, ...]
    size: int  # nodes of the syntax trees; the larger, the less likely by chance


def near_identical(answers: Iterable[tuple[str, str, str, str]], known: Iterable[str]) -> list[Alike]:
    """Groups of two or more, the most telling first.

    Args:
        answers: (student, exercise, kind of cell, source).
        known: sources that mean nothing when met again: the release, the reference.
    """
    known_prints = {fingerprint(source, kind)[0] for source in known for kind in ("code", "markdown")}
    groups: dict[tuple[str, str], list[str]] = defaultdict(list)
    sizes = {}
    for student, exercise, kind, source in answers:
        print_, size = fingerprint(source, kind)
        if size and print_ not in known_prints:
            groups[exercise, print_].append(student)
            sizes[exercise, print_] = size
    shared: dict[tuple[str, ...], list] = defaultdict(list)
    for (exercise, print_), students in groups.items():
        if len(students) > 1:
            shared[tuple(sorted(students))].append((exercise, sizes[exercise, print_]))
    found = [
        Alike(students, tuple(name for name, _ in parts), sum(size for _, size in parts))
        for students, parts in shared.items()
    ]
    return sorted(found, key=lambda alike: (-alike.size, alike.students))


def like_reference(answers: Iterable[tuple[str, str, str, str]], reference: Iterable[str]) -> list[Alike]:
    """Students by the answers that are the reference's but for names and layout, the longest first.

    Args:
        answers: (student, exercise, kind of cell, source).
        reference: the sources of its answers.
    """
    known = {fingerprint(source, kind)[0] for source in reference for kind in ("code", "markdown")}
    found: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for student, exercise, kind, source in answers:
        print_, size = fingerprint(source, kind)
        if size and print_ in known:
            found[student].append((exercise, size))
    shared = defaultdict(list)
    for student, parts in found.items():
        shared[tuple(parts)].append(student)
    alike = [
        Alike(tuple(students), tuple(name for name, _ in parts), sum(size for _, size in parts))
        for parts, students in shared.items()
    ]
    return sorted(alike, key=lambda one: (-one.size, one.students))


def fingerprint(source: str, kind: str = "code") -> tuple[str, int]:
    """A hash that renaming and reformatting do not change, and a size; size 0 for what says nothing.

    >>> mine = "def f(x, y):\\n    '''Mine.'''\\n    total = x @ y  # times\\n    return total / y.sum()"
    >>> theirs = "def f(a, b):\\n    c = a @ b\\n    return c / b.sum()"
    >>> fingerprint(mine)[0] == fingerprint(theirs)[0]
    True
    """
    if kind != "code":
        words = source.casefold().split()
        return _hash(" ".join(words)), len(words) if len(words) >= MIN_WORDS else 0
    tree = parse(source)
    if tree is None:
        return _hash(source), 0
    normal = _Normal(tree)
    try:
        tree = normal.visit(tree)
        text, size = ast.dump(tree, annotate_fields=False), sum(1 for _ in ast.walk(tree))
    except RecursionError:
        return _hash(source), 0
    return _hash(text), size if size >= MIN_NODES else 0


def own_names(tree: ast.Module) -> frozenset[str]:
    """The names, and the attributes, that a source itself chooses."""
    return frozenset(_bound(tree)) | frozenset(_attributes(tree))


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


class _Normal(ast.NodeTransformer):
    """Renames what the source itself binds, in the order in which it is met, and drops what is only decoration."""

    def __init__(self, tree: ast.Module):
        self.own, self.attributes = set(_bound(tree)), set(_attributes(tree))
        self.new: dict[str, str] = {}

    def _name(self, name: str) -> str:
        return self.new.setdefault(name, f"name{len(self.new)}") if name in self.own | self.attributes else name

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name(self._name(node.id) if node.id in self.own else node.id)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return ast.arg(self._name(node.arg))

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        mine = isinstance(node.value, ast.Name) and node.value.id in self.own
        value = self.visit(node.value)
        return ast.Attribute(value, self._name(node.attr) if mine and node.attr in self.attributes else node.attr)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return ast.Constant("text") if isinstance(node.value, str) else node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        return ast.Constant("text")

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        if node.value is None:
            return None
        return self.visit(ast.Assign([node.target], node.value))

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        body = [self.visit(statement) for statement in _without_docstring(node.body)]
        decorators = [self.visit(decorator) for decorator in node.decorator_list]
        arguments = self.visit(node.args)
        return ast.FunctionDef(self._name(node.name), arguments, [line for line in body if line], decorators)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.name, node.body = self._name(node.name), _without_docstring(node.body)
        return self.generic_visit(node)

    def visit_Module(self, node: ast.Module) -> ast.AST:
        node.body = _without_docstring(node.body)
        return self.generic_visit(node)


def _bound(tree: ast.Module) -> Iterable[str]:
    """Names that the source binds: arguments, assignments, definitions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, DEFINITIONS):
            yield node.name


def _attributes(tree: ast.Module) -> Iterable[str]:
    """Attributes that the source sets, and methods that it defines."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr
        elif isinstance(node, ast.ClassDef):
            yield from (line.name for line in node.body if isinstance(line, DEFINITIONS))


def _without_docstring(body: list) -> list:
    is_text = [isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant) for line in body]
    return [line for line, text in zip(body, is_text, strict=True) if not text] or [ast.Pass()]
