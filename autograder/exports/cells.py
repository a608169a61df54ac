"""CSV whose cells a spreadsheet cannot run as formulas: every exported table is written here."""

import csv
import io
import re
from collections.abc import Iterable

SEPARATORS = ";,|\t\r\n"  # whichever the spreadsheet of another country, or whoever imports the file, splits at
SKIPPED = r"[\s\"\x01-\x1f\x7f\xad\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]*"  # blanks, and what nobody sees
FORMULA = "=+@＝＋－＠﹦﹢﹣﹫−-"
BEGINS = re.compile(rf"((?:^|[{SEPARATORS}]){SKIPPED})(?=[{FORMULA}])")
LEADING = re.compile(r"[\t\r\n]")
NUMBER = re.compile(r"[+-]?\d+([.,]\d+)?%?")


def safe_cell(value: object) -> str:
    """The text of a cell; what a spreadsheet would run as a formula starts with an apostrophe, also inside it.

    Source: OWASP, CSV Injection. Plain numbers, and the lone `-` that Moodle writes for “no grade”, stay.

    >>> safe_cell("=cmd|' /C calc'!A0"), safe_cell("-2.5"), safe_cell(17.0), safe_cell(None)
    ("'=cmd|' /C calc'!A0", '-2.5', '17', '')
    >>> safe_cell("Ann; ;=1+1"), safe_cell("Ann | -x")
    ("Ann; ;'=1+1", "Ann | '-x")
    """
    if value is None:
        return ""
    text = f"{round(value, 4):g}" if isinstance(value, float) else str(value)
    text = text.replace("\0", "")
    if text == "-" or NUMBER.fullmatch(text):
        return text
    text = BEGINS.sub(r"\1'", text)
    return f"'{text}" if LEADING.match(text) else text


def csv_bytes(rows: Iterable[Iterable], delimiter: str = ",") -> bytes:
    """Rows as CSV in UTF-8, every cell made safe."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, delimiter=delimiter, lineterminator="\r\n")
    for row in rows:
        writer.writerow([safe_cell(cell) for cell in row])
    return buffer.getvalue().encode()
