"""Cells as they came, with any types anywhere, made into plain cells of nbformat 4.5 without outputs."""

import re

from nbformat import NotebookNode

from autograder.repair.repair_log import Damage

MAX_CELLS = 2_000
MAX_SOURCE = 1_000_000  # characters a cell
MAX_SOURCES = 2_000_000  # characters all cells together
MAX_CODE = 200_000  # characters of all code: whoever follows what calls what holds each of its names in memory
MAX_ATTACHMENT = 8_000_000  # characters of base64
MAX_NAME = 200  # characters of a grade_id or a file name
CELL_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp")
KINDS = {"code": "code", "markdown": "markdown", "raw": "raw", "heading": "markdown", "html": "markdown"}
GRADING_KEYS = ["cell_type", "checksum", "grade", "grade_id", "locked", "points", "schema_version", "solution", "task"]
UNWRITABLE = re.compile("[\0\ud800-\udfff]")  # NUL, and halves of surrogate pairs


def canonical_cells(raw: list, damage: Damage) -> list[NotebookNode]:
    """Every entry that is a cell, at most `MAX_CELLS`, each with a valid, unique id."""
    kept = [cell for cell in (canonical(entry, damage) for entry in raw[: 10 * MAX_CELLS]) if cell is not None]
    if len(raw) > MAX_CELLS:
        kept = [cell for cell in kept if cell.source.strip()][:MAX_CELLS]
        damage.flag(f"The notebook has {len(raw)} cells; only the first {MAX_CELLS:,} that are not empty were read.")
    room = MAX_SOURCES - sum(len(cell.source) for cell in kept)
    while room < 0:
        room += len(kept.pop().source)
        damage.flag(f"The cells contain more than {MAX_SOURCES:,} characters; the last ones were not read.")
    kept = _without_the_longest(kept, damage)
    taken: set[str] = set()
    for number, cell in enumerate(kept):
        cell.id = unused(cell.id, f"unnamed-{number}", taken)
    return kept


def _without_the_longest(cells: list[NotebookNode], damage: Damage) -> list[NotebookNode]:
    """All cells, but for the longest ones of code where there is too much of it."""
    code = sorted((cell for cell in cells if cell.cell_type == "code"), key=lambda cell: len(cell.source))
    room, dropped = MAX_CODE - sum(len(cell.source) for cell in code), set()
    while room < 0:
        longest = code.pop()
        room += len(longest.source)
        dropped.add(id(longest))
        damage.flag(f"The code has more than {MAX_CODE:,} characters; the longest cells were not read, check them.")
    return [cell for cell in cells if id(cell) not in dropped]


def unused(name: str | None, otherwise: str, taken: set[str]) -> str:
    """`name` where it is a valid cell id and still free, else one made from `otherwise`; taken from now on."""
    if not (isinstance(name, str) and CELL_ID.fullmatch(name)) or name in taken:
        name = otherwise
        while name in taken:
            name += "-x"
    taken.add(name)
    return name


def canonical(entry: object, damage: Damage) -> NotebookNode | None:
    """One cell: kind, source, id, nbgrader's own metadata and pictures; None if it is not a cell."""
    if isinstance(entry, str):
        entry = {"cell_type": "raw", "source": entry}
    if not isinstance(entry, dict):
        damage.note("Entries in the list of cells that are not cells were left out.", "")
        return None
    metadata = entry.get("metadata")
    grading = _grading(metadata.get("nbgrader") if isinstance(metadata, dict) else None)
    return make_cell(
        _kind(entry, damage),
        _source(entry, damage),
        entry.get("id"),
        {"nbgrader": grading} if grading else {},
        safe_attachments(entry.get("attachments")),
    )


def make_cell(kind: str, source: str, name: str | None, metadata: dict, attachments: dict) -> NotebookNode:
    """A cell without outputs; `attachments` are for prose alone."""
    cell = NotebookNode(cell_type=kind, id=name, metadata=NotebookNode(metadata), source=source)
    if "nbgrader" in metadata:
        cell.metadata["nbgrader"] = NotebookNode(metadata["nbgrader"])
    if kind == "code":
        cell.execution_count, cell.outputs = None, []
    elif attachments:
        cell.attachments = NotebookNode({name: NotebookNode(data) for name, data in attachments.items()})
    return cell


def notebook_of(cells: list[NotebookNode], metadata: NotebookNode | None = None) -> NotebookNode:
    """A notebook of nbformat 4.5."""
    return NotebookNode(cells=cells, metadata=metadata or NotebookNode(), nbformat=4, nbformat_minor=5)


def safe_attachments(found: object) -> dict[str, dict[str, str]]:
    """Pictures alone, in base64: file name → kind → data."""
    safe = {}
    for name, data in found.items() if isinstance(found, dict) else ():
        pictures = {kind: data[kind] for kind in PICTURES if kind in data} if isinstance(data, dict) else {}
        pictures = {kind: p for kind, p in pictures.items() if isinstance(p, str) and len(p) <= MAX_ATTACHMENT}
        if pictures and isinstance(name, str) and len(name) <= MAX_NAME:
            safe[UNWRITABLE.sub("\ufffd", name)] = {k: UNWRITABLE.sub("", p) for k, p in pictures.items()}
    return safe


def _kind(entry: dict, damage: Damage) -> str:
    kind = entry.get("cell_type")
    if isinstance(kind, str) and kind in KINDS:
        return KINDS[kind]
    damage.note("For cells without a type, the type was inferred from their content.", "")
    return "code" if {"outputs", "execution_count", "input", "prompt_number"} & entry.keys() else "raw"


def _source(entry: dict, damage: Damage) -> str:
    """The text of a cell, whatever type it came as; nbformat 3 called it `input`."""
    found = entry.get("source", entry.get("input"))
    if isinstance(found, list) and all(isinstance(line, str) for line in found):
        found = "".join(found)
    if not isinstance(found, str):
        damage.note("Cells whose source was not plain text were read as far as possible.", "")
        lines = found if isinstance(found, list) else [found]
        found = "".join(str(line) for line in lines if isinstance(line, (str, int, float)))
    if entry.get("cell_type") == "heading":
        level = entry.get("level")
        found = "#" * (level if type(level) is int and 1 <= level <= 6 else 1) + " " + found
    if len(found) > MAX_SOURCE:
        damage.flag(f"A cell contains {len(found):,} characters; only the first {MAX_SOURCE:,} were read.")
        found = found[:MAX_SOURCE]
    if UNWRITABLE.search(found):
        damage.note("Characters that cannot be saved were replaced.", "")
        found = UNWRITABLE.sub("\ufffd", found)
    return found


def _grading(found: object) -> dict:
    """nbgrader's metadata with plain values alone; empty where there is none that names a cell."""
    if not isinstance(found, dict) or not isinstance(found.get("grade_id"), str):
        return {}
    plain = {key: found[key] for key in GRADING_KEYS if isinstance(found.get(key), (str, int, float, bool))}
    return {key: UNWRITABLE.sub("\ufffd", v[:MAX_NAME]) if isinstance(v, str) else v for key, v in plain.items()}
