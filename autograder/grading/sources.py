"""What a cell's source says about itself: read as Python where it parses, by pattern where it does not.

The sources are a student's: nothing here runs them, and no source may cost the reader more than a moment.
"""

import ast
import re
import symtable
import warnings

MAX_PARSED = 200_000  # characters; longer sources are searched by pattern alone
MAGIC = re.compile(r"^([ \t]*)[%!?].*$", re.MULTILINE)
DEFINITION = re.compile(r"^[ \t]*(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)", re.MULTILINE)
CHECK = re.compile(r"""^[ \t]*check\(\s*["'](\w+)["']\s*(?:,\s*([\w.]+)\s*)?\)[ \t;]*(?:#.*)?$""", re.MULTILINE)
UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)


def normal(source: str) -> str:
    """The source without the differences that editors make: line ends, trailing spaces, blank margins.

    >>> normal("a = 1  \\r\\nb = 2\\n\\n")
    'a = 1\\nb = 2'
    """
    return "\n".join(line.rstrip() for line in source.splitlines()).strip("\n")


def parse(source: str) -> ast.Module | None:
    """The syntax tree, IPython's magics left aside; None where the source is not Python."""
    if len(source) > MAX_PARSED:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(MAGIC.sub(r"\1pass", source))
    except UNREADABLE:
        return None


def compiles(source: str) -> bool:
    """Whether the source could run as a cell: a `return` outside a function, for one, cannot."""
    if len(source) > MAX_PARSED:
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(MAGIC.sub(r"\1pass", source), "cell", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    except UNREADABLE:
        return False
    return True


def bound(source: str) -> set[str]:
    """The names that the cell's top level defines or assigns; imports do not count as writing an answer.

    >>> sorted(bound("def f(x):\\n    y = x\\n    return y\\ng = h = f"))
    ['f', 'g', 'h']
    """
    tree = parse(source)
    if tree is None:
        return set(DEFINITION.findall(source))
    return {name for statement in tree.body for name in bound_by(statement)}


def defined(source: str) -> set[str]:
    """The functions and classes that the source defines.

    >>> defined("def f(x):\\n    return (x")
    {'f'}
    """
    tree = parse(source)
    if tree is None:
        return set(DEFINITION.findall(source))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return {statement.name for statement in tree.body if isinstance(statement, kinds)}


def needed(source: str) -> set[str]:
    """The global names that the source reads, those inside its functions included.

    >>> sorted(needed("def f(x):\\n    y = shift(x)\\n    return y"))
    ['shift']
    """
    names, scopes = set(), _scopes(source)
    while scopes:
        scope = scopes.pop()
        top = scope.get_type() == "module"
        names |= {s.get_name() for s in scope.get_symbols() if s.is_referenced() and (top or s.is_global())}
        scopes += scope.get_children()
    return names


def provided(source: str) -> set[str]:
    """Every name that the top level gives a value: definitions, assignments, imports, loop variables.

    >>> sorted(provided("import math\\nfor i in range(3): f = math.exp"))
    ['f', 'i', 'math']
    """
    scopes = _scopes(source)
    if not scopes:
        return set(DEFINITION.findall(source))
    return {s.get_name() for s in scopes[0].get_symbols() if s.is_assigned() or s.is_imported()}


def _scopes(source: str) -> list[symtable.SymbolTable]:
    """The module's scope in a list, or an empty list where the source is not Python."""
    if len(source) > MAX_PARSED:
        return []
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return [symtable.symtable(MAGIC.sub(r"\1pass", source), "cell", "exec")]
    except UNREADABLE:
        return []


def definition(source: str, name: str) -> str | None:
    """The text of the last definition of `name`; where the source is not Python, its block by indentation."""
    tree = parse(source)
    lines = source.splitlines()
    if tree is not None:
        spans = [
            (min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))]), node.end_lineno)
            for node in tree.body
            if name in bound_by(node)
        ]
        return "\n".join(lines[spans[-1][0] - 1 : spans[-1][1]]) if spans else None
    starts = [at for at, line in enumerate(lines) if (m := DEFINITION.match(line)) and m[1] == name]
    return _block(lines, starts[-1]) if starts else None


def bound_by(statement: ast.stmt) -> set[str]:
    """The names that one top-level statement defines or assigns."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {statement.name}
    targets = {ast.Assign: "targets", ast.AnnAssign: "target"}.get(type(statement))
    if targets is None:
        return set()
    found = getattr(statement, targets)
    found = found if isinstance(found, list) else [found]
    return {node.id for target in found for node in ast.walk(target) if isinstance(node, ast.Name)}


def _block(lines: list[str], start: int) -> str:
    margin = len(lines[start]) - len(lines[start].lstrip())
    end = start + 1
    while end < len(lines) and (not lines[end].strip() or len(lines[end]) - len(lines[end].lstrip()) > margin):
        end += 1
    return "\n".join(line[margin:] for line in lines[start:end]).rstrip()


def sides(text: str) -> tuple[str, str] | None:
    """The two versions that a merge tool left between conflict markers, or None where there are none.

    >>> sides("a\\n<<<<<<< HEAD\\nb\\n=======\\nc\\n>>>>>>> theirs\\nd")
    ('a\\nb\\nd', 'a\\nc\\nd')
    """
    versions: tuple[list[str], list[str]] = ([], [])
    into, seen = (0, 1), False
    for line in text.split("\n"):
        if line.startswith("<<<<<<<") and into == (0, 1):
            into, seen = (0,), True
        elif line.startswith("|||||||") and into == (0,):
            into = ()  # the common ancestor, in the three-way style
        elif line.rstrip() == "=======" and into in ((0,), ()):
            into = (1,)
        elif line.startswith(">>>>>>>") and into == (1,):
            into = (0, 1)
        else:
            for side in into:
                versions[side].append(line)
    return ("\n".join(versions[0]), "\n".join(versions[1])) if seen and into == (0, 1) else None
