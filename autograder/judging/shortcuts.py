"""Find, in the syntax tree of a submission, the names that would make an exercise empty.

Only what the student's object reaches counts: its own definition, the helpers, imports and assignments
of other cells that it names, and theirs in turn. A demonstration elsewhere on the page that calls
PyTorch's own attention is not a shortcut. Code that cannot be followed is listed, for a person to look at.
"""

import ast
import re
from collections.abc import Iterable
from functools import cache
from types import ModuleType

import torch

from autograder.catalogue.exercise import Exercise
from autograder.judging.page import Page, is_installed, nodes_of, once, read
from autograder.stages import left_out_of, stage_of

BY_NAME = ("getattr", "attrgetter", "methodcaller", "__getattribute__")  # take a name as a text
BUILT_IN = ("exec", "eval", "compile", "__import__", "globals", "vars")  # as names: `model.eval()` is something else
AT_RUN_TIME = (*BUILT_IN, "import_module", "CompilationUnit")
ANY_NAME = ("exec", "eval", "globals", "__import__")  # can give any name of the page another meaning
UNSEEN_IN_TORCH = ("jit", "compile", "_C", "ops", "_dynamo", "_inductor", "library", "classes", "cpp_extension")
BEHIND = (
    "_C",
    "ops",
    "DisableTorchFunction",
    "DisableTorchFunctionSubclass",
    "modules",
    "autograder",
    "builtins",
    "ctypes",
    "_thread",
    "multiprocessing",
    "subprocess",
    "__main__",
)
TORCH_SPACES = (
    torch,
    torch.nn,
    torch.nn.functional,
    torch.Tensor,
    torch.special,
    torch.optim.lr_scheduler,
    torch._C._nn,
    torch._C._VariableFunctions,
)


@cache
def ready_made(families: tuple[str, ...]) -> frozenset[str]:
    """The families, and every name of torch that contains one of them, whatever its case and underscores.

    >>> sorted(ready_made(("softmin",)))
    ['Softmin', 'softmin']
    >>> {"_safe_softmax", "Softmax2d", "gumbel_softmax"} <= ready_made(("softmax",))
    True
    """
    bare = [family.replace("_", "").lower() for family in families]
    return frozenset(
        name
        for name in {*families, *_names_of_torch()}
        if any(family in name.replace("_", "").lower() for family in bare)
    )


@cache
def _names_of_torch() -> frozenset[str]:
    """Functions, methods and classes of torch, and its operators without their overloads; no modules."""
    named = {
        name for space in TORCH_SPACES for name in dir(space) if not isinstance(getattr(space, name, None), ModuleType)
    }
    operators = (name.split("::")[1].split(".")[0] for name in torch._C._dispatch_get_all_op_names())
    return frozenset(named.union(operators))


def shortcut(exercise: Exercise, page: Page) -> str | None:
    """A sentence that names the shortcut an object takes, or None; looked for is the object of the exercise's name."""
    stage = stage_of(exercise.id)
    closed = left_out_of(stage.name)
    libraries = {"course_lib"}.union(*map(_aliases_of_course_lib, page.everywhere))
    forbidden = ready_made(exercise.forbidden)
    for node in page.reached(exercise.name):
        for part in nodes_of(node):
            if name := _ready_made(part, forbidden, libraries):
                return f"`{name}` does the whole exercise; write it from its parts."
            if name := _imported_answer(part, closed, libraries):
                if name in stage.objects:
                    return f"`{name}` comes from course_lib; importing the answer does not count."
                return (
                    f"`{name}` comes from a stage that this one does not build on, so it is missing when your page is "
                    "graded; write what you need of it yourself."
                )
    return None


def out_of_sight(exercise: Exercise, page: Page) -> str | None:
    """What of an object a reader of the source cannot follow, or None: for a person to look at.

    >>> from autograder.catalogue import find
    >>> out_of_sight(find("softmax"), Page(["def softmax(x, dim): return eval('x')"]))
    'uses `eval`'
    >>> out_of_sight(find("softmax"), Page(["def softmax(x, dim): return x.model.eval()"]))
    >>> out_of_sight(find("softmax"), Page(["setattr(__main__, 'softmax', max)"]))
    'is not defined anywhere in the source'
    """
    if exercise.name not in page.bindings:
        return "is not defined anywhere in the source"
    parts = (part for node in page.reached(exercise.name) for part in nodes_of(node))
    return next((f"uses `{name}`" for name in map(_hidden, parts) if name), None)


def changes_any_name(cells: Iterable[str]) -> str | None:
    """What in these cells can give any name of the page another meaning, unseen; or None.

    >>> changes_any_name(["x = 1", "%run elsewhere.py"]), changes_any_name(["%time x = 1", "pool?"])
    ('%run', None)
    >>> changes_any_name(["import torch as t", "ready = t.jit.script(f)"]), changes_any_name(["re.compile(x)"])
    ('t.jit', None)
    """
    read_cells = [read(source) for source in cells]
    if unread := next((cell.unread[0] for cell in read_cells if cell.unread), None):
        return unread
    nodes = [node for cell in read_cells for statement in cell.statements for node in nodes_of(statement)]
    names_of_torch = {"torch"}.union(*map(_names_of_torch_in, nodes))
    return next((way for node in nodes if (way := _way_unseen(node, names_of_torch))), None)


def _way_unseen(node: ast.AST, names_of_torch: set[str]) -> str | None:
    if isinstance(node, ast.Name) and node.id in ANY_NAME:
        return node.id
    if isinstance(node, ast.Attribute) and node.attr in UNSEEN_IN_TORCH and _base(node) in names_of_torch:
        return _written(node)
    if isinstance(node, ast.Call) and _last_name(node.func) in BY_NAME:
        of_torch = any(isinstance(part, ast.Name) and part.id in names_of_torch for part in node.args)
        return next((text for text in map(_text, node.args) if of_torch and text in UNSEEN_IN_TORCH), None)
    if isinstance(node, ast.Import):
        return next((a.name for a in node.names if _is_unseen(a.name.split("."))), None)
    if isinstance(node, ast.ImportFrom):
        if node.names[0].name == "*" and not _is_read(node):
            return ast.unparse(node)
        return next((a.name for a in node.names if _is_unseen([*(node.module or "").split("."), a.name])), None)
    return None


def _is_unseen(parts: list[str]) -> bool:
    return parts[0] == "torch" and bool({*parts[1:]} & {*UNSEEN_IN_TORCH})


def _names_of_torch_in(node: ast.AST) -> set[str]:
    """The names that stand for torch itself after a statement."""
    if isinstance(node, ast.Import):
        return {alias.asname for alias in node.names if alias.asname and alias.name == "torch"}
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name) and node.value.id == "torch":
        return {target.id for target in node.targets if isinstance(target, ast.Name)}
    return set()


def _is_read(star: ast.ImportFrom) -> bool:
    return star.level == 0 and is_installed((star.module or "").split(".")[0])


def _hidden(node: ast.AST) -> str | None:
    """The name of a way to run code that is not in the source."""
    if isinstance(node, ast.Call):
        name = _last_name(node.func)
        if _runs_text(node):
            return name
        asked = node.args[name == "getattr" :][:1]
        mine = name == "getattr" and node.args and _last_name(node.args[0]) in ("self", "cls")
        return name if name in BY_NAME and not mine and not all(map(_text, asked)) else None
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return _hidden_import(node)
    if isinstance(node, ast.Attribute) and node.attr in BEHIND:
        return _written(node) if _last_name(node.value) in ("torch", "sys", "_C") else None
    return None


def _hidden_import(node: ast.Import | ast.ImportFrom) -> str | None:
    named = [getattr(node, "module", None) or "", *(alias.name for alias in node.names)]
    if known := next((part for name in named for part in name.split(".") if part in BEHIND + AT_RUN_TIME), None):
        return known
    packages = named[:1] if isinstance(node, ast.ImportFrom) else named[1:]
    return next((name for name in packages if not is_installed(name.split(".")[0])), None)


def _runs_text(call: ast.Call) -> bool:
    """Does this call run code that stands in a text, or import by a text?"""
    name = _last_name(call.func)
    return name in AT_RUN_TIME and (isinstance(call.func, ast.Name) or name not in BUILT_IN)


def _last_name(node: ast.AST) -> str:
    """`c` of `a.b.c`; empty if it is not a name."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _text(node: ast.AST) -> str | None:
    """The text that an expression of constants gives: written in one piece, added up, or joined; else None."""
    try:
        return _joined(node)
    except RecursionError:
        return None


def _joined(node: ast.AST) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    parts: list[str | None] = []
    between: str | None = ""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        parts = [_joined(node.left), _joined(node.right)]
    elif isinstance(node, ast.JoinedStr):
        parts = [_joined(value.value if isinstance(value, ast.FormattedValue) else value) for value in node.values]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "join" and node.args:
        between = _joined(node.func.value)
        parts = [_joined(part) for part in getattr(node.args[0], "elts", ())]
    known = [part for part in parts if part is not None]
    return between.join(known) if parts and between is not None and len(known) == len(parts) else None


def _written(node: ast.Attribute) -> str:
    """How an attribute is written in the source; its last name if that is too long."""
    try:
        return ast.unparse(node)
    except RecursionError:
        return node.attr


@once
def _aliases_of_course_lib(statement: ast.stmt) -> set[str]:
    """The names under which a statement imports course_lib or its modules as modules."""
    found, package = set(), "course_lib"
    for node in nodes_of(statement):
        if isinstance(node, ast.Import):
            found |= {a.asname or package for a in node.names if a.name.split(".")[0] == package}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == package:
            found |= {alias.asname or alias.name for alias in node.names if alias.name.islower()}
    return found


def _ready_made(node: ast.AST, forbidden: frozenset[str], libraries: set[str]) -> str | None:
    if isinstance(node, ast.Attribute) and node.attr in forbidden:
        ours = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
        return None if ours or _base(node) in libraries else _written(node)
    if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] != "course_lib":
        return next((alias.name for alias in node.names if alias.name in forbidden), None)
    if isinstance(node, ast.Call) and _last_name(node.func) in BY_NAME:
        return next((text for text in map(_text, node.args) if text in forbidden), None)
    if isinstance(node, ast.Call) and _runs_text(node):
        words = {word for text in map(_text, node.args) if text for word in re.findall(r"\w+", text)}
        return next((name for name in sorted(forbidden) if name in words), None)
    return _text(node.slice) if isinstance(node, ast.Subscript) and _text(node.slice) in forbidden else None


def _imported_answer(node: ast.AST, closed: frozenset[str], libraries: set[str]) -> str | None:
    if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "course_lib":
        return next((alias.name for alias in node.names if alias.name in closed), None)
    if isinstance(node, ast.Attribute) and node.attr in closed:
        return node.attr if _base(node) in libraries else None
    return None


def _base(node: ast.Attribute) -> str:
    """`a` of `a.b.c`; empty if that is not a name."""
    base = node.value
    while isinstance(base, ast.Attribute):
        base = base.value
    return base.id if isinstance(base, ast.Name) else ""
