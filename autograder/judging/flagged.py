"""What a reader of a submission's source cannot follow: it costs no points, and is flagged for a person to look at."""

import ast
from collections.abc import Iterable

from autograder.catalogue.exercise import Exercise
from autograder.judging.cells import is_installed, read
from autograder.judging.hidden import derived_in, hidden_in, names_of_torch, ready_elsewhere
from autograder.judging.hidden_names import BY_NAME, STAYS
from autograder.judging.nodes import DOTS, last_name, nodes_of, root_of, written
from autograder.judging.page import Page, scope
from autograder.judging.texts import text_of
from autograder.stages import TRACKS, stage_of

ANY_NAME = ("exec", "eval", "globals", "__import__")  # can give any name of the page another meaning
UNSEEN_IN_TORCH = (
    *("jit", "compile", "_C", "ops", "_dynamo", "_inductor", "library", "classes", "cpp_extension"),
    *("_refs", "_decomp", "_prims", "_numpy"),
)


def out_of_sight(exercise: Exercise, page: Page) -> str | None:
    """What in an answer a reader of the source cannot follow, or None.

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
    ways = [way for statement in reached for way in hidden_in(statement, bound, of_torch)]
    if exercise.forbidden:
        stage = stage_of(exercise.id)
        allowed = {stage.track, *TRACKS[stage.track].packages, *stage.packages}
        ways += filter(None, (ready_elsewhere(statement, allowed) for statement in reached))
    if "softmax" in exercise.forbidden:
        ways += filter(None, map(derived_in, reached))
    return next((f"uses `{way}`" for way in ways), None)


def changes_any_name(cells: Iterable[str]) -> str | None:
    """What in these cells can give any name of the page another meaning without a trace, or None.

    >>> changes_any_name(["x = 1", "%run elsewhere.py"]), changes_any_name(["%time x = 1", "pool?"])
    ('%run', None)
    >>> changes_any_name(["import torch as t", "ready = t.jit.script(f)"]), changes_any_name(["re.compile(x)"])
    ('t.jit', None)
    """
    read_cells = [read(source) for source in cells]
    if unread := next((cell.unread[0] for cell in read_cells if cell.unread), None):
        return unread
    nodes = [node for cell in read_cells for statement in cell.statements for node in nodes_of(statement)]
    aliases = {"torch"}.union(*map(_aliases_of_torch, nodes))
    return next((way for node in nodes if (way := _way_unseen(node, aliases))), None)


def _way_unseen(node: ast.AST, aliases: set[str]) -> str | None:
    if isinstance(node, ast.Name) and node.id in ANY_NAME:
        return node.id
    if isinstance(node, ast.Attribute):
        of_torch = node.attr in UNSEEN_IN_TORCH and root_of(node, DOTS) in aliases
        return written(node) if of_torch or node.attr in STAYS else None
    if isinstance(node, ast.Call) and last_name(node.func) in BY_NAME:
        of_torch = any(isinstance(part, ast.Name) and part.id in aliases for part in node.args)
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


def _aliases_of_torch(node: ast.AST) -> set[str]:
    """The other names that a statement gives torch itself."""
    if isinstance(node, ast.Import):
        return {alias.asname for alias in node.names if alias.asname and alias.name == "torch"}
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name) and node.value.id == "torch":
        return {target.id for target in node.targets if isinstance(target, ast.Name)}
    return set()


def _is_read(star: ast.ImportFrom) -> bool:
    """Are the names that a star imports known here?"""
    return star.level == 0 and is_installed((star.module or "").split(".")[0])
