"""The part of a page that is run again if an answer isn't right, perhaps because of another one."""

import ast
from collections.abc import Collection, Iterator

from autograder.catalogue import find
from autograder.repair.sources import kept
from autograder.sandbox.session import CellToRun
from autograder.stripping.strip import solved_source

DEFINES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Import, ast.ImportFrom, ast.Pass)
GIVES_A_NAME = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Delete)


def second_page(
    cells: list[CellToRun], replaced: Collection[str], wanted: Collection[str], released: Collection[str]
) -> list[CellToRun]:
    """The cells down to the last test of `wanted`, with the reference's definition below each test of `replaced`.

    So each answer is judged before it is replaced, and what its cell defines beside it stays. Released cells that only
    show something are left out.
    """
    page, length = [], 0
    for cell in cells:
        if cell.exercise is None:
            page += [] if cell.source in released and only_shows(cell.source) else [cell]
            continue
        if cell.exercise in wanted:
            page.append(cell)
            length = len(page)
        if cell.exercise in replaced:
            page.append(CellToRun(f"{cell.id}-reference", solved_source(find(cell.exercise).reference)))
    return page[:length]


@kept
def does_something(source: str) -> bool:
    """Does a cell do more than define functions and classes, so it may change names that the cells above it use?

    >>> does_something("import torch\\ndef f(x):\\n    return x"), does_something("SETTINGS['stable'] = False")
    (False, True)
    """
    try:
        return any(not _only_defines(statement) for statement in ast.parse(source).body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # a magic, or nothing that can be read
        return True


def only_shows(source: str) -> bool:
    """Does a cell define no name?

    >>> only_shows("with needs_your('softmax'):\\n    show(softmax(x))"), only_shows("x = 3"), only_shows("%pwd")
    (True, False, False)
    """
    try:
        return not any(_names_given(ast.parse(source)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


def _only_defines(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.ClassDef):
        return not statement.decorator_list and all(map(_only_defines, statement.body))
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant)
    return isinstance(statement, DEFINES) and not getattr(statement, "decorator_list", ())


def _names_given(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        stored = isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del))
        if stored or isinstance(node, GIVES_A_NAME):
            yield node
