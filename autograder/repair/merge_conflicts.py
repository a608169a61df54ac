"""Cells as they must be before they can be recognised: merge conflicts resolved, torn definitions joined."""

import ast
import re
import textwrap

from autograder.repair.cells import HandedCell
from autograder.repair.repair_log import Damage
from autograder.repair.sources import DEFINITION, KINDS, compiles, normal, outline, parse, sides

MAX_PIECES, MAX_TORN = 4, 20_000  # of one definition; characters
MARKERS = re.compile(r"(<<<<<<<|=======|>>>>>>>)[^\n]*")


def resolved(cell: HandedCell, released: set[str], damage: Damage) -> HandedCell:
    """The cell with one side of a merge conflict: the one that was worked on, or, flagged, the first."""
    if MARKERS.fullmatch(cell.source.strip()):
        damage.flag("The notebook contains the markers of an unresolved merge conflict, and so both versions.")
        return _with_source(cell, "", "raw")
    versions = sides(cell.source)
    if versions is None:
        return cell
    changed = [version for version in versions if normal(version) not in released]
    name = cell.grading.get("grade_id") or cell.id or ""
    if len(changed) == 1:
        damage.note("merged", name[:60])
    else:
        damage.flag(f"The cell `{name[:60]}` contains an unresolved merge conflict; its first version is graded.")
    return _with_source(cell, (changed or versions)[0])


def joined(cells: list[HandedCell], damage: Damage) -> list[HandedCell]:
    """Definitions that were torn in the middle, made whole again."""
    whole: list[HandedCell] = []
    pieces = 1
    for cell in cells:
        source = _together(whole[-1], cell) if whole and pieces < MAX_PIECES else None
        if source is None:
            whole.append(cell)
            pieces = 1
            continue
        pieces += 1
        damage.note("torn", min(outline(source).defined))
        whole[-1] = _with_source(whole[-1], source, "code")
    return whole


def _with_source(cell: HandedCell, source: str, kind: str | None = None) -> HandedCell:
    return HandedCell(cell.position, kind or cell.kind, source, cell.id, cell.grading, cell.attachments)


def _together(first: HandedCell, second: HandedCell) -> str | None:
    """The two sources as one where only together they are what they were."""
    if len(first.source) + len(second.source) > MAX_TORN:
        return None
    cut_here = re.search(r"\n[ \t]+$", first.source) or re.match(r"\n*[ \t]+\S", second.source)
    if not cut_here or not DEFINITION.search(first.source) or _stand_alone(first.source, second.source):
        return None
    for between in ("\n", ""):
        source = first.source.rstrip("\n") + between + second.source.lstrip("\n")
        if compiles(source) and outline(source).defined.keys() <= set(DEFINITION.findall(first.source)):
            return source
    return None


def _stand_alone(first: str, second: str) -> bool:
    """Whether each could be a cell that somebody wrote: it compiles, and the first does not end in a bare docstring."""
    tree = parse(first)
    bare = tree is not None and tree.body and _is_bare(tree.body[-1])
    return not bare and compiles(first) and compiles(textwrap.dedent(second))


def _is_bare(node: ast.stmt) -> bool:
    return isinstance(node, KINDS) and all(
        isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant) for statement in node.body
    )
