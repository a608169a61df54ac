"""Find, in the syntax tree of a submission, the names that would make an exercise empty.

Only what the student's object reaches counts: its own definition, the helpers, imports and assignments
of other cells that it names, and theirs in turn. A demonstration elsewhere on the page that calls
PyTorch's own attention is not a shortcut. Code that cannot be followed is listed, for a person to look at.
"""

import ast
from collections.abc import Iterable
from functools import cache
from types import ModuleType

import torch

from autograder.catalogue.exercise import Exercise
from autograder.judging.hidden import (
    derived_in,
    hidden_in,
    names_of_torch,
    ready_elsewhere,
    runs_text,
    text_of,
    words_of,
    written,
)
from autograder.judging.hidden_names import BY_NAME, STAYS
from autograder.judging.nodes import nodes_of, once
from autograder.judging.own_names import OwnNames, last_name
from autograder.judging.page import Page, is_installed, read, scope
from autograder.stages import TRACKS, left_out_of, stage_of

ANY_NAME = ("exec", "eval", "globals", "__import__")  # can give any name of the page another meaning
UNSEEN_IN_TORCH = (
    *("jit", "compile", "_C", "ops", "_dynamo", "_inductor", "library", "classes", "cpp_extension"),
    *("_refs", "_decomp", "_prims", "_numpy"),
)
TORCH_SPACES = (
    torch,
    torch.nn,
    torch.nn.functional,
    torch.distributions,
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


def _is_offered(name: str) -> bool:
    """Has a library something of exactly this name? `attention` is only a part of names.

    >>> [_is_offered(name) for name in ("softmax", "equivariance", "attention", "transformer")]
    [True, True, False, False]
    """
    bare = name.replace("_", "").lower()
    return name in _names_of_torch() or not any(bare in other.replace("_", "").lower() for other in _names_of_torch())


def shortcut(exercise: Exercise, page: Page) -> str | None:
    """A sentence that names the shortcut an object takes, or None; looked for is the object of the exercise's name."""
    stage = stage_of(exercise.id)
    closed = left_out_of(stage.name)
    libraries = {"course_lib"}.union(*map(_aliases_of_course_lib, page.everywhere))
    forbidden, reached = ready_made(exercise.forbidden), page.reached(exercise.name)
    own = OwnNames(reached)
    for node in reached:
        for part in nodes_of(node):
            if name := _ready_made(part, forbidden, libraries, own):
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
    reached = page.reached(exercise.name)
    bound = {name for name, meanings in page.bindings.items() if not any(name in scope(one).reads for one in meanings)}
    of_torch = names_of_torch(reached)
    ways = [hidden_in(statement, bound, of_torch) for statement in reached]
    if exercise.forbidden:
        stage = stage_of(exercise.id)
        allowed = {stage.track, *TRACKS[stage.track].packages, *stage.packages}
        ways += [ready_elsewhere(statement, allowed) for statement in reached]
        if not TRACKS[stage.track].packages:  # torch's own, where nobody needs to ask for a derivative
            ways += map(derived_in, reached)
    return next((f"uses `{name}`" for name in ways if name), None)


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
    if isinstance(node, ast.Attribute):
        of_torch = node.attr in UNSEEN_IN_TORCH and _base(node) in names_of_torch
        return written(node) if of_torch or node.attr in STAYS else None
    if isinstance(node, ast.Call) and last_name(node.func) in BY_NAME:
        of_torch = any(isinstance(part, ast.Name) and part.id in names_of_torch for part in node.args)
        return next((text for text in map(text_of, node.args) if of_torch and text in UNSEEN_IN_TORCH), None)
    if isinstance(node, ast.Import):
        return next((a.name for a in node.names if _is_unseen(a.name.split("."))), None)
    if isinstance(node, ast.ImportFrom):
        if node.names[0].name == "*" and not _is_read(node):
            return ast.unparse(node)
        module = (node.module or "").split(".")
        return next((a.name for a in node.names if a.name in STAYS or _is_unseen([*module, a.name])), None)
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


def _ready_made(node: ast.AST, forbidden: frozenset[str], libraries: set[str], own: OwnNames) -> str | None:
    if isinstance(node, ast.Attribute) and node.attr in forbidden and isinstance(node.ctx, ast.Load):
        ours = _base(node) in libraries or own.has(node.value, node.attr, _is_offered(node.attr))
        return None if ours else written(node)
    if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] != "course_lib":
        return next((alias.name for alias in node.names if alias.name in forbidden), None)
    if isinstance(node, ast.MatchClass):
        taken = (name for name in node.kwd_attrs if name in forbidden)
        return next((name for name in taken if not own.has(node.cls, name, _is_offered(name))), None)
    if isinstance(node, ast.Call) and last_name(node.func) in BY_NAME:
        words = {word for text in map(text_of, node.args) for word in words_of(text)} & forbidden
        return next((word for word in sorted(words) if not own.has(node.args[0], word, _is_offered(word))), None)
    if isinstance(node, ast.Call) and runs_text(node):
        words = {word for text in map(text_of, node.args) for word in words_of(text)}
        return next((name for name in sorted(forbidden) if name in words), None)
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and text_of(node.slice) in forbidden:
        return None if own.has_entry(node.value) else text_of(node.slice)
    return None


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
