"""Names that a page's code uses and nothing above it defines: an answer is copied from a module without its imports."""

import builtins
import symtable
from collections.abc import Iterator

ALWAYS = frozenset(dir(builtins)) | {"__name__", "__file__", "__doc__"}


def made(source: str) -> set[str]:
    """The names that code defines at the top level: by import, assignment, `def` or `class`.

    >>> sorted(made("import numpy as np\\nfrom a import b\\ndef f(x):\\n    y = x\\n"))
    ['b', 'f', 'np']
    """
    return {one.get_name() for one in _table(source).get_symbols() if one.is_assigned() or one.is_imported()}


def missing(source: str, known: set[str]) -> list[str]:
    """The names that code uses, also in annotations, and that are neither defined in it nor `known`.

    >>> missing("def f(x: Callable) -> Tree:\\n    return [np.sum(row) for row in x]\\n", {"np"})
    ['Callable', 'Tree']
    """
    top = _table(source)
    taken = {one.get_name() for table in _all(top) for one in table.get_symbols() if _taken(one, table is top)}
    return sorted(taken - made(source) - known - ALWAYS)


def _taken(symbol: symtable.Symbol, at_top: bool) -> bool:
    return symbol.is_referenced() and (at_top or symbol.is_global())


def _table(source: str) -> symtable.SymbolTable:
    return symtable.symtable(source, "<page>", "exec")


def _all(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    yield table
    for child in table.get_children():
        yield from _all(child)
