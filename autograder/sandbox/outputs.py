"""What a cell showed, as nbformat v4 outputs, rebuilt from what an untrusted worker says it was."""

import codecs
import contextlib
import os
import re
import tempfile
from typing import IO, Any

from autograder.protocol.channel import KINDS, BadFrame
from autograder.sandbox.records import Room

STREAMS = ("stdout", "stderr")
MAX_RICH = 8 << 20
MAX_OUTPUTS = 1000
MAX_LINES = 200
MAX_ERROR = 100_000  # characters
MAX_FRAMES = 20_000
MAX_IGNORED = 64 << 20
MAX_NAME = 200
UNREADABLE = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


class TooMuch(BadFrame):
    """More output than anybody could look at, however well made."""


class Text:
    """The two text files of a submission; each read as far as the cells have come. `left`: of the whole submission."""

    def __init__(self) -> None:
        self.files, self.left = [_nameless() for _ in STREAMS], Room()
        self.read = [0, 0]

    def descriptors(self) -> list[int]:
        return [file.fileno() for file in self.files]

    def take(self, stream: int, upto: int | None, room: int) -> tuple[bytes, bool]:
        """What `stream` gained up to `upto` (or its end), at most `room` bytes; → (text, was there more)."""
        size = os.fstat(self.files[stream].fileno()).st_size
        end = size if upto is None else max(self.read[stream], min(upto, size))
        begin, self.read[stream] = self.read[stream], end
        data = os.pread(self.files[stream].fileno(), min(room, end - begin), begin) if end > begin else b""
        return data, end - begin > room

    def last_words(self) -> str:
        """The end of what went to standard error."""
        return os.pread(self.files[1].fileno(), 1 << 20, 0).decode(errors="replace").strip()[-500:]

    def close(self) -> None:
        for file in self.files:
            file.close()


class Outputs:
    """The outputs of one cell while it runs."""

    def __init__(self, text: Text, limit: int, displays: dict[str, list[dict]]):
        self.text, self.rich, self.displays = text, MAX_RICH, displays
        self.room = min(limit, text.left.text)
        self.decoders = [codecs.getincrementaldecoder("utf-8")("replace") for _ in STREAMS]
        self.records: list[dict] = []
        self.full, self.clear_next, self.frames = False, False, 0

    def advance(self, at: object = None) -> None:
        """Take the text written up to `at` (two sizes), or all there is."""
        if at is not None and not (isinstance(at, list) and len(at) == 2 and all(type(n) is int for n in at)):
            raise BadFrame("a frame does not say how much text precedes it")
        for stream, name in enumerate(STREAMS):
            data, more = self.text.take(stream, None if at is None else at[stream], self.room)
            self.room -= len(data)
            self.text.left.text -= len(data)
            self._write(name, self.decoders[stream].decode(data))
            if more and not self.full:
                self.full = True
                self.text.left.spent |= not self.text.left.text
                self._write("stderr", "\n[the rest of the output was cut off at the limit]\n")

    def add(self, header: dict) -> None:
        """Take one frame `output` or `clear`."""
        self.frames += 1
        if self.frames > MAX_FRAMES or self.rich < -MAX_IGNORED:
            raise TooMuch("more output than the limit")
        if header["op"] == "clear":
            self.clear_next = True
            if header.get("wait") is not True:
                self._clear()
            return
        record = clean(header.get("output"))
        size = _size(record)
        self.rich -= size
        self.text.left.spent |= size > self.text.left.rich
        if self.rich < 0 or size > self.text.left.rich or len(self.records) >= MAX_OUTPUTS:
            self.full = True
            return
        self.text.left.rich -= size
        name = header.get("display_id")
        name = name if isinstance(name, str) and len(name) <= MAX_NAME else None
        if header.get("update") is True:
            for shown in self.displays.get(name or "", []):
                shown.update(data=record.get("data", {}), metadata=record.get("metadata", {}))
            return
        self._clear()
        if record["output_type"] == "execute_result":
            record["execution_count"] = None
        self.records.append(record)
        if name is not None and len(self.displays) < MAX_OUTPUTS:
            self.displays.setdefault(name, []).append(record)

    def _write(self, name: str, text: str) -> None:
        if not text:
            return
        self._clear()
        last = self.records[-1] if self.records else {}
        if last.get("name") == name:
            last["text"] += text
        elif len(self.records) < MAX_OUTPUTS:
            self.records.append({"output_type": "stream", "name": name, "text": text})

    def _clear(self) -> None:
        if self.clear_next:
            self.records, self.clear_next = [], False


def clean(record: object) -> dict:
    """An output with the keys of the format and nothing else; a `BadFrame` when it is none."""
    if not isinstance(record, dict):
        raise BadFrame("an output is not an object")
    kind = record.get("output_type")
    if kind == "error":
        lines = record.get("traceback")
        texts = [record.get("ename"), record.get("evalue"), *(lines if isinstance(lines, list) else [None])]
        if not all(isinstance(text, str) for text in texts) or len(texts) > MAX_LINES:
            raise BadFrame("an error output must consist of strings")
        ename, evalue, *lines = [encodable(text[: MAX_ERROR // len(texts)]) for text in texts]
        ename, evalue = readable(ename), readable(evalue)
        return {"output_type": kind, "ename": ename, "evalue": evalue, "traceback": lines}
    if kind not in ("display_data", "execute_result"):
        raise BadFrame(f"unknown output type {str(kind)[:50]!r}")
    if not isinstance(record.get("data"), dict) or not isinstance(record.get("metadata"), dict):
        raise BadFrame("an output's data and metadata must be objects")
    data = {mime: encodable(value) for mime, value in record["data"].items() if mime in KINDS}
    if not all(isinstance(value, str) for value in data.values()):
        raise BadFrame("an output must be text")
    return {"output_type": kind, "data": data, "metadata": {}}


def _size(record: dict) -> int:
    """Characters of an output; an error has room of its own, for the verdict speaks of it."""
    return sum(map(len, record["data"].values())) if "data" in record else 0


def encodable(value: Any) -> Any:
    """JSON whose texts can be written as UTF-8: lone surrogates become question marks."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, list):
        return [encodable(item) for item in value]
    if isinstance(value, dict):
        return {encodable(key): encodable(item) for key, item in value.items()}
    return value


def readable(text: str) -> str:
    """A text that people read beside others': nothing in it turns the direction of writing, or moves a cursor.

    >>> readable("a\x1b[2J\u202eb")
    'a\ufffd[2J\ufffdb'
    """
    return UNREADABLE.sub("\ufffd", encodable(text))


def _nameless() -> IO[bytes]:
    """A file without a name, in memory where the system has such files."""
    with contextlib.suppress(AttributeError, OSError):
        return os.fdopen(os.memfd_create("text", os.MFD_CLOEXEC), "w+b", buffering=0)
    return tempfile.TemporaryFile(buffering=0)
