"""What the tests of collected zips share: a zip in memory, and what was placed from it."""

import io
import zipfile

STAGE = "01_attention"


def zipped(members):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def placed(course):
    folder = course.root / "submitted"
    return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*") if path.is_file()}


def at(student):
    return f"{student}/{STAGE}/{STAGE}.ipynb"
