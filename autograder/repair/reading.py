"""From any bytes to a notebook that is safe to handle, or to the sentence that says why there is none.

Nothing that a student hands in may raise here, or cost more than a few seconds and a few hundred megabytes:
outputs are cut out of the text before it is parsed, and what remains is capped.
"""

import json
import re
from collections.abc import Iterator

from nbformat import NotebookNode

from autograder.repair.canonical import canonical_cells, notebook_of
from autograder.repair.repair_log import Damage
from autograder.repair.sources import sides

MAX_BYTES = 128 << 20  # of the file
MAX_TEXT = 32 << 20  # of the file without its outputs
MAX_VALUES = 1_000_000  # lists and objects, without outputs
MAX_STEPS = 3_000_000  # strings, lists and objects in outputs
DROPPED = re.compile(rb'"(?:outputs|widgets)"\s*:\s*(?=[\[{])')
STRUCTURE = re.compile(rb'"[^"]*"?|[\[\]{}]')
CELLS = re.compile(r'"cells"\s*:\s*\[')
BETWEEN = re.compile(r"[\s,]*")
UNREADABLE = (ValueError, RecursionError, MemoryError)


def read_submission(data: bytes) -> tuple[NotebookNode | None, list[str], list[str]]:
    """A submitted file as (notebook or None, repairs, flags); never an exception.

    The notebook is valid nbformat 4.5 without outputs; None when nothing in the file can be used.
    """
    damage = Damage()
    cells = _raw_cells(_json(data, damage), damage)
    if cells is None:
        return None, damage.repairs, damage.flags
    notebook = notebook_of(canonical_cells(cells, damage))
    if not notebook.cells:
        damage.flag("The notebook has no cells; please check whether the right file was submitted.")
    return notebook, damage.repairs, damage.flags


def without_outputs(data: bytes, most: int = MAX_STEPS) -> bytes:
    """The same JSON with the values of `outputs` and `widgets` emptied.

    Raises:
        ValueError: the outputs have more than `most` strings, lists and objects: skipping them would take too long.

    >>> without_outputs(b'{"outputs": [{"text": "a ] \\\\" b"}], "source": "x"}')
    b'{"outputs": [], "source": "x"}'
    """
    plain = data.replace(rb"\\", b"__").replace(rb"\"", b"__")  # the same length: every quote left bounds a string
    kept, at, steps = [], 0, iter(range(most))
    while found := DROPPED.search(plain, at):
        kept += [data[at : found.end()], b"[]" if plain[found.end()] == ord("[") else b"{}"]
        at = _end_of_value(plain, found.end(), steps)
    return b"".join(kept + [data[at:]])


def _end_of_value(plain: bytes, start: int, steps: Iterator) -> int:
    """The index after the list or object that opens at `start`; the end of the data if it never closes."""
    depth, at = 0, start
    while found := STRUCTURE.search(plain, at):
        if next(steps, None) is None:
            raise ValueError("its outputs have too many strings, lists and objects")
        at = found.end()
        depth += {b"[": 1, b"{": 1, b"]": -1, b"}": -1}.get(found[0], 0)
        if depth == 0:
            return at
    return len(plain)


def _json(data: bytes, damage: Damage) -> object:
    """What the file says, or None with the reason among the flags."""
    if not data.strip(b"\0 \t\r\n"):
        damage.flag("The file is empty, or it is a link or a folder instead of a file.")
        return None
    if len(data) > MAX_BYTES:
        damage.flag(
            f"The file has {len(data) >> 20} MB, more than {MAX_BYTES >> 20} MB; it is too large to be read safely."
        )
        return None
    try:
        text = _text(data, damage)
    except ValueError as error:
        damage.flag(f"The file is too deeply nested to be read safely: {error}.")
        return None
    if len(text) > MAX_TEXT or text.count("[") + text.count("{") > MAX_VALUES:
        damage.flag("Even without its outputs the file is too large or too deeply nested to be read safely.")
        return None
    try:
        return _loads(text)
    except UNREADABLE:
        return _broken_json(text, damage)


def _text(data: bytes, damage: Damage) -> str:
    encoding = json.detect_encoding(data)
    if not encoding.startswith("utf-8"):
        damage.note("The file is encoded as UTF-16 or UTF-32 and was read that way.", "")
        data = data.decode(encoding, errors="replace").encode("utf-8", errors="replace")
    text = without_outputs(data.removeprefix(b"\xef\xbb\xbf")).decode("utf-8", errors="replace")
    if "\ufffd" in text and "\ufffd".encode() not in data:
        damage.note("Bytes that are not UTF-8 were replaced by question marks.", "")
    return text


def _loads(text: str) -> object:
    return json.loads(text, parse_int=_whole_number)


def _whole_number(digits: str) -> int | float:
    return int(digits) if len(digits) < 20 else float(digits)


def _broken_json(text: str, damage: Damage) -> object:
    """Use one side of a merge conflict, or the cells that are complete."""
    for side in sides(text) or ():
        try:
            found = _loads(side)
        except UNREADABLE:
            continue
        damage.flag("The file contains an unresolved merge conflict; the first readable version is graded.")
        return found
    cells = _complete_cells(text)
    if cells:
        damage.flag(f"The file is damaged; only its first {len(cells)} cells could be read.")
        return {"cells": cells, "nbformat": 4}
    damage.flag(f"The file is not JSON, so it is not a notebook{_resemblance(text)}.")
    return None


def _complete_cells(text: str) -> list:
    """The cells before the place where the file breaks."""
    cells: list[object] = []
    found = CELLS.search(text)
    if found is None:
        return cells
    decoder, at = json.JSONDecoder(parse_int=_whole_number), found.end()
    while True:
        between = BETWEEN.match(text, at)
        try:
            cell, at = decoder.raw_decode(text, between.end() if between else at)
        except UNREADABLE:
            return cells
        cells.append(cell)


def _resemblance(text: str) -> str:
    start = text.lstrip()[:500]
    if start.startswith("<"):
        return "; it looks like a web page"
    if start.startswith(("PK\x03", "%PDF")):
        return "; it looks like an archive or a document"
    return "; it looks like a Python file" if re.search(r"^(import|from|def|# %%) ", start, re.MULTILINE) else ""


def _raw_cells(found: object, damage: Damage) -> list | None:
    """The cells of a notebook of any version, in any container that still shows them."""
    if found is None:
        return None
    if isinstance(found, list):
        found = {"cells": found if any(isinstance(cell, dict) for cell in found) else None}
    if not isinstance(found, dict):
        found = {}
    cells = found.get("cells")
    if cells is None and isinstance(found.get("worksheets"), list):
        sheets = [sheet.get("cells") for sheet in found["worksheets"] if isinstance(sheet, dict)]
        cells = [cell for sheet in sheets if isinstance(sheet, list) for cell in sheet]
    if isinstance(cells, dict):
        cells = list(cells.values())
        damage.note("The cells were not in a list; they were read in the order of the file.", "")
    if not isinstance(cells, list):
        damage.flag("The file is JSON, but not a notebook: it has no cells.")
        return None
    version = found.get("nbformat")
    if type(version) is not int or version != 4:
        stated = f"nbformat {version}" if type(version) is int else "no version"
        damage.note(f"The file was a notebook in {stated}; it was read as nbformat 4.", "")
    return cells
