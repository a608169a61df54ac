"""Nodes of a syntax tree, and the names in them.

What has been found at a node is kept there: most cells are the same in every submission.
"""

import ast
from collections.abc import Callable
from functools import wraps
from typing import TypeVar

Thing = TypeVar("Thing")
Found = TypeVar("Found")
OF_TORCH = {"torch", "nn", "F", "Tensor"}  # the names by which a page imports torch and parts of it
OURSELVES = ("self", "cls")
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
Link = type[ast.Attribute | ast.Subscript | ast.Call]
DOTS = (ast.Attribute,)
INSIDE = (*DOTS, ast.Subscript)


def once(look: Callable[[Thing], Found]) -> Callable[[Thing], Found]:
    """`look`, called once for each node or page: the result is kept as an attribute of it."""
    name = f"_{look.__module__}_{look.__name__}"

    @wraps(look)
    def looked(thing: Thing) -> Found:
        kept = vars(thing)
        if name not in kept:
            kept[name] = look(thing)
        found: Found = kept[name]
        return found

    return looked


@once
def nodes_of(statement: ast.AST) -> list[ast.AST]:
    """The statement and every node in it."""
    return [*ast.walk(statement)]


def last_name(node: ast.AST) -> str:
    """`c` of `a.b.c`; empty if it is not a name."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def root_of(node: ast.AST, through: tuple[Link, ...] = INSIDE) -> str:
    """The name that a chain of attributes and entries starts with; empty if it does not start with a name.

    >>> chain = ast.parse("a.b[0](c).d").body[0].value
    >>> root_of(chain), root_of(chain, (*INSIDE, ast.Call))
    ('', 'a')
    """
    while isinstance(node, through):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def written(node: ast.Attribute) -> str:
    """How an attribute is written in the source; its last name if that is too long."""
    try:
        return ast.unparse(node)
    except RecursionError:
        return node.attr
