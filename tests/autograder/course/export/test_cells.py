"""No cell that leaves the course begins a formula, whatever reads the file and wherever that splits it."""

import csv
import io
import shutil
import subprocess

import pytest

from autograder.exports.cells import FORMULA, csv_bytes, safe_cell

BLANKS = ("", " ", "\t", "\r", "\n", "\xa0", "\u200b", "\ufeff", '"', ' "" ', "\x0b", "\u3000", " \xa0\u200b ")
PAYLOADS = (
    "=1+1",
    "=cmd|' /C calc'!A0",
    '=HYPERLINK("http://127.0.0.1","x")',
    "+1+1",
    "-1+1",
    "@SUM(1)",
    "＝1+1",
    "＋1",
)
NAMES = ("", "Ann", 'Ann"', "Ann;", "Ann| ")
BETWEEN = (";", ",", "|", "\t", "; ;", ";\xa0;", "| |", "\r\n")
UNSEEN = '"\u200b\ufeff\xa0\u3000 \t\r\n\x0b'
HONEST = ("Ann Lee", "a-b", "O'Hara", "ann@example.org", "-", "-2.5", "17", "3,5", "1 - x", "a=b", "x; y", "<3", "50%")


def hostile():
    """A name, a separator, a blank, and something that a spreadsheet would run."""
    starts = [*BLANKS, *(name + between + blank for name in NAMES for between in BETWEEN for blank in BLANKS)]
    return [start + payload for start in starts for payload in PAYLOADS]


def formulas(text, separator):
    """What a spreadsheet would run of a file; blanks, and what nobody sees, it may leave out."""
    fields = (
        field.strip(UNSEEN) for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator) for field in row
    )
    return [field for field in fields if field[:1] and field[0] in FORMULA and field != "-2.5"]


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("written_with", [",", ";"])
def test_no_field_begins_a_formula_whichever_separator_it_is_read_with(separator, written_with):
    text = csv_bytes([["id", cell, "-2.5"] for cell in hostile()], written_with).decode()
    assert not formulas(text, separator)
    assert not [found for line in text.split("\r\n") for found in formulas(line, separator)]


def test_the_list_would_be_dangerous_as_it_is():
    raw = io.StringIO()
    csv.writer(raw).writerows([cell] for cell in hostile())
    assert len(formulas(raw.getvalue(), ";")) > 1000


@pytest.mark.parametrize("cell", HONEST)
def test_what_is_no_formula_stays_as_it_is(cell):
    assert safe_cell(cell) == cell


@pytest.mark.parametrize("first", ["\t", "\r", "\n"])
def test_a_cell_that_begins_with_a_control_character_is_text(first):
    assert safe_cell(f"{first}x") == f"'{first}x"


@pytest.mark.skipif(not shutil.which("soffice"), reason="LibreOffice is not installed")
@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_libreoffice_calculates_nothing(tmp_path, separator):
    cells = ["Ann; ;=1+1", "＝1+1", "=1+1", "a|\xa0=1+1", "\t=1+1", 'x";"=1+1', "+1+1"]
    (tmp_path / "in.csv").write_bytes(csv_bytes([[cell] for cell in cells]))
    form = ["--headless", f"--infilter=CSV:{ord(separator)},34,76,1", "--convert-to", "fods"]
    words = ["soffice", *form, "--outdir", str(tmp_path), str(tmp_path / "in.csv")]
    subprocess.run(words, check=True, capture_output=True, timeout=170)
    assert "table:formula" not in (tmp_path / "in.fods").read_text("utf-8")
