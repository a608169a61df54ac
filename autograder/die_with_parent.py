"""A process that helps another one must not outlive it."""

import ctypes
import os
import signal
import sys
from multiprocessing import parent_process

PR_SET_PDEATHSIG = 1


def die_with_parent() -> None:
    """Call this first in a process that `multiprocessing` has forked: on Linux it is killed when its parent dies."""
    if sys.platform != "linux":
        return
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    parent = parent_process()
    if parent is None or not parent.is_alive():
        os._exit(1)  # it died before that was said
