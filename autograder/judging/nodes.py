"""What is found in a syntax tree, looked for once: most cells are the same in every submission."""

import ast
from collections.abc import Callable
from functools import wraps
from typing import TypeVar

Thing = TypeVar("Thing")
Found = TypeVar("Found")


def once(look: Callable[[Thing], Found]) -> Callable[[Thing], Found]:
    """`look` at each node, or page, once: what it finds stays with it."""
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
