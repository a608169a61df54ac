"""Numbers as colours, and colours as a tiny PNG."""

import base64
import math
import struct
import zlib
from collections.abc import Sequence

Colour = tuple[int, int, int]

# Thirteen steps of cividis: dark to light in any kind of colour vision (Nuñez, Anderton and Renslow 2018).
_STEPS = "00224e 003170 2a3f6d 434e6c 575d6d 6a6c71 7d7c78 918b78 a59c74 bcae6c d2c060 e9d34e fee838"
CIVIDIS = [tuple(bytes.fromhex(step)) for step in _STEPS.split()]
NOT_A_NUMBER = (200, 40, 40)


def colour_of(value: float, low: float = 0.0, high: float = 1.0) -> Colour:
    """The colour of a value on a scale from low (dark blue) to high (yellow); values beyond it count as its end.

    >>> colour_of(-5.0), colour_of(1.0)
    ((0, 34, 78), (254, 232, 56))
    """
    if math.isnan(value):
        return NOT_A_NUMBER
    share = 0.0 if high == low else (value - low) / (high - low)
    place = min(max(share, 0.0), 1.0) * (len(CIVIDIS) - 1)
    step = min(int(place), len(CIVIDIS) - 2)
    rest = place - step
    return tuple(round(a + rest * (b - a)) for a, b in zip(CIVIDIS[step], CIVIDIS[step + 1], strict=True))


def ink_on(colour: Colour) -> str:
    """Black or white, whichever reads better on a colour.

    >>> ink_on((0, 34, 78)), ink_on((254, 232, 56))
    ('#fff', '#000')
    """
    red, green, blue = colour
    return "#000" if 0.299 * red + 0.587 * green + 0.114 * blue > 128 else "#fff"


def data_uri(pixels: Sequence[Sequence[Colour]]) -> str:
    """Rows of (red, green, blue), each 0 to 255, as the address of a PNG that carries its own bytes."""
    lines = b"".join(b"\0" + bytes(level for colour in row for level in colour) for row in pixels)
    header = struct.pack(">IIBBBBB", len(pixels[0]), len(pixels), 8, 2, 0, 0, 0)  # 8 bits each of red, green, blue
    parts = _chunk(b"IHDR", header), _chunk(b"IDAT", zlib.compress(lines)), _chunk(b"IEND", b"")
    return "data:image/png;base64," + base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"".join(parts)).decode()


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
