"""Linux's calls that Python has no function for, through ctypes; each raises OSError when refused.

Elsewhere `prctl` and `drop_capabilities` do nothing: there, `limits` is all there is, and the doctor says so.
"""

import contextlib
import ctypes
import os
import sys

LINUX = sys.platform == "linux"
libc = ctypes.CDLL(None, use_errno=True)
if LINUX:
    libc.mount.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_ulong, ctypes.c_char_p]
    libc.prctl.argtypes = [ctypes.c_int] + [ctypes.c_ulong] * 4

CLONE_NEWNS, CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID = 0x00020000, 0x08000000, 0x10000000, 0x20000000
CLONE_NEWNET = 0x40000000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_BIND, MS_REC, MS_PRIVATE = 1, 2, 4, 8, 0x1000, 0x4000, 0x40000
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_CAPBSET_DROP = 1, 4, 24
PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 36, 38
PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL = 47, 4
LAST_CAPABILITY = 40
MADV_COLLAPSE, HUGE_PAGE = 25, 2 << 20
CAPABILITY_VERSION_3 = 0x20080522


def unshare(flags: int) -> None:
    """Leave the namespaces that `flags` name for new ones."""
    _check(libc.unshare(flags), "unshare")


def mount(source: str | None, target: str, kind: str | None, flags: int, options: str = "") -> None:
    """Mount `source` on `target`."""
    encoded = [text.encode() if text is not None else None for text in (source, target, kind)]
    _check(libc.mount(*encoded, flags, options.encode()), f"mount {target}")


def prctl(option: int, value: int = 0, second: int = 0) -> None:
    """Change one attribute of this process."""
    if LINUX:
        _check(libc.prctl(option, value, second, 0, 0), f"prctl {option}")


def drop_capabilities() -> None:
    """Give up every capability, and the hope of getting one back through exec."""
    if not LINUX:
        return
    for capability in range(LAST_CAPABILITY + 1):
        libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)  # refused where there is nothing to drop
    libc.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
    none = (ctypes.c_uint32 * 6)()
    _check(libc.capset(header, none), "capset")


def use_huge_pages() -> None:
    """Move what this process has allocated into huge pages, where the kernel can (Linux from 6.1 on).

    A fork copies every entry of the page table, and a huge page is one entry instead of 512.
    """
    with contextlib.suppress(OSError), open("/proc/self/maps") as file:
        for line in file.read().splitlines():
            addresses, access, _, _, inode, *_ = line.split()
            start, end = (int(address, 16) for address in addresses.split("-"))
            if access == "rw-p" and inode == "0" and end - start >= HUGE_PAGE:
                libc.madvise(ctypes.c_void_p(start), ctypes.c_size_t(end - start), MADV_COLLAPSE)  # refused at no harm


def _check(result: int, what: str) -> None:
    if result:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
