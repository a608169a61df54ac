"""Downloads that survive an interruption and are checked by their digest."""

import hashlib
import urllib.error
import urllib.request
from pathlib import Path

from course_lib.training.progress_bar import progress_bar

BLOCK = 1 << 20  # bytes
SECONDS_OF_SILENCE = 30


def fetch(url: str, path: Path, digest: str) -> Path:
    """The path of the file at url, checked by its digest; downloaded only if it is not there yet.

    What has arrived lies in `<path>.part`, and the next call goes on from its end. A file that fails its check
    is deleted.

    Args:
        url: http or https.
        path: where it shall lie; its folder is made.
        digest: "md5:…" or "sha256:…", in hexadecimal; the beginning of it is enough.

    Raises:
        OSError: when the server cannot be reached, or the connection breaks.
        ValueError: when what arrived is not what was expected.
    """
    if path.exists() and matches(path, digest):
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    _download(url, part)
    if not matches(part, digest):
        part.unlink()
        raise ValueError(f"{url} is not the file it should be ({digest}): it was deleted, try again")
    return part.replace(path)


def matches(path: Path, digest: str) -> bool:
    """Whether a file has a digest, "md5:…" or "sha256:…"."""
    name, _, expected = digest.partition(":")
    found = hashlib.new(name)
    with path.open("rb") as file:
        while block := file.read(BLOCK):
            found.update(block)
    return found.hexdigest().startswith(expected)


def _download(url: str, part: Path) -> None:
    have = part.stat().st_size if part.exists() else 0
    request = urllib.request.Request(url, headers={"Range": f"bytes={have}-"} if have else {})
    try:
        answer = urllib.request.urlopen(request, timeout=SECONDS_OF_SILENCE)
    except urllib.error.HTTPError as error:
        if error.code == 416:  # nothing is left to send
            return
        raise
    with answer:
        if answer.status != 206:  # the server sends all of it, from the beginning
            have = 0
        total = have + int(answer.headers.get("Content-Length") or 0)
        with part.open("ab" if have else "wb") as file, progress_bar(part.stem, max(total, 1)) as show:
            while block := answer.read(BLOCK):
                file.write(block)
                show(file.tell(), f"{file.tell() >> 20} MB")
    if part.stat().st_size < total:
        raise ConnectionError(f"{url} broke off after {part.stat().st_size} of {total} bytes")
