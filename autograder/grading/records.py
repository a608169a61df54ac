"""Records kept between runs: results by content, and notes of what has reached the gradebook.

Every file is written whole or not at all, so that a grader killed at any moment leaves nothing half done.
"""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from autograder.files import write_whole


@dataclass(frozen=True)
class Records:
    """The records of one stage of one course, under one context's digests."""

    folder: Path  # .course/ of the course
    stage: str
    context: str
    judged_by: str = ""

    def key(self, sanitised: str) -> str:
        """The address of a result: the sanitised notebook, in this context."""
        return hashlib.sha256(f"{self.context}\0{sanitised}".encode()).hexdigest()

    def result(self, key: str) -> dict | None:
        """A result that was computed before, or None."""
        return _read(self._result_file(key), "submission", "notebook")

    def keep(self, key: str, result: dict) -> None:
        """Keep a result under its key."""
        write_whole(self._result_file(key), json.dumps(result).encode())

    def late_again(self, key: str, late: bool) -> bool:
        """Note whether a run timed out on its own; → whether it and the previous run both did."""
        mark = self._result_file(key).with_suffix(".late")
        if before := mark.exists():
            mark.unlink()
        if late:
            write_whole(mark, b"")
        return late and before

    def done(self, student: str, data: bytes, circumstances: str | None = None) -> dict | None:
        """The recorded result for exactly this file in exactly this context, or None.

        `circumstances`: of lateness, as they were recorded. If they are None, it does not matter whether they have
        changed, or whether the submission must be tried again.
        """
        note = _read(self._note_file(student), "of", "result")
        if note is None or note["of"] != self._raw(data):
            return None
        return note["result"] if circumstances in (None, note.get("circumstances")) else None

    def judged_alike(self, student: str, data: bytes) -> bool:
        """Whether exactly this file was graded with everything its verdict depends on unchanged."""
        note = _read(self._note_file(student), "judged", "result")
        return note is not None and note["judged"] == self._judged(data)

    def note_done(self, student: str, data: bytes, result: dict, circumstances: str | None = "") -> None:
        """Note that the gradebook has this result; with circumstances None it will be tried again."""
        note = {"of": self._raw(data), "judged": self._judged(data), "circumstances": circumstances, "result": result}
        write_whole(self._note_file(student), json.dumps(note).encode())

    def forget(self, student: str) -> None:
        """Forget the note on this student, because the gradebook has nothing."""
        self._note_file(student).unlink(missing_ok=True)

    def _raw(self, data: bytes) -> str:
        return hashlib.sha256(self.context.encode() + b"\0" + data).hexdigest()

    def _judged(self, data: bytes) -> str:
        return hashlib.sha256(self.judged_by.encode() + b"\0" + data).hexdigest()

    def _result_file(self, key: str) -> Path:
        return self.folder / "results" / key[:2] / f"{key}.json"

    def _note_file(self, student: str) -> Path:
        return self.folder / "graded" / self.stage / f"{student}.json"


def noted(folder: Path, stage: str, student: str) -> dict | None:
    """The submission object that grading noted of a student, whatever has changed since; None where there is none."""
    note = _read(folder / "graded" / stage / f"{student}.json", "result")
    return {"student": student} | note["result"] if note and isinstance(note["result"], dict) else None


def _read(path: Path, *keys: str) -> dict | None:
    """The JSON object in a file, if it has these keys; None for anything else."""
    try:
        found = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) and found.keys() >= set(keys) else None
