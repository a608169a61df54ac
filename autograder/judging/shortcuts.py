"""Find, in the syntax tree of a submission, the names that would make an exercise empty.

Looked at is what the student's object reaches: its own definition, and the helpers, imports and
assignments of other cells that it names, and theirs in turn. A demonstration elsewhere on the page
that calls PyTorch's own attention is nobody's shortcut.
"""

import ast
import re
import symtable
from collections.abc import Callable, Iterable
from functools import lru_cache, wraps

from autograder.catalogue.exercise import Exercise
from autograder.stages import left_out_of, stage_of

UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)
SMALL = 10_000  # characters of a cell whose tree is kept
MAGIC = re.compile(r"^(\s*)[%!?].*$", re.MULTILINE)
BY_NAME = ("getattr", "attrgetter", "methodcaller", "__getattribute__")  # take a name as a text
BUILT_IN = ("exec", "eval", "compile", "__import__", "globals", "vars")  # as names: `model.eval()` is something else
AT_RUN_TIME = (*BUILT_IN, "import_module", "CompilationUnit")
TORCH = {"torch", "nn", "F", "Tensor"}  # what a page imports
BEHIND = (
    "_C",
    "ops",
    "DisableTorchFunction",
    "DisableTorchFunctionSubclass",
    "modules",
    "autograder",
    "builtins",
    "ctypes",
)


def shortcut(exercise: Exercise, cells: Iterable[str]) -> str | None:
    """A sentence that names the shortcut an object takes, or None.

    Args:
        exercise: what is being judged; its id is the name of the student's object.
        cells: the sources of the notebook's cells, in order.
    """
    trees = [tree for tree in map(_parse, cells) if tree is not None]
    closed = left_out_of(stage_of(exercise.id).name)
    libraries = {"course_lib"}.union(*map(_aliases_of_course_lib, trees))
    for node in _reached(exercise.id, trees):
        for part in ast.walk(node):
            if name := _ready_made(part, exercise.forbidden):
                return f"`{name}` does the whole exercise: write it from its parts."
            if name := _imported_answer(part, closed, libraries):
                return f"`{name}` comes from course_lib: importing the answer is not an answer."
    return None


def out_of_sight(exercise: Exercise, cells: Iterable[str]) -> str | None:
    """What an object reaches by ways that a reader of the source cannot follow, or None: for a person to look at.

    >>> from autograder.catalogue import find
    >>> out_of_sight(find("softmax"), ["def softmax(x, dim): return eval('x')"])
    'eval'
    >>> out_of_sight(find("softmax"), ["def softmax(x, dim): return x.model.eval()"])
    """
    trees = [tree for tree in map(_parse, cells) if tree is not None]
    parts = (part for node in _reached(exercise.id, trees) for part in ast.walk(node))
    return next((name for name in map(_hidden, parts) if name), None)


def statements_reached(name: str, cells: Iterable[str]) -> list[ast.stmt]:
    """The definition of an object, and of the helpers that it reaches.

    >>> len(statements_reached("f", ["def f(x): return g(x) + 1", "def g(x): return x", "def k(x): return x"]))
    2
    """
    return _reached(name, [tree for tree in map(_parse, cells) if tree is not None])


def _hidden(node: ast.AST) -> str | None:
    """The name of a way to code that does not stand in the source."""
    if isinstance(node, ast.Call):
        name = _last_name(node.func)
        if _runs_text(node):
            return name
        asked = node.args[name == "getattr" :][:1]
        mine = name == "getattr" and node.args and _last_name(node.args[0]) in ("self", "cls")
        return name if name in BY_NAME and not mine and not all(map(_text, asked)) else None
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        named = [getattr(node, "module", None) or "", *(alias.name for alias in node.names)]
        return next((part for name in named for part in name.split(".") if part in BEHIND + AT_RUN_TIME), None)
    if isinstance(node, ast.Attribute) and node.attr in BEHIND:
        return _written(node) if _last_name(node.value) in ("torch", "sys", "_C") else None
    return None


def _runs_text(call: ast.Call) -> bool:
    """Does this call run code that stands in a text, or import by a text?"""
    name = _last_name(call.func)
    return name in AT_RUN_TIME and (isinstance(call.func, ast.Name) or name not in BUILT_IN)


def _last_name(node: ast.AST) -> str:
    """`c` of `a.b.c`; empty for what is no name."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _text(node: ast.AST) -> str | None:
    """The text that an expression of constants gives: written in one piece, added up, or joined; else None."""
    try:
        return _joined(node)
    except RecursionError:
        return None


def _joined(node: ast.AST) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    parts, between = [], ""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        parts = [_joined(node.left), _joined(node.right)]
    elif isinstance(node, ast.JoinedStr):
        parts = [_joined(value.value if isinstance(value, ast.FormattedValue) else value) for value in node.values]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "join" and node.args:
        between = _joined(node.func.value)
        parts = [_joined(part) for part in getattr(node.args[0], "elts", ())]
    return between.join(parts) if parts and between is not None and None not in parts else None


def _parse(source: str) -> ast.Module | None:
    return _kept(source) if len(source) <= SMALL else _parsed(source)


@lru_cache(maxsize=128)
def _kept(source: str) -> ast.Module | None:
    """Most cells are the same in every submission, and each is looked at for every exercise."""
    return _parsed(source)


def _parsed(source: str) -> ast.Module | None:
    try:
        return ast.parse(MAGIC.sub(r"\1pass", source))
    except UNREADABLE:
        return None


def _once(look: Callable) -> Callable:
    """`look` at each node once: what it finds stays with the node."""
    name = f"_{look.__name__}"

    @wraps(look)
    def looked(node: ast.AST):
        if name not in vars(node):
            setattr(node, name, look(node))
        return getattr(node, name)

    return looked


@_once
def _bound(statement: ast.stmt) -> set[str]:
    """The names that a top-level statement gives a meaning to."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {statement.name}
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return {(alias.asname or alias.name).split(".")[0] for alias in statement.names}
    return {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def _reached(root: str, trees: list[ast.Module]) -> list[ast.stmt]:
    """The top-level statements that the object's last definition reaches by name."""
    meaning: dict[str, ast.stmt] = {}
    for tree in trees:
        for statement in tree.body:
            for name in _bound(statement):
                meaning[name] = statement
    reached: list[ast.stmt] = []
    names = [root, *(name for tree in trees for statement in tree.body for name in _given_to_torch(statement))]
    while names:
        statement = meaning.get(names.pop())
        if statement is None or statement in reached:
            continue
        reached.append(statement)
        names += _names_used(statement)
    return reached


@_once
def _names_used(statement: ast.stmt) -> list[str]:
    """The global names that a statement refers to; every name in it where it is no sense to the compiler."""
    try:
        return _globals_used(symtable.symtable(ast.unparse(statement), "cell", "exec"))
    except UNREADABLE:
        return [node.id for node in ast.walk(statement) if isinstance(node, ast.Name)]


def _written(node: ast.Attribute) -> str:
    """How an attribute stands in the source; its last name where that has no end."""
    try:
        return ast.unparse(node)
    except RecursionError:
        return node.attr


@_once
def _given_to_torch(statement: ast.stmt) -> list[str]:
    """The names of what a statement makes an attribute of torch's own: every answer may use it from then on."""
    if not isinstance(statement, ast.Assign):
        return []
    roots = {_written(t).split(".")[0] for t in statement.targets if isinstance(t, ast.Attribute)}
    return [node.id for node in ast.walk(statement.value) if isinstance(node, ast.Name)] if roots & TORCH else []


def _globals_used(table: symtable.SymbolTable) -> list[str]:
    """The global names that a statement refers to; arguments and local variables are not among them."""
    here = table.get_type() == "module"
    names = [s.get_name() for s in table.get_symbols() if (s.is_referenced() if here else s.is_global())]
    return names + [name for child in table.get_children() for name in _globals_used(child)]


@_once
def _aliases_of_course_lib(tree: ast.Module) -> set[str]:
    """The names under which course_lib or its modules were imported as modules."""
    found, package = set(), "course_lib"
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {a.asname or package for a in node.names if a.name.split(".")[0] == package}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == package:
            found |= {alias.asname or alias.name for alias in node.names if alias.name.islower()}
    return found


def _ready_made(node: ast.AST, forbidden: tuple[str, ...]) -> str | None:
    if isinstance(node, ast.Attribute) and node.attr in forbidden:
        mine = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
        return None if mine else _written(node)
    if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "torch":
        return next((alias.name for alias in node.names if alias.name in forbidden), None)
    if isinstance(node, ast.Call) and _last_name(node.func) in BY_NAME:
        return next((text for text in map(_text, node.args) if text in forbidden), None)
    if isinstance(node, ast.Call) and _runs_text(node):
        words = {word for text in map(_text, node.args) if text for word in re.findall(r"\w+", text)}
        return next((name for name in forbidden if name in words), None)
    return _text(node.slice) if isinstance(node, ast.Subscript) and _text(node.slice) in forbidden else None


def _imported_answer(node: ast.AST, closed: frozenset[str], libraries: set[str]) -> str | None:
    if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "course_lib":
        return next((alias.name for alias in node.names if alias.name in closed), None)
    if isinstance(node, ast.Attribute) and node.attr in closed:
        base = node.value
        while isinstance(base, ast.Attribute):
            base = base.value
        if isinstance(base, ast.Name) and base.id in libraries:
            return node.attr
    return None
