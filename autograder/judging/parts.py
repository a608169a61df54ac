"""The statements of a cell one by one: those inside `with`, `for`, `while`, `if`, `try` and `match`, and each import.

So a demonstration in the same block as a definition is not part of it. The head of a block stays as a statement of its
own, because it can bind names, such as the variable of a loop.
"""

import ast
from collections.abc import Iterable, Iterator

NOTHING = (ast.Pass, ast.Break, ast.Continue)
BLOCKS = (
    *(ast.With, ast.AsyncWith, ast.For, ast.AsyncFor, ast.While, ast.If, ast.Match, ast.Try),
    *([ast.TryStar] if hasattr(ast, "TryStar") else []),
)


def parts_of(statement: ast.stmt) -> list[tuple[ast.stmt, bool]]:
    """The statements, in order, and whether each runs whenever the statement does.

    >>> [(ast.unparse(part), always) for part, always in parts_of(ast.parse("import a, b").body[0])]
    [('import a', True), ('import b', True)]
    >>> [ast.unparse(part) for part, _ in parts_of(ast.parse("for f in [g]:\\n    x = f\\nelse:\\n    y = f").body[0])]
    ['for f in [g]:\\n    pass', 'x = f', 'y = f']
    """
    found, waiting = [], [(statement, True)]
    while waiting:
        one, always = waiting.pop()
        if isinstance(one, BLOCKS):
            found.append((_head(one), False))
            waiting += [(inner, False) for inner in reversed([*_bodies(one)])]
        elif isinstance(one, (ast.Import, ast.ImportFrom)) and len(one.names) > 1:
            found += [(_like(one, names=[alias]), always) for alias in one.names]
        elif not isinstance(one, NOTHING):
            found.append((one, always))
    return found


def _bodies(block: ast.stmt) -> Iterator[ast.stmt]:
    """Every statement directly inside a block."""
    yield from getattr(block, "body", ())
    for part in (*getattr(block, "handlers", ()), *getattr(block, "cases", ())):
        yield from part.body
    yield from getattr(block, "orelse", ())
    yield from getattr(block, "finalbody", ())


def _head(block: ast.stmt) -> ast.stmt:
    """The block without its statements. A `try` keeps its calls: one of them may raise the error that `as` binds."""
    empty: list[ast.stmt] = [ast.Pass()]
    if isinstance(block, ast.Match):
        return _like(block, cases=[ast.match_case(case.pattern, case.guard, empty) for case in block.cases])
    handlers = getattr(block, "handlers", None)
    if handlers is None:
        return _like(block, body=empty, orelse=[])
    called = [ast.Expr(call) for call in _calls(_bodies(block))] if any(one.name for one in handlers) else []
    caught = [ast.ExceptHandler(one.type, one.name, empty) for one in handlers]
    return _like(block, body=called or empty, handlers=caught, orelse=[], finalbody=[])


def _like(statement: ast.stmt, **parts: list) -> ast.stmt:
    """A copy of the statement with some parts replaced."""
    same = dict(ast.iter_fields(statement))
    changed = {name: part for name, part in parts.items() if name in same}
    return ast.copy_location(type(statement)(**{**same, **changed}), statement)


def _calls(statements: Iterable[ast.stmt]) -> list[ast.Call]:
    return [node for statement in statements for node in ast.walk(statement) if isinstance(node, ast.Call)]
