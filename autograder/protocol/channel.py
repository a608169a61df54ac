"""Frames between the judge and a worker: plain JSON and plain arrays, of bounded size, and never a pickle.

A frame is two little-endian lengths (4 bytes for the header, 4 for the payload), the header (UTF-8 JSON, an
object) and the payload (safetensors, or nothing). Both sides use this file; only the judge has to distrust
what it reads, so everything wrong with a frame is one exception, `BadFrame`.
"""

import json
import math
import os
import re
import select
import socket
import struct
import time
from collections.abc import Callable
from typing import NoReturn

import numpy as np
from safetensors.numpy import load, save

LENGTHS = struct.Struct("<II")
MAX_HEADER = 16 << 20
MAX_PAYLOAD = 32 << 20
MAX_DEPTH = 64
MAX_VALUES = 100_000  # in a header: Python takes some hundred bytes for each
MAX_TENSORS = 1024
MAX_NAMES = 1 << 20  # bytes of a payload that describe its tensors
KINDS = ("text/plain", "image/png", "image/jpeg")  # of output: nothing else is shown to anybody
STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
TICK = 0.05
FLOATS, INTEGERS = ("float16", "float32", "float64"), ("int8", "int16", "int32", "int64")
DTYPES = frozenset(map(np.dtype, ["bool", *FLOATS, *INTEGERS, *(f"u{name}" for name in INTEGERS)]))


class BadFrame(Exception):
    """The other side sent something that is not a frame."""


class Closed(Exception):
    """The other side is gone."""


class Late(Exception):
    """The deadline passed before a whole frame had crossed."""


class Channel:
    """One end of a socket pair. Reading and writing keep a deadline, however slowly the bytes drip.

    `tick`, where given, is called every 50 ms while waiting; what it raises ends the wait.
    """

    def __init__(self, sock: socket.socket, max_header: int = MAX_HEADER, max_payload: int = MAX_PAYLOAD):
        sock.setblocking(False)
        self.sock, self.max_header, self.max_payload = sock, max_header, max_payload
        self.received = 0  # bytes

    def send(
        self, header: dict, tensors: dict | None = None, deadline: float = math.inf, tick: Callable | None = None
    ) -> None:
        """Write one frame: `header` as JSON, `tensors` (name → array) as safetensors."""
        data = packed(header, tensors, self.max_header, self.max_payload)
        view = memoryview(data)
        while view:
            try:
                view = view[self.sock.send(view) :]
            except BlockingIOError:
                self._wait(select.POLLOUT, deadline, tick)
            except OSError as error:
                raise Closed(str(error)) from None

    def receive(self, deadline: float = math.inf, tick: Callable | None = None) -> tuple[dict, dict]:
        """Read one frame → (header, name → array). Raises `BadFrame`, `Closed` or `Late`."""
        lengths = self._read(LENGTHS.size, deadline, tick)
        header_size, payload_size = LENGTHS.unpack(lengths)
        if header_size > self.max_header or payload_size > self.max_payload:
            raise BadFrame(f"a frame of {header_size} + {payload_size} bytes is too large")
        header = parse(self._read(header_size, deadline, tick))
        payload = self._read(payload_size, deadline, tick)
        return header, arrays(payload) if payload else {}

    def pending(self) -> bool:
        """Is there something to read already, or is the other side gone?"""
        poll = select.poll()
        poll.register(self.sock, select.POLLIN)
        return bool(poll.poll(0))

    def close(self) -> None:
        self.sock.close()

    def _read(self, size: int, deadline: float, tick: Callable | None) -> bytearray:
        data = bytearray(min(size, 1 << 16))
        have = 0
        while have < size:
            if have == len(data):  # grow with what arrives, not with what was announced
                data.extend(bytes(min(size - have, have)))
            try:
                got = self.sock.recv_into(memoryview(data)[have:])
            except BlockingIOError:
                self._wait(select.POLLIN, deadline, tick)
                continue
            except OSError as error:
                raise Closed(str(error)) from None
            if not got:
                raise Closed("the other side closed the channel")
            have += got
            self.received += got
            if time.monotonic() > deadline:
                raise Late()
        return data

    def _wait(self, event: int, deadline: float, tick: Callable | None) -> None:
        poll = select.poll()
        poll.register(self.sock, event)
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                raise Late()
            pause = min(left, TICK) if tick else min(left, 3600)
            if poll.poll(math.ceil(pause * 1000)):
                return
            if tick:
                tick()


def packed(
    header: dict, tensors: dict | None = None, max_header: int = MAX_HEADER, max_payload: int = MAX_PAYLOAD
) -> bytes:
    """The bytes of a frame; a `BadFrame` when they are more than the other side takes."""
    if tensors and len(tensors) > MAX_TENSORS:
        raise BadFrame(f"{len(tensors):,} tensors in one frame are too many: at most {MAX_TENSORS:,} cross")
    text = json.dumps(header, allow_nan=False).encode()
    payload = save({name: np.asarray(a, order="C") for name, a in tensors.items()}) if tensors else b""
    if len(text) > max_header or len(payload) > max_payload:
        raise BadFrame(f"a frame of {len(text)} + {len(payload)} bytes is too large")
    return LENGTHS.pack(len(text), len(payload)) + text + payload


def pair() -> tuple[socket.socket, socket.socket]:
    """Two connected ends, closed on exec unless passed on."""
    return socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)


def parse(text: bytes | bytearray) -> dict:
    """A JSON object: no NaN, no deep nests, not too many values; anything else is a `BadFrame`."""
    text = bytes(text)
    if _marks(text) > MAX_VALUES and _marks(STRING.sub(b"", text)) > MAX_VALUES:
        raise BadFrame(f"a header of more than {MAX_VALUES:,} values is too large")
    try:
        header = JSON.decode(text.decode())
    except (ValueError, RecursionError) as error:
        raise BadFrame(f"not JSON: {str(error)[:200]}") from None
    if not isinstance(header, dict):
        raise BadFrame("the header is not an object")
    if depth(header) > MAX_DEPTH:
        raise BadFrame("the header is nested too deeply")
    return header


def _marks(text: bytes) -> int:
    """No fewer than the values of a JSON text."""
    return text.count(b",") + text.count(b"[") + text.count(b"{") + text.count(b":")


def depth(value: object) -> int:
    """How deeply lists and objects are nested in each other, found without recursion.

    >>> depth({"a": [1, {"b": 2}]}), depth("a")
    (3, 0)
    """
    deepest, layer = 0, [value]
    while layer := [item for item in layer if isinstance(item, (dict, list))]:
        deepest += 1
        layer = [child for item in layer for child in (item.values() if isinstance(item, dict) else item)]
    return deepest


def arrays(payload: bytes | bytearray) -> dict[str, np.ndarray]:
    """Safetensors → arrays that own their memory, of the plain kinds only."""
    if int.from_bytes(payload[:8], "little") > MAX_NAMES:
        raise BadFrame("the description of the tensors is too long")
    try:
        found = load(bytes(payload))
    except Exception as error:  # noqa: BLE001 (the library's own exception, and whatever a hostile file brings out)
        raise BadFrame(f"not safetensors: {str(error)[:200]}") from None
    if len(found) > MAX_TENSORS:
        raise BadFrame(f"{len(found)} tensors in one frame are too many")
    for name, array in found.items():
        if array.dtype not in DTYPES:
            raise BadFrame(f"{name[:100]!r} holds {array.dtype.name}, which is not a plain number")
    return found


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


def _finite(text: str) -> float:
    """A number that JSON can carry again: 1e999 reads as infinity."""
    if not math.isfinite(value := float(text)):
        _refuse(text)
    return value


JSON = json.JSONDecoder(parse_constant=_refuse, parse_float=_finite)


def send_descriptors(sock: socket.socket, descriptors: list[int]) -> None:
    """Hand open files over to the other side, with one byte that says so."""
    socket.send_fds(sock, [b"F"], descriptors)


def receive_descriptors(sock: socket.socket, count: int) -> list[int]:
    """The open files that `send_descriptors` sent; an empty list when the other side is gone."""
    select.select([sock], [], [])
    data, descriptors, _, _ = socket.recv_fds(sock, 1, count)
    if data != b"F" or len(descriptors) != count:
        for descriptor in descriptors:
            os.close(descriptor)
        return []
    for descriptor in descriptors:
        os.set_inheritable(descriptor, False)
    return descriptors
