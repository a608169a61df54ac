"""What the calls of a page may have put into the object that a name stands for: a list, a dict, an attribute.

`tools.append(f)`, `operator.setitem(tools, 0, f)`, `@register` and `register(f)`, where `register` does such a thing,
and the same by another name of the object. Only the call is taken, not the statement around it: a demonstration that
mentions both the object and something ready-made puts nothing anywhere.
"""

import ast
from typing import TYPE_CHECKING

from autograder.judging.nodes import FUNCTIONS, OF_TORCH, once, root_of

if TYPE_CHECKING:
    from autograder.judging.page import Page

IMPORTS = (ast.Import, ast.ImportFrom)
SHOWN_AS_IT_IS = (ast.Name, ast.Attribute, ast.Subscript, ast.Tuple, ast.List, ast.Dict, ast.Lambda)  # no new object
LOOKS = {
    *("print", "display", "len", "repr", "str", "type", "id", "isinstance", "list", "tuple", "sum", "max", "min"),
    "sorted",
}
METHODS = {"append", "appendleft", "extend", "insert", "add", "update", "setdefault", "put", "push", "__setitem__"}


def filled_by(name: str, page: "Page") -> tuple[list[ast.stmt], list[str]]:
    """The calls that may put something into what `name` stands for, as statements; and other names for it."""
    meanings = page.bindings.get(name, ())
    if not meanings or all(isinstance(meaning, IMPORTS) for meaning in meanings):
        return [], []
    defined = all(isinstance(meaning, (*FUNCTIONS, ast.ClassDef)) for meaning in meanings)
    found: list[ast.Call | ast.stmt] = []
    through, aliases = set(), []
    mentions = _mentions(page)
    for statement in mentions.get(name, ()):
        calls = [call for call in _calls(statement) if _fills(call, name, defined, page)]
        found += calls
        if isinstance(statement, FUNCTIONS) and statement.name != name and (calls or _stores(statement, name)):
            through.add(statement.name)
        elif isinstance(statement, ast.Assign) and isinstance(statement.value, SHOWN_AS_IT_IS) and not defined:
            aliases += [target.id for target in statement.targets if isinstance(target, ast.Name) and target.id != name]
    for helper in {*through, *aliases}:
        for statement in mentions.get(helper, ()):
            found += [call for call in _calls(statement) if _name(call.func) == helper]
            found += [statement] if helper in map(_name, _decorators(statement)) else []
    return [_as_statement(one) for one in found], aliases


def _fills(call: ast.Call, name: str, defined: bool, page: "Page") -> bool:
    """Is it a method of the object that is given something, or a call that is given the object, or such a method?"""
    if isinstance(call.func, ast.Attribute) and root_of(call.func.value) == name:
        return bool(call.args or call.keywords)
    methods = (part for part in call.args if isinstance(part, ast.Attribute) and part.attr in METHODS)
    if any(root_of(part) == name for part in methods):
        return True
    only_looks = _name(call.func) in LOOKS and _name(call.func) not in page.bindings
    if defined or only_looks or (isinstance(call.func, ast.Attribute) and root_of(call.func) in OF_TORCH):
        return False
    if any(isinstance(part, ast.Name) and part.id == name for part in call.args):
        return True
    return _is_container(name, page) and any(_holds(keyword.value, name) for keyword in call.keywords)


def _is_container(name: str, page: "Page") -> bool:
    values = (getattr(meaning, "value", None) for meaning in page.bindings[name])
    return any(isinstance(value, (ast.Dict, ast.List, ast.Set)) for value in values)


def _holds(given: ast.expr, name: str) -> bool:
    """Is this the object, or a list, tuple, set or dict display that contains it?"""
    parts = given.values if isinstance(given, ast.Dict) else getattr(given, "elts", [given])
    return any(isinstance(part, ast.Name) and part.id == name for part in parts)


def _stores(statement: ast.stmt, name: str) -> bool:
    """Does a statement give an attribute or an entry of `name` a value?"""
    return name in _stored(statement)


@once
def _stored(statement: ast.stmt) -> set[str]:
    into = (node for node in ast.walk(statement) if isinstance(node, (ast.Attribute, ast.Subscript)))
    return {root_of(node) for node in into if not isinstance(node.ctx, ast.Load)}


@once
def _calls(statement: ast.stmt) -> list[ast.Call]:
    """Every call in a statement."""
    return [node for node in ast.walk(statement) if isinstance(node, ast.Call)]


@once
def _mentions(page: "Page") -> dict[str, list[ast.stmt]]:
    """Name → the student's statements that mention it."""
    mentions: dict[str, list[ast.stmt]] = {}
    for statement in page.written:
        for name in _named(statement):
            mentions.setdefault(name, []).append(statement)
    return mentions


@once
def _named(statement: ast.stmt) -> tuple[str, ...]:
    """Every name in a statement."""
    return tuple(dict.fromkeys(node.id for node in ast.walk(statement) if isinstance(node, ast.Name)))


def _decorators(statement: ast.stmt) -> list[ast.expr]:
    given = getattr(statement, "decorator_list", [])
    return [one.func if isinstance(one, ast.Call) else one for one in given]


@once
def _as_statement(found: ast.Call | ast.stmt) -> ast.stmt:
    """A call alone, the same object each time."""
    return found if isinstance(found, ast.stmt) else ast.copy_location(ast.Expr(found), found)


def _name(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else ""
