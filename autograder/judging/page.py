"""The cells of a notebook, and the statements that one of its objects is made of."""

import ast
import symtable
import sys
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass

from autograder.judging.cells import UNREADABLE, CodeCell, read
from autograder.judging.containers import filled_by
from autograder.judging.entries import Entries
from autograder.judging.nodes import FUNCTIONS, INSIDE, OF_TORCH, nodes_of, once, root_of
from autograder.judging.parts import parts_of

DEFINITIONS = (*FUNCTIONS, ast.ClassDef)
FULL = (*DEFINITIONS, ast.Assign, ast.AnnAssign, ast.Import, ast.ImportFrom)  # leave nothing of an earlier meaning


@dataclass(frozen=True)
class Scope:
    """The global names that a statement gives a meaning to, reads when it runs, and refers to at all."""

    binds: frozenset[str]
    reads: frozenset[str]
    uses: frozenset[str]


class Page:
    """The cells of a notebook above a place, and those below it, which can still change names that were defined above.

    `ours` are the sources of the release's cells: they define names, and put nothing into what a student wrote.

    >>> page = Page(["def f(x): return g(x), g.name", "def g(x): return x", "def k(x): return x", "g.name = k"])
    >>> [ast.unparse(statement) for statement in page.reached("f")][1:]
    ['def g(x):\\n    return x', 'g.name = k', 'def k(x):\\n    return x']
    """

    def __init__(self, above: Iterable[str], below: Iterable[str] = (), ours: Container[str] = ()):
        read_above, read_below = ([(source, read(source)) for source in sources] for sources in (above, below))
        self.unread = [way for _, cell in read_above for way in cell.unread]
        parts = [part for _, cell in read_above for part in _one_by_one(cell)]
        self.statements = [statement for statement, _ in parts]
        self.everywhere = self.statements + [part for _, cell in read_below for part, _ in _one_by_one(cell)]
        self.written = [
            part for source, cell in read_above + read_below if source not in ours for part, _ in _one_by_one(cell)
        ]
        self.bindings: dict[str, list[ast.stmt]] = defaultdict(list)
        self.perhaps: set[int] = set()  # the ids of those that may not run
        stars: dict[tuple[str, bool], list[tuple[str, ast.stmt]]] = {}
        for statement, always in parts:
            for name, meaning in _meanings(statement, always, stars):
                self.perhaps |= set() if always else {id(meaning)}
                if self.bindings[name][-1:] != [meaning]:  # of one star after the other, the first
                    self.bindings[name].append(meaning)
        self.changes: dict[str, list[ast.stmt]] = defaultdict(list)
        for statement in self.written:
            for name in _changed(statement):
                self.changes[name].append(statement)

    def reached(self, root: str) -> list[ast.stmt]:
        """The definition of an object, then the statements that it reaches by name, and theirs in turn.

        Calls that may have put something into one of these objects are reached, too, with what they name.
        """
        reached: dict[int, ast.stmt] = {}
        given = [(name, True) for statement in self.written for name in _given_to_torch(statement)]
        names, seen = [*given, (root, True)], set()
        entries = Entries(self)

        def reach(statement: ast.stmt, looked_into: bool) -> None:
            if id(statement) not in reached:
                reached[id(statement)] = statement
                entries.add(statement)
                names.extend((used, looked_into) for used in sorted(scope(statement).uses))

        while names:
            name, looked_into = names.pop()
            if (name, True) not in seen and (name, looked_into) not in seen:
                seen.add((name, looked_into))
                put, aliases = filled_by(name, self) if looked_into and name != root else ([], [])
                names += [(alias, True) for alias in aliases]
                for statement in self._meaning(name):
                    reach(statement, looked_into)
                for statement in put:
                    reach(statement, False)
                for statement in self.changes.get(name, ()):
                    entries.wait(statement, looked_into)
            while found := entries.ready():
                for one in found:
                    reach(*one)
        return [*reached.values()]

    def _meaning(self, name: str) -> Iterator[ast.stmt]:
        """What a name may stand for, last first: back to the statement that leaves nothing of an earlier meaning."""
        for statement in reversed(self.bindings.get(name, ())):
            yield statement
            if id(statement) not in self.perhaps and isinstance(statement, FULL) and _replaces(statement, name):
                return


@once
def _parts(statement: ast.stmt) -> list[tuple[ast.stmt, bool]]:
    return parts_of(statement)


def _one_by_one(cell: CodeCell) -> Iterator[tuple[ast.stmt, bool]]:
    return (part for statement in cell.statements for part in _parts(statement))


@once
def scope(statement: ast.stmt) -> Scope:
    """The global names of a statement; every name in it if the compiler rejects it."""
    try:
        table = symtable.symtable(ast.unparse(statement), "cell", "exec")
    except UNREADABLE:
        names = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
        defined = {node.name for node in ast.walk(statement) if isinstance(node, DEFINITIONS)}
        return Scope(frozenset(names | defined), frozenset(), frozenset(names))
    top = table.get_symbols()
    binds = {s.get_name() for s in top if s.is_assigned() or s.is_imported()}
    reads = {s.get_name() for s in top if s.is_referenced()}
    inner = [s for child in table.get_children() for s in _globals(child)]
    return Scope(
        frozenset(binds | {s.get_name() for s in inner if s.is_assigned() or s.is_imported()}),
        frozenset(reads),
        frozenset(reads | {s.get_name() for s in inner}),
    )


def _globals(table: symtable.SymbolTable) -> list[symtable.Symbol]:
    """The global names of a function or class, and of what is inside it; no arguments and no local variables."""
    here = [symbol for symbol in table.get_symbols() if symbol.is_global()]
    return here + [symbol for child in table.get_children() for symbol in _globals(child)]


def _at_once(statement: ast.stmt) -> frozenset[str]:
    """The names that a statement binds as it runs, whatever becomes of the functions in it."""
    return frozenset([statement.name]) if isinstance(statement, DEFINITIONS) else scope(statement).binds


def _replaces(statement: ast.stmt, name: str) -> bool:
    """Does nothing of an earlier meaning of the name remain?"""
    return name not in scope(statement).reads and name in _at_once(statement)


def _meanings(statement: ast.stmt, always: bool, stars: dict[tuple[str, bool], list]) -> list[tuple[str, ast.stmt]]:
    """Each name that a statement binds, with that statement; of a star, the names that the module has, made once."""
    if not (isinstance(statement, ast.ImportFrom) and statement.names[0].name == "*"):
        return [(name, statement) for name in scope(statement).binds]
    star = (statement.module or "", always)
    if star not in stars:
        stars[star] = [(name, ast.ImportFrom(star[0], [ast.alias(name)], 0)) for name in _names_of(star[0])]
    return stars[star]


def _names_of(module: str) -> list[str]:
    """What a star imports from a module that is loaded here."""
    found = sys.modules.get(module)
    return list(getattr(found, "__all__", None) or [name for name in dir(found) if name[0] != "_"]) if found else []


@once
def _changed(statement: ast.stmt) -> frozenset[str]:
    """The names of the objects whose attributes or entries a statement sets."""
    into = [node for node in nodes_of(statement) if isinstance(node, INSIDE)]
    roots = [root_of(node) for node in into if not isinstance(node.ctx, ast.Load)]
    calls = (node for node in nodes_of(statement) if isinstance(node, ast.Call) and node.args)
    roots += [root_of(call.args[0]) for call in calls if isinstance(call.func, ast.Name) and call.func.id == "setattr"]
    return frozenset(filter(None, roots)) - OF_TORCH


@once
def _given_to_torch(statement: ast.stmt) -> list[str]:
    """The names in what a statement assigns to an attribute of torch: every answer may use it from then on."""
    if not isinstance(statement, ast.Assign):
        return []
    roots = {root_of(target) for target in statement.targets if isinstance(target, ast.Attribute)}
    return [node.id for node in ast.walk(statement.value) if isinstance(node, ast.Name)] if roots & OF_TORCH else []
