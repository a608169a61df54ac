"""What a cell's source says about itself: read as Python where it parses, by pattern where it does not.

The sources are a student's: nothing here runs them, and no source may cost the reader more than a moment.
"""

import ast
import re
import symtable
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, wraps
from typing import TypeVar

MAX_PARSED = 100_000  # characters; longer sources are searched by pattern alone
MAGIC = re.compile(r"^([ \t]*)[%!?].*$", re.MULTILINE)
DEFINITION = re.compile(r"^[ \t]*(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)", re.MULTILINE)
CHECK = re.compile(r"""^[ \t]*check\(\s*["'](\w+)["']\s*(?:,\s*([\w.]+)\s*)?\)[ \t;]*(?:#.*)?$""", re.MULTILINE)
SMALL = 10_000  # characters of a source whose reading is kept: most cells are the same in every submission
UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)
KINDS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True)
class Outline:
    """The top level of a source: is it Python, and which lines define or assign each name last."""

    is_python: bool
    defined: dict[str, str]  # function or class → its text
    bound: dict[str, str]  # the same, and names that are assigned; imports do not count as writing an answer


Seen = TypeVar("Seen")


def kept(look: Callable[[str], Seen]) -> Callable[[str], Seen]:
    """`look`, which remembers what it saw in the last sources of common size."""
    remembered = lru_cache(maxsize=1024)(look)

    @wraps(look)
    def looked(source: str) -> Seen:
        return remembered(source) if len(source) <= SMALL else look(source)

    return looked


def normal(source: str) -> str:
    """The source without the differences that editors make: line ends, trailing spaces, blank margins.

    >>> normal("a = 1  \\r\\nb = 2\\n\\n")
    'a = 1\\nb = 2'
    """
    return "\n".join(line.rstrip() for line in source.splitlines()).strip("\n")


def parse(source: str) -> ast.Module | None:
    """The syntax tree, IPython's magics left aside; None where the source is not Python."""
    return _read(source, ast.parse)


def compiles(source: str) -> bool:
    """Whether the source could run as a cell: a `return` outside a function, for one, cannot.

    >>> compiles("return 1"), compiles("await x\\n%matplotlib inline")
    (False, True)
    """
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    return _read(source, lambda text: compile(text, "cell", "exec", flags, dont_inherit=True)) is not None


@kept
def outline(source: str) -> Outline:
    """What the top level of a source defines.

    >>> sorted(outline("def f(x):\\n    y = x\\n    return y\\ng = h = f").bound)
    ['f', 'g', 'h']
    >>> outline("def f(x):\\n    return (x\\nAs prose it goes on.").defined
    {'f': 'def f(x):\\n    return (x'}
    """
    lines, tree = source.splitlines(), parse(source)
    if tree is None:
        starts = {match[1]: at for at, line in enumerate(lines) if (match := DEFINITION.match(line))}
        blocks = {name: _block(lines, at) for name, at in starts.items()}
        return Outline(False, blocks, blocks)
    defined: dict[str, str] = {}
    bound: dict[str, str] = {}
    for node in tree.body:
        first = min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", []))])
        text = "\n".join(lines[first - 1 : node.end_lineno])
        defined |= {node.name: text} if isinstance(node, KINDS) else {}
        bound |= dict.fromkeys(_bound_by(node), text)
    return Outline(True, defined, bound)


@kept
def provided_and_needed(source: str) -> tuple[frozenset[str], frozenset[str]]:
    """The names that the top level gives a value, imports included; the global names that are read anywhere.

    >>> [sorted(names) for names in provided_and_needed("import math\\ndef f(x):\\n    y = shift(x)\\n    return y")]
    [['f', 'math'], ['shift']]
    """
    module = _read(source, lambda text: symtable.symtable(text, "cell", "exec"))
    if module is None:
        return frozenset(DEFINITION.findall(source)), frozenset()
    provided = {symbol.get_name() for symbol in module.get_symbols() if symbol.is_assigned() or symbol.is_imported()}
    needed, scopes = set(), [module]
    while scopes:
        scope = scopes.pop()
        top = scope is module
        needed |= {s.get_name() for s in scope.get_symbols() if s.is_referenced() and (top or s.is_global())}
        scopes += scope.get_children()
    return frozenset(provided), frozenset(needed)


def sides(text: str) -> tuple[str, str] | None:
    """The two versions that a merge tool left between conflict markers, or None where there are none.

    >>> sides("a\\n<<<<<<< HEAD\\nb\\n=======\\nc\\n>>>>>>> theirs\\nd")
    ('a\\nb\\nd', 'a\\nc\\nd')
    """
    versions: tuple[list[str], list[str]] = ([], [])
    both: tuple[int, ...] = (0, 1)
    into, seen = both, False
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


def _read(source: str, how: Callable[[str], Seen]) -> Seen | None:
    """`how` applied to the source without magics, silently; None where it is too long or no Python."""
    if len(source) > MAX_PARSED:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return how(MAGIC.sub(r"\1pass", source))
    except UNREADABLE:
        return None


def _bound_by(node: ast.stmt) -> set[str]:
    if isinstance(node, KINDS):
        return {node.name}
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return {found.id for target in targets for found in ast.walk(target) if isinstance(found, ast.Name)}


def _block(lines: list[str], start: int) -> str:
    """The line at `start` and the deeper ones after it, its own margin taken off."""
    margin = len(lines[start]) - len(lines[start].lstrip())
    end = start + 1
    while end < len(lines) and (not lines[end].strip() or len(lines[end]) - len(lines[end].lstrip()) > margin):
        end += 1
    return "\n".join(line[margin:] for line in lines[start:end]).rstrip()
