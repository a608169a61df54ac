"""Keep the source of an answer that is right in `my_transformer/`, with all that it needs of the student's own."""

import ast
import builtins
import dis
import os
from collections.abc import Callable, Container, Iterable
from pathlib import Path
from types import CodeType

from IPython.core.inputtransformer2 import TransformerManager

from autograder.stages import STAGES, TRACKS, Stage, name_of, stage_of
from course_lib.notebook import my_transformer

TITLE = '"""{title}, as I wrote it. Saved when it was right; mine to read, change and keep."""\n'


def file_of(stage: Stage) -> str:
    """The file, without its ending, that keeps the answers of a stage.

    >>> [file_of(stage_of(exercise)) for exercise in ("softmax", "jax_dropout")]
    ['attention', 'attention']
    """
    return stage.topic.removeprefix(TRACKS[stage.track].prefix)


FILE_OF = {
    track: {name: file_of(stage) for stage in STAGES if stage.track == track for name in stage.objects}
    for track in TRACKS
}


def keep_source(exercise: str, cells: Iterable[str], is_right: Callable[[Callable], bool]) -> str | None:
    """Write down an answer, so that it can be imported; nothing is kept that is not right as it is kept.

    Args:
        exercise: its id.
        cells: what was run, oldest first.
        is_right: judges the object that the file gives.

    Returns:
        A sentence for the student: where it went when the folder is new, or why it could not.
    """
    stage, name = stage_of(exercise), name_of(exercise)
    place, others = my_transformer.folder(TRACKS[stage.track].library), FILE_OF[stage.track]
    source, imports = _own_source(name, cells, others)
    if place is None or source is None:
        return None
    path, is_new = place / f"{file_of(stage)}.py", not place.exists()
    beginning, parts = my_transformer.read(path)
    number = my_transformer.number_of(source)
    if parts.get(name) == (source, number):
        return None
    if not all(map(_parses, [beginning, *(text for text, _ in parts.values())])) or (path.exists() and not parts):
        shown = my_transformer.shown(path)
        return f"{shown} has been edited; rename or delete it, and yours will be saved again."
    before = path.read_bytes() if parts else None
    try:
        place.mkdir(parents=True, exist_ok=True)
        imports = _imports_in(beginning, others) | imports
        _write(path, _file(stage, imports, {**parts, name: (source, number)}, place))
        if _gives_right(stage, name, is_right):
            return f"Saved in {my_transformer.shown(path)} for the stages that build on it." if is_new else None
        path.unlink() if before is None else path.write_bytes(before)
    except OSError:  # a full disk or a read-only folder is no reason to stop a lesson
        pass
    return None


def _gives_right(stage: Stage, name: str, is_right: Callable[[Callable], bool]) -> bool:
    my_transformer.forget()
    try:
        return is_right(my_transformer.load(file_of(stage), name, TRACKS[stage.track].library))
    except (Exception, SystemExit):  # it leans on something that is not written down
        return False


def _file(stage: Stage, imports: dict[str, str], parts: dict[str, tuple[str, str]], place: Path) -> str:
    """A stage's file: the parts in the order of the page, what they import above them."""
    order = [name for name in stage.objects if name in parts]
    used = {
        name
        for source, _ in parts.values()
        for statement in ast.parse(source).body
        for name in _global_names(statement)
    }
    lines = {imports[name] for name in used & set(imports)}
    files = FILE_OF[stage.track]
    for name in used & set(files) - set(order):
        other = files[name]
        kept = other != file_of(stage) and name in my_transformer.read(place / f"{other}.py")[1]
        lines.add(f"from {f'.{other}' if kept else TRACKS[stage.track].library} import {name}")
    head = TITLE.format(title=stage.title) + "".join(f"\n{line}" for line in sorted(lines, key=_import_order))
    return "\n\n\n".join([head, *("# %% {}: right, {}\n{}".format(name, *parts[name][::-1]) for name in order)]) + "\n"


def _import_order(line: str) -> tuple[bool, bool, str]:
    return "." in line.split()[1][:1], line.startswith("from"), line


def _own_source(answer: str, cells: Iterable[str], others: Container[str]) -> tuple[str | None, dict[str, str]]:
    """The definition of an answer after those of its helpers, and name → import line of what they import.

    `others`: the names of all answers, which are kept on their own.
    """
    defined: dict[str, tuple[tuple[int, int], str, ast.stmt]] = {}
    imported: dict[str, str] = {}
    for place, cell in enumerate(cells):
        for statement, text in _statements(cell):
            for name, line in _imports(statement).items():
                imported[name] = line
                defined.pop(name, None)
            for name in _bound(statement):
                defined[name] = ((place, statement.lineno), text, statement)
                imported.pop(name, None)
    if answer not in defined:
        return None, {}
    reached, waiting = {}, [answer]
    while waiting:
        name = waiting.pop()
        reached[name] = defined[name]
        used = _global_names(defined[name][2]) - set(reached) - set(waiting)
        waiting += [
            other for other in used if other in defined and other not in others and not hasattr(builtins, other)
        ]
    texts = dict.fromkeys(text for _, text, _ in sorted(reached.values(), key=lambda found: found[0]))
    return "\n\n\n".join(texts), {name: line for name, line in imported.items() if name not in others}


def _statements(cell: str) -> list[tuple[ast.stmt, str]]:
    """The statements of a cell with their text, decorators included; none of what does not parse."""
    try:
        code = TransformerManager().transform_cell(cell)
        body = ast.parse(code).body
    except (SyntaxError, ValueError):
        return []
    lines = code.splitlines()
    first = [min([s.lineno, *(d.lineno for d in getattr(s, "decorator_list", ()))]) for s in body]
    return [(s, "\n".join(lines[begin - 1 : s.end_lineno])) for s, begin in zip(body, first, strict=True)]


def _bound(statement: ast.stmt) -> set[str]:
    """The names that a definition or an assignment at the top of a cell makes."""
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return {statement.name}
    if isinstance(statement, ast.Assign | ast.AnnAssign):
        return {
            part.id for part in ast.walk(statement) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
        }
    return set()


def _imports(statement: ast.AST) -> dict[str, str]:
    """Name → the line that imports it alone."""
    if isinstance(statement, ast.Import | ast.ImportFrom):
        origin = (
            f"from {'.' * statement.level}{statement.module or ''} " if isinstance(statement, ast.ImportFrom) else ""
        )
        return {
            (alias.asname or alias.name.split(".")[0]): f"{origin}import {alias.name}"
            + (f" as {alias.asname}" if alias.asname else "")
            for alias in statement.names
        }
    return {}


def _imports_in(beginning: str, others: Container[str]) -> dict[str, str]:
    """Those that a file begins with, but for the answers, which are found again."""
    found = {name: line for statement, _ in _statements(beginning) for name, line in _imports(statement).items()}
    return {name: line for name, line in found.items() if name not in others}


def _global_names(statement: ast.stmt) -> set[str]:
    """The names that a statement looks up outside itself when it runs or is called."""
    found, waiting = set(), [compile(ast.Module([statement], []), "<part>", "exec")]
    while waiting:
        code = waiting.pop()
        waiting += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
        found |= {step.argval for step in dis.get_instructions(code) if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    return found


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # the last two: brackets without end
        return False
    return True


def _write(path: Path, text: str) -> None:
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.write_text(text, "utf-8")
    temporary.replace(path)
