"""Any bytes at all: a notebook that is safe to handle, or a sentence; never an exception."""

import json
import random

import nbformat
import pytest

from autograder.repair.canonical import MAX_CELLS, MAX_SOURCE, MAX_SOURCES
from autograder.repair.reading import MAX_BYTES, read_submission, without_outputs


def code(source, **more) -> dict:
    return {"cell_type": "code", "id": "one", "metadata": {}, "source": source, "outputs": [], **more}


def prose(source) -> dict:
    return {"cell_type": "markdown", "id": "one", "metadata": {}, "source": source}


def notebook(*cells, **more) -> dict:
    return {"cells": list(cells), "metadata": {}, "nbformat": 4, "nbformat_minor": 5, **more}


def read(found) -> tuple:
    """The notebook's sources, repairs and flags; what comes back is valid whatever went in."""
    data = found if isinstance(found, bytes) else json.dumps(found).encode()
    result, repairs, flags = read_submission(data)
    if result is not None:
        nbformat.validate(result)
        nbformat.writes(result).encode()
        assert not any(cell.get("outputs") for cell in result.cells)
    return result and [cell.source for cell in result.cells], repairs, flags


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "empty"),
        (b" \r\n\0\0", "empty"),
        (b"<!DOCTYPE html><title>Log in</title>", "web page"),
        (b"PK\x03\x04\x14\x00", "archive"),
        (b"import torch\n\ndef softmax(x): pass\n", "Python file"),
        (bytes(range(1, 256)) * 7, "not JSON"),
        (b"[" * 100_003, "not JSON"),
        (b'{"a":' * 100_003, "not JSON"),
        (b"17", "no cells"),
        (b"[1, 2, 3]", "no cells"),
        (b'{"cells": "none"}', "no cells"),
        (b'{"name": "attention", "worksheets": 3}', "no cells"),
        (b'{"cells": [' + b"[]," * 1_000_003 + b"[]]}", "too large or too deeply nested"),
    ],
)
def test_what_cannot_be_read_gives_no_notebook_and_says_why(data, said):
    sources, _, flags = read(data)
    assert sources is None
    assert said in flags[0]


def test_a_file_beyond_the_limit_is_not_parsed():
    sources, _, flags = read(b"x" * (MAX_BYTES + (1 << 20)))
    assert (sources, flags) == (None, ["The file has 129 MB, more than 128 MB; it is too large to be read safely."])


def test_outputs_too_finely_nested_to_be_skipped_are_not_parsed():
    with pytest.raises(ValueError, match="too many strings, lists and objects"):
        without_outputs(b'{"cells": [{"outputs": [' + b"[]," * 1_013 + b"[]]}]}", most=1_009)


def test_fifty_megabytes_of_outputs_cost_nothing_but_their_reading():
    stream = {"output_type": "stream", "name": "stdout", "text": '[0.57, "a \\" ]", {\n' * 2_777_777}
    data = json.dumps(notebook(code("x = 2", outputs=[stream]))).encode()
    assert len(data) > 50_000_000
    assert read(data) == (["x = 2"], [], [])


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_other_encodings_are_read(encoding):
    sources, _, flags = read(json.dumps(notebook(code("π = 3.14")), ensure_ascii=False).encode(encoding))
    assert (sources, flags) == (["π = 3.14"], [])


def test_bytes_that_are_not_utf8_are_replaced_and_reported():
    data = json.dumps(notebook(code("x = 'é'")), ensure_ascii=False).encode("latin-1")
    assert read(data) == (["x = '\ufffd'"], ["Bytes that are not UTF-8 were replaced by question marks."], [])


def test_halves_of_characters_and_nul_are_replaced():
    sources, repairs, _ = read(notebook(code("a\ud800b\0c")))
    assert sources == ["a\ufffdb\ufffdc"]
    assert repairs == ["Characters that cannot be saved were replaced."]


def test_a_file_that_breaks_off_gives_its_complete_cells():
    data = json.dumps(notebook(code("a = 2"), code("b = 3"), code("c = 5"))).encode()
    sources, _, flags = read(data[: data.index(b"c = 5") + 3])
    assert sources == ["a = 2", "b = 3"]
    assert flags == ["The file is damaged; only its first 2 cells could be read."]


def test_a_merge_conflict_in_the_file_gives_one_version_and_a_flag():
    lines = json.dumps(notebook(code("a = 2"), code("b = 3")), indent=0).split("\n")
    at = next(i for i, line in enumerate(lines) if "a = 2" in line)
    lines[at : at + 1] = ["<<<<<<< HEAD", lines[at], "=======", lines[at].replace("2", "7"), ">>>>>>> theirs"]
    sources, _, flags = read("\n".join(lines).encode())
    assert sources == ["a = 2", "b = 3"]
    assert "merge conflict" in flags[0]


def test_the_older_format_is_upgraded():
    sheet = [
        {"cell_type": "heading", "level": 2, "source": ["Masks"]},
        {"cell_type": "code", "input": ["x = 2\n", "y = 3"], "outputs": [], "prompt_number": 5, "language": "python"},
    ]
    sources, repairs, flags = read({"worksheets": [{"cells": sheet}], "nbformat": 3, "nbformat_minor": 0})
    assert sources == ["## Masks", "x = 2\ny = 3"]
    assert repairs == ["The file was a notebook in nbformat 3; it was read as nbformat 4."]
    assert flags == []


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (["a\n", "b"], "a\nb"),
        (17, "17"),
        (None, ""),
        ({"a": 1}, ""),
        (["a\n", 3, None, "b"], "a\n3b"),
        (float("nan"), "nan"),
    ],
)
def test_a_source_of_any_type_becomes_text(source, text):
    assert read(notebook(code(source)))[0] == [text]


def test_too_many_cells_are_cut_with_a_flag():
    count = 2 * MAX_CELLS + 7
    sources, _, flags = read(notebook(*[code(f"x = {number}" if number % 2 else " ") for number in range(count)]))
    assert sources == [f"x = {number}" for number in range(1, 2 * MAX_CELLS, 2)]
    assert f"{count} cells" in flags[0]


def test_too_long_cells_are_cut_with_a_flag():
    sources, _, flags = read(notebook(prose("a" * (MAX_SOURCE + 13)), prose("b" * 7)))
    assert sources == ["a" * MAX_SOURCE, "b" * 7]
    assert "1,000,013 characters" in flags[0]


def test_too_much_text_is_cut_at_a_cell_with_a_flag():
    sources, _, flags = read(notebook(*(prose(letter * (MAX_SOURCES // 2 - 7)) for letter in "abc")))
    assert [source[0] for source in sources] == ["a", "b"]
    assert "more than 2,000,000 characters" in flags[0]


def test_pictures_in_prose_stay_and_anything_else_attached_goes():
    attached = {"a.png": {"image/png": "iVBO", "text/html": "<script>"}, "b.svg": {"image/svg+xml": "<svg/>"}, "c": 3}
    found = read_submission(
        json.dumps(notebook({"cell_type": "markdown", "source": "", "attachments": attached})).encode()
    )
    assert found[0].cells[0].attachments == {"a.png": {"image/png": "iVBO"}}


JUNK = [
    None,
    True,
    3,
    -1.5,
    float("nan"),
    10**400,
    "",
    "code",
    "\ud800",
    [],
    [[]],
    {},
    {"cells": 1},
    {"nbgrader": {"grade_id": []}},
]


def spoil(found, draw: random.Random, share: float = 0.08):
    """The same JSON with some of its values replaced by junk."""
    if draw.random() < share:
        return draw.choice(JUNK)
    if isinstance(found, dict):
        return {key: spoil(value, draw) for key, value in found.items() if draw.random() > share / 4}
    return [spoil(value, draw) for value in found] if isinstance(found, list) else found


@pytest.mark.parametrize("seed", range(97))
def test_wrong_types_anywhere_are_survived(seed):
    grading = {"grade_id": "softmax", "points": 4, "solution": True, "locked": False}
    cells = [
        code(["x\n", "y"], metadata={"nbgrader": grading}),
        {"cell_type": "markdown", "source": "a", "attachments": {}},
    ]
    sources, _, flags = read(spoil(notebook(*cells, *cells, worksheets=[{"cells": cells}]), random.Random(seed)))
    assert sources or flags
