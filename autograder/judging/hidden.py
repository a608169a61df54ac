"""Ways in which a statement can call code that is not in the source: code in a string, a name made at run time, another
process, a library with a built-in answer, private parts of torch.
"""

import ast
import re
from collections.abc import Container, Iterable

from autograder.judging.cells import asks_shell, is_installed
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
from autograder.judging.nodes import DOTS, OF_TORCH, OURSELVES, last_name, nodes_of, once, root_of, written
from autograder.judging.page import scope
from autograder.judging.texts import runs_text, text_of, words_of

HARMLESS = ("default_timer",)
PRIVATE = re.compile(r"_(?!_)(?![A-Z]+[a-z])\w+")  # not `_LRScheduler`, a base class for schedulers


def hidden_in(statement: ast.stmt, bound: Container[str] = (), of_torch: Container[str] = OF_TORCH) -> list[str]:
    """All such ways. A function that is passed on does not count if its name is `bound`: the page defines it.

    >>> [hidden_in(ast.parse(source).body[0]) for source in ("os.fork()", "take = getattr", "torch._softmin", "x.y")]
    [['os.fork'], ['getattr'], ['torch._softmin'], []]
    """
    passed_on = [name for name in _passed_on(statement) if name not in bound]
    return [*_hidden_parts(statement), *passed_on, *_private(statement, of_torch)]


def names_of_torch(statements: Iterable[ast.stmt]) -> set[str]:
    """The names under which statements import torch or parts of it."""
    found = {*OF_TORCH}
    for node in (node for statement in statements for node in nodes_of(statement)):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            inside = isinstance(node, ast.ImportFrom) and _package(node.module) == "torch"
            own = (alias for alias in node.names if inside or _package(alias.name) == "torch")
            found |= {alias.asname or alias.name for alias in own}
    return found


def ready_elsewhere(statement: ast.stmt, allowed: Iterable[str]) -> str | None:
    """A library with many built-in answers that a statement imports, and that the page does not use."""
    packages = (_package(name) for node in nodes_of(statement) for name in _modules_of(node))
    return next((name for name in packages if name in WITH_READY_MADE and name not in allowed), None)


def derived_in(statement: ast.stmt) -> str | None:
    """A derivative that torch computes: that of `logsumexp` is the softmax."""
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
    """Functions that take a name or code as a text, passed on instead of called."""
    nodes, uses = nodes_of(statement), scope(statement).uses
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    rest = [node for node in nodes if id(node) not in called]
    names = (node.id for node in rest if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))
    found = [name for name in names if name in ("getattr", *BUILT_IN) and name in uses]
    return found + [written(node) for node in rest if isinstance(node, ast.Attribute) and node.attr in BY_NAME]


def _private(statement: ast.stmt, of_torch: Container[str]) -> list[str]:
    """Private attributes of torch. Those of `nn.init` only fill tensors."""
    attributes = (node for node in nodes_of(statement) if isinstance(node, ast.Attribute))
    private = (node for node in attributes if PRIVATE.fullmatch(node.attr) and root_of(node, DOTS) in of_torch)
    return [written(node) for node in private if last_name(node.value) != "init"]


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
        return None if name == "vars" and _asks_itself(node) else name
    if name in BY_NAME:
        return _named_out_of_sight(node)
    if any(keyword.arg == "allow_pickle" and _value(keyword) is not False for keyword in node.keywords):
        return "allow_pickle"
    return _hidden_method(node.func, node) if isinstance(node.func, ast.Attribute) else None


def _named_out_of_sight(node: ast.Call) -> str | None:
    """Whether `getattr` and the like take a name that is only known at run time, or is one of those listed."""
    name = last_name(node.func)
    asked = node.args[name == "getattr" :][:1]
    given = [*node.args, *(keyword.value for keyword in node.keywords)]
    if not asked or any(isinstance(part, ast.Starred) for part in given) or not all(map(text_of, asked)):
        return None if name == "getattr" and _asks_itself(node) else name
    words = (word for text in map(text_of, asked) for word in words_of(text))
    return next((word for word in words if word in OUT_OF_SIGHT or word in BEHIND), None)


def _asks_itself(call: ast.Call) -> bool:
    return bool(call.args) and last_name(call.args[0]) in OURSELVES


def _hidden_method(method: ast.Attribute, call: ast.Call) -> str | None:
    """A command of the shell, or an object that is unpickled."""
    if method.attr in ("system", "getoutput") and asks_shell(method.value):
        return "!"
    safe = any(keyword.arg == "weights_only" and _value(keyword) is True for keyword in call.keywords)
    loads = method.attr == "load" and root_of(method, DOTS) in OF_TORCH and not safe
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
    """What `import` binds: the module with `as`; else the package, whose parts are judged where they are used."""
    names = node.names if isinstance(node, ast.Import) else []
    return [alias.name if alias.asname else _package(alias.name) for alias in names]


def _package(module: str | None) -> str:
    return (module or "").split(".")[0]
