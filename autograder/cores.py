"""How many cores this process may use."""

import os


def cores() -> int:
    """Those that it may run on, where the system says which; else all of the machine's."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
