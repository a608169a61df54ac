"""Root becomes nobody before bubblewrap starts: run as `python -I -S launch.py BINDS COMMAND…`.

In a mount namespace of its own, what the sandbox shows is gathered where an ordinary user may look (a Python
below /root is out of its reach otherwise), so that root's private files stay private and limits on the number of
processes, which root is exempt from, hold.
"""

import ctypes
import json
import os
import shutil
import sys

STAGE = "/tmp/.stage"
NOBODY = 65533
CLONE_NEWNS, MS_BIND, MS_REC, MS_PRIVATE = 0x00020000, 0x1000, 0x4000, 0x40000


def main(binds: str, command: list[str]) -> None:
    """`binds`: JSON `[[source, place, copied], …]`; then become nobody and run `command`."""
    libc = ctypes.CDLL(None, use_errno=True)
    check(libc.unshare(CLONE_NEWNS), "unshare")
    mount(libc, None, "/", None, MS_REC | MS_PRIVATE)
    opened = [(os.open(source, os.O_PATH), source, place, copied) for source, place, copied in json.loads(binds)]
    mount(libc, "tmpfs", "/tmp", "tmpfs", 0, "mode=755")
    for descriptor, _, place, copied in opened:
        if copied:
            shutil.copytree(f"/proc/self/fd/{descriptor}", place, symlinks=True)
            make_readable(place)
        else:
            os.makedirs(place)
            mount(libc, f"/proc/self/fd/{descriptor}", place, None, MS_BIND | MS_REC)
        os.close(descriptor)
    os.chdir("/")
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)
    os.execv(command[0], command)


def make_readable(top: str) -> None:
    """Everybody may read `top` and what is below it."""
    for directory, _, files in os.walk(top):
        os.chmod(directory, 0o755)
        for file in files:
            os.chmod(os.path.join(directory, file), 0o644)


def mount(libc: ctypes.CDLL, source: str | None, target: str, kind: str | None, flags: int, options: str = "") -> None:
    """Mount `source` on `target`."""
    encoded = [None if text is None else text.encode() for text in (source, target, kind)]
    check(libc.mount(*encoded, ctypes.c_ulong(flags), options.encode()), f"mount {target}")


def check(result: int, what: str) -> None:
    if result:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
