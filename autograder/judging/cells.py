"""A cell as IPython executes it: its magics are read as the code that they run.

What it executes and a reader of the source cannot see is named in `unread`, for a person to look at.
"""

import ast
import importlib.util
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from IPython.core.inputtransformer2 import TransformerManager

from autograder.judging.nodes import nodes_of

UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)
SMALL = 10_000  # characters of a cell whose tree is kept
RUN_CODE = ("time", "timeit", "capture", "prun", "debug")  # magics whose text is code of the page
OPTIONS = re.compile(r"\s*(-\w+(\s*\d+)?\s+)*")
HARMLESS = re.compile(  # magics that give no name a meaning
    "bash|cat|cd|conda|config|cp|env|history|html|javascript|latex|ls|lsmagic|markdown|matplotlib|mkdir|mv|pdb|pinfo2?|pip|"
    "precision|psearch|pwd|rm|sh|svg|sx|system|who|who_ls|whos|writefile|xmode"
)
SHELLS = ("bash", "sh", "sx", "system", "getoutput")
STAYS_BEHIND = re.compile(r"--bg\b|(?<![&>])&(?=[\s);]|$)")  # a process that may answer later
CALLS_OF_MAGICS = ("run_line_magic", "run_cell_magic", "system", "getoutput")


@dataclass(frozen=True)
class CodeCell:
    """The statements of a cell, those of its magics after its own, and what it executes that cannot be read."""

    statements: tuple[ast.stmt, ...] = ()
    unread: tuple[str, ...] = ()


def read(source: str) -> CodeCell:
    """A cell as IPython executes it; nothing of one that no Python accepts."""
    return _kept(source) if len(source) <= SMALL else _read(source)


@lru_cache(maxsize=512)
def _kept(source: str) -> CodeCell:
    """Cached, because most cells are the same in every submission and each is read for every exercise."""
    return _read(source)


def _read(source: str) -> CodeCell:
    try:
        statements = _parsed(source)
    except SyntaxError:
        return CodeCell()
    except (*UNREADABLE, RuntimeError):
        return CodeCell(unread=("a cell that is too deeply nested to be read",))
    if not any(isinstance(node, ast.Name) and node.id == "get_ipython" for node in _nodes(statements)):
        return CodeCell(tuple(statements))
    return _with_magics(statements)


def _parsed(source: str) -> list[ast.stmt]:
    """The statements of a cell; what is Python already, IPython executes as it stands."""
    try:
        return ast.parse(source).body
    except SyntaxError:
        return ast.parse(TransformerManager().transform_cell(source)).body


def _nodes(statements: Iterable[ast.stmt]) -> Iterator[ast.AST]:
    return (node for statement in statements for node in nodes_of(statement))


def _with_magics(statements: list[ast.stmt]) -> CodeCell:
    inside, unread, followed = [], [], 0
    for node in _nodes(statements):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and asks_shell(node.func.value)):
            continue
        texts = [part.value for part in node.args if isinstance(part, ast.Constant) and isinstance(part.value, str)]
        if node.func.attr not in CALLS_OF_MAGICS or len(texts) < len(node.args) or not texts:
            continue
        followed += 1
        name = node.func.attr if node.func.attr in SHELLS else texts[0]
        if name in SHELLS and any(map(STAYS_BEHIND.search, texts)):
            unread.append("!… &")
        if name in SHELLS or HARMLESS.fullmatch(name):
            continue
        if name in RUN_CODE:
            cells = [read(text) for text in (OPTIONS.sub("", texts[1], count=1), *texts[2:])]
            inside += [statement for cell in cells for statement in cell.statements]
            unread += [way for cell in cells for way in cell.unread]
        elif name not in ("load_ext", "reload_ext") or not is_installed(texts[1].split(".")[0]):
            unread.append(f"%{name}")
    uses = sum(isinstance(node, ast.Name) and node.id == "get_ipython" for node in _nodes(statements))
    return CodeCell((*statements, *inside), (*unread, *(["get_ipython"] if uses > followed else [])))


def asks_shell(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "get_ipython"


def is_installed(package: str) -> bool:
    """Can this be imported where no submission has written anything? Nothing is imported to find out."""
    try:
        return package in sys.modules or importlib.util.find_spec(package) is not None
    except (ImportError, ValueError):
        return False
