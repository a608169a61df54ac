"""The code of a notebook as IPython executes it, and the statements that one of its objects is made of.

What IPython makes of a cell is what is read: a magic that runs code is read as that code. What it executes and
nobody can read here is named in `unread`, for a person to look at.
"""

import ast
import importlib.util
import re
import symtable
import sys
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from IPython.core.inputtransformer2 import TransformerManager

from autograder.judging.containers import filled_by
from autograder.judging.entries import Taken
from autograder.judging.nodes import nodes_of, once
from autograder.judging.parts import parts_of

UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)
SMALL = 10_000  # characters of a cell whose tree is kept
TORCH = {"torch", "nn", "F", "Tensor"}  # what a page imports
RUN_CODE = ("time", "timeit", "capture", "prun", "debug")  # magics whose text is code of the page
OPTIONS = re.compile(r"\s*(-\w+(\s*\d+)?\s+)*")
HARMLESS = re.compile(  # magics that give no name a meaning
    "bash|cat|cd|conda|config|cp|env|history|html|javascript|latex|ls|lsmagic|markdown|matplotlib|mkdir|mv|pdb|pinfo2?|pip|"
    "precision|psearch|pwd|rm|sh|svg|sx|system|who|who_ls|whos|writefile|xmode"
)
SHELLS = ("bash", "sh", "sx", "system", "getoutput")
STAYS_BEHIND = re.compile(r"--bg\b|(?<![&>])&(?=[\s);]|$)")  # a process that may answer later
CALLS_OF_MAGICS = ("run_line_magic", "run_cell_magic", "system", "getoutput")
FULL = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign, ast.Import, ast.ImportFrom)


@dataclass(frozen=True)
class CodeCell:
    """The statements of a cell, those of its magics after its own, and what it executes that cannot be read."""

    statements: tuple[ast.stmt, ...] = ()
    unread: tuple[str, ...] = ()


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

        What a call may have put into an object that a name stands for is reached too: the call, and what it names.
        """
        reached: dict[int, ast.stmt] = {}
        given = [(name, True) for statement in self.written for name in _given_to_torch(statement)]
        names, seen = [*given, (root, True)], set()
        taken = Taken(self)  # of what is put somewhere

        def reach(statement: ast.stmt, looked_into: bool) -> None:
            if id(statement) not in reached:
                reached[id(statement)] = statement
                taken.add(statement)
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
                    taken.note(statement, looked_into)
            while found := taken.now():
                for noted in found:
                    reach(*noted)
        return [*reached.values()]

    def _meaning(self, name: str) -> Iterator[ast.stmt]:
        """What a name may stand for, last first: back to the statement that leaves nothing of an earlier meaning."""
        for statement in reversed(self.bindings.get(name, ())):
            yield statement
            if id(statement) not in self.perhaps and isinstance(statement, FULL) and _replaces(statement, name):
                return


def read(source: str) -> CodeCell:
    """A cell as IPython executes it; nothing of one that no Python accepts."""
    return _kept(source) if len(source) <= SMALL else _read(source)


@lru_cache(maxsize=512)
def _kept(source: str) -> CodeCell:
    """Cached, because most cells are the same in every submission and each is read for every exercise."""
    return _read(source)


def _read(source: str) -> CodeCell:
    try:
        statements = _parsed(source)
    except SyntaxError:
        return CodeCell()
    except (*UNREADABLE, RuntimeError):
        return CodeCell(unread=("a cell that is too deeply nested to be read",))
    if not any(isinstance(node, ast.Name) and node.id == "get_ipython" for node in _nodes(statements)):
        return CodeCell(tuple(statements))
    return _with_magics(statements)


def _parsed(source: str) -> list[ast.stmt]:
    """The statements of a cell; what is Python already, IPython executes as it stands."""
    try:
        return ast.parse(source).body
    except SyntaxError:
        return ast.parse(TransformerManager().transform_cell(source)).body


def _nodes(statements: Iterable[ast.stmt]) -> Iterator[ast.AST]:
    return (node for statement in statements for node in nodes_of(statement))


def _with_magics(statements: list[ast.stmt]) -> CodeCell:
    inside, unread, followed = [], [], 0
    for node in _nodes(statements):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and asks_shell(node.func.value)):
            continue
        texts = [part.value for part in node.args if isinstance(part, ast.Constant) and isinstance(part.value, str)]
        if node.func.attr not in CALLS_OF_MAGICS or len(texts) < len(node.args) or not texts:
            continue
        followed += 1
        name = node.func.attr if node.func.attr in SHELLS else texts[0]
        if name in SHELLS and any(map(STAYS_BEHIND.search, texts)):
            unread.append("!… &")
        if name in SHELLS or HARMLESS.fullmatch(name):
            continue
        if name in RUN_CODE:
            cells = [read(text) for text in (OPTIONS.sub("", texts[1], count=1), *texts[2:])]
            inside += [statement for cell in cells for statement in cell.statements]
            unread += [way for cell in cells for way in cell.unread]
        elif name not in ("load_ext", "reload_ext") or not is_installed(texts[1].split(".")[0]):
            unread.append(f"%{name}")
    uses = sum(isinstance(node, ast.Name) and node.id == "get_ipython" for node in _nodes(statements))
    return CodeCell((*statements, *inside), (*unread, *(["get_ipython"] if uses > followed else [])))


def asks_shell(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "get_ipython"


def is_installed(package: str) -> bool:
    """Can this be imported where no submission has written anything? Nothing is imported to find out."""
    try:
        return package in sys.modules or importlib.util.find_spec(package) is not None
    except (ImportError, ValueError):
        return False


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
        defined = {node.name for node in ast.walk(statement) if isinstance(node, FULL[:3])}
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
    return frozenset([statement.name]) if isinstance(statement, FULL[:3]) else scope(statement).binds


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
    """The names of the objects that a statement puts something into: an attribute, an item."""
    into = [node for node in nodes_of(statement) if isinstance(node, (ast.Attribute, ast.Subscript))]
    roots = [_root(node) for node in into if not isinstance(node.ctx, ast.Load)]
    calls = (node for node in nodes_of(statement) if isinstance(node, ast.Call) and node.args)
    roots += [_root(call.args[0]) for call in calls if isinstance(call.func, ast.Name) and call.func.id == "setattr"]
    return frozenset(filter(None, roots)) - TORCH


@once
def _given_to_torch(statement: ast.stmt) -> list[str]:
    """The names of what a statement makes an attribute of torch's own: every answer may use it from then on."""
    if not isinstance(statement, ast.Assign):
        return []
    roots = {_root(target) for target in statement.targets if isinstance(target, ast.Attribute)}
    return [node.id for node in ast.walk(statement.value) if isinstance(node, ast.Name)] if roots & TORCH else []


def _root(node: ast.AST) -> str:
    """`a` of `a.b[0].c`; empty if it does not start with a name."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
