"""Ways to call something that isn't written in the source: code in a string, a name made at run time, another process,
a library with a ready-made answer, private parts of torch.

Only the statements that an answer reaches are looked at. None of this is forbidden; it is flagged for a person to see.
"""

import ast
import re
from collections.abc import Container, Iterable, Iterator

from autograder.judging.hidden_names import (
    AT_RUN_TIME,
    BEHIND,
    BUILT_IN,
    BY_NAME,
    DERIVES,
    MODULES,
    OUT_OF_SIGHT,
    WITH_READY_MADE,
)
from autograder.judging.nodes import nodes_of, once
from autograder.judging.own_names import OF_TORCH, OURSELVES, last_name
from autograder.judging.page import asks_shell, is_installed, scope

HARMLESS = ("default_timer",)
PRIVATE = re.compile(r"_(?!_)(?![A-Z]+[a-z])\w+")  # no `_LRScheduler`, from which one derives


def hidden_in(statement: ast.stmt, bound: Container[str] = (), of_torch: Container[str] = OF_TORCH) -> str | None:
    """The first way in a statement, beside names that the page gives another meaning.

    >>> [hidden_in(ast.parse(source).body[0]) for source in ("os.fork()", "take = getattr", "torch._refs", "x.y")]
    ['os.fork', 'getattr', 'torch._refs', None]
    """
    passed_on = (name for name in _passed_on(statement) if name not in bound)
    return next(iter(_hidden_parts(statement)), None) or next(passed_on, None) or _private(statement, of_torch)


def names_of_torch(statements: Iterable[ast.stmt]) -> set[str]:
    """The names under which statements import torch, or something of it."""
    found = {*OF_TORCH}
    for node in (node for statement in statements for node in nodes_of(statement)):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            inside = isinstance(node, ast.ImportFrom) and _package(node.module) == "torch"
            own = (alias for alias in node.names if inside or _package(alias.name) == "torch")
            found |= {alias.asname or alias.name for alias in own}
    return found


def ready_elsewhere(statement: ast.stmt, allowed: Iterable[str]) -> str | None:
    """Another library that has much ready-made, where a statement imports it."""
    packages = (_package(name) for node in nodes_of(statement) for name in _modules_of(node))
    return next((name for name in packages if name in WITH_READY_MADE and name not in allowed), None)


def derived_in(statement: ast.stmt) -> str | None:
    """A derivative that is asked of torch: that of `logsumexp` is a softmax."""
    nodes = nodes_of(statement)
    called = (node.func for node in nodes if isinstance(node, ast.Call))
    named = [written(func) for func in called if isinstance(func, ast.Attribute) and func.attr in DERIVES]
    imports = (node for node in nodes if isinstance(node, ast.ImportFrom) and _package(node.module) == "torch")
    named += [alias.name for node in imports for alias in node.names if alias.name in DERIVES]
    return next(iter(named), None)


@once
def _hidden_parts(statement: ast.stmt) -> list[str]:
    return [name for name in map(_hidden, nodes_of(statement)) if name]


@once
def _passed_on(statement: ast.stmt) -> list[str]:
    """Functions that take a name or code as a text, given to somebody else instead of called."""
    nodes, uses = nodes_of(statement), scope(statement).uses
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    rest = [node for node in nodes if id(node) not in called]
    names = (node.id for node in rest if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))
    found = [name for name in names if name in ("getattr", *BUILT_IN) and name in uses]
    return found + [written(node) for node in rest if isinstance(node, ast.Attribute) and node.attr in BY_NAME]


def _private(statement: ast.stmt, of_torch: Container[str]) -> str | None:
    """What torch keeps to itself; `nn.init` has only numbers to start from."""
    attributes = (node for node in nodes_of(statement) if isinstance(node, ast.Attribute))
    private = (node for node in attributes if PRIVATE.fullmatch(node.attr) and _base(node) in of_torch)
    return next((written(node) for node in private if last_name(node.value) != "init"), None)


def _hidden(node: ast.AST) -> str | None:
    """The name of a way to run code that is not in the source."""
    if isinstance(node, ast.Call):
        return _hidden_call(node)
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return _hidden_import(node)
    if isinstance(node, ast.Attribute):
        return _hidden_attribute(node)
    if isinstance(node, ast.MatchClass):
        return next((name for name in node.kwd_attrs if name in OUT_OF_SIGHT), None)
    name = node.name if isinstance(node, ast.FunctionDef) else node.id if isinstance(node, ast.Name) else ""
    return name if name == "get_ipython" or (name in OUT_OF_SIGHT and name.startswith("__")) else None


def _hidden_call(node: ast.Call) -> str | None:
    name = last_name(node.func)
    if runs_text(node):
        return name
    if name in BY_NAME:
        return _named_out_of_sight(node)
    if any(keyword.arg == "allow_pickle" and _value(keyword) is not False for keyword in node.keywords):
        return "allow_pickle"
    return _hidden_method(node.func, node) if isinstance(node.func, ast.Attribute) else None


def _named_out_of_sight(node: ast.Call) -> str | None:
    """A name as a text that is only known when it runs, or is one of those here."""
    name = last_name(node.func)
    asked = node.args[name == "getattr" :][:1]
    given = [*node.args, *(keyword.value for keyword in node.keywords)]
    if not asked or any(isinstance(part, ast.Starred) for part in given) or not all(map(text_of, asked)):
        mine = name == "getattr" and node.args and last_name(node.args[0]) in OURSELVES
        return None if mine else name
    words = (word for text in map(text_of, asked) for word in words_of(text))
    return next((word for word in words if word in OUT_OF_SIGHT or word in BEHIND), None)


def _hidden_method(method: ast.Attribute, call: ast.Call) -> str | None:
    """A command of the shell, or an object that is unpickled."""
    if method.attr in ("system", "getoutput") and asks_shell(method.value):
        return "!"
    safe = any(keyword.arg == "weights_only" and _value(keyword) is True for keyword in call.keywords)
    loads = method.attr == "load" and _base(method) in OF_TORCH and not safe
    runs = method.attr == "system" and last_name(method.value) != "platform"
    return written(method) if loads or runs else None


def _value(keyword: ast.keyword) -> object:
    return keyword.value.value if isinstance(keyword.value, ast.Constant) else None


def _hidden_attribute(node: ast.Attribute) -> str | None:
    if isinstance(node.value, ast.Name) and node.value.id in OURSELVES:
        return None
    behind = node.attr in BEHIND and last_name(node.value) in ("torch", "sys", "_C")
    return written(node) if behind or node.attr in OUT_OF_SIGHT else None


def _hidden_import(node: ast.Import | ast.ImportFrom) -> str | None:
    modules = _modules_of(node)
    names = [alias.name for alias in node.names] if isinstance(node, ast.ImportFrom) else modules
    known = {*BEHIND, *AT_RUN_TIME, *OUT_OF_SIGHT}
    if found := next((part for name in (*modules, *names) for part in name.split(".") if part in known), None):
        return found
    if found := next((name for name in modules if _package(name) in MODULES and not {*names} <= {*HARMLESS}), None):
        return found
    if "torch" in map(_package, modules):
        parts = (part for name in (*modules, *names) for part in name.split("."))
        return next((part for part in parts if PRIVATE.fullmatch(part)), None)
    return next((name for name in modules if not is_installed(_package(name))), None)


def _modules_of(node: ast.AST) -> list[str]:
    """The modules that an import names."""
    return [node.module or ""] if isinstance(node, ast.ImportFrom) else _imported(node)


def _imported(node: ast.AST) -> list[str]:
    """What `import` gives a name: the package, of which more is asked where it is used, or the module with `as`."""
    names = node.names if isinstance(node, ast.Import) else []
    return [alias.name if alias.asname else _package(alias.name) for alias in names]


def _package(module: str | None) -> str:
    return (module or "").split(".")[0]


def runs_text(call: ast.Call) -> bool:
    """Does this call run code that stands in a text, or import by a text?"""
    name = last_name(call.func)
    return name in AT_RUN_TIME and (isinstance(call.func, ast.Name) or name not in BUILT_IN)


def words_of(text: str | None) -> Iterator[str]:
    """The names in a text."""
    return iter(re.findall(r"\w+", text or ""))


def text_of(node: ast.AST) -> str | None:
    """The text that an expression of constants gives: written in one piece, added up, or joined; else None."""
    try:
        return _joined(node)
    except RecursionError:
        return None


def _joined(node: ast.AST) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    parts: list[str | None] = []
    between: str | None = ""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        parts = [_joined(node.left), _joined(node.right)]
    elif isinstance(node, ast.JoinedStr):
        parts = [_joined(value.value if isinstance(value, ast.FormattedValue) else value) for value in node.values]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "join" and node.args:
        between = _joined(node.func.value)
        parts = [_joined(part) for part in getattr(node.args[0], "elts", ())]
    known = [part for part in parts if part is not None]
    return between.join(known) if parts and between is not None and len(known) == len(parts) else None


def written(node: ast.Attribute) -> str:
    """How an attribute is written in the source; its last name if that is too long."""
    try:
        return ast.unparse(node)
    except RecursionError:
        return node.attr


def _base(node: ast.Attribute) -> str:
    """`a` of `a.b.c`; empty if that is not a name."""
    base = node.value
    while isinstance(base, ast.Attribute):
        base = base.value
    return base.id if isinstance(base, ast.Name) else ""
