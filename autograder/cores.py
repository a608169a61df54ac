"""How many cores this process may use."""

import os


def cores() -> int:
    """The cores that this process may run on, if the system says which; else all cores of the machine."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
