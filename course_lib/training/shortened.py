"""Training cut short, where only the code around it is tried."""

import os


def steps_to_make(wanted: int) -> int:
    """So many steps, or as many of them as the environment variable `COURSE_STEPS` allows.

    Raises:
        ValueError: when `COURSE_STEPS` is not a number of steps.
    """
    limit = os.environ.get("COURSE_STEPS", "").strip()
    if not limit:
        return wanted
    if not limit.isdecimal() or int(limit) == 0:
        raise ValueError(f"COURSE_STEPS must be a whole number of steps, 1 or more; it is {limit!r}")
    return min(wanted, int(limit))


def epochs_to_make(wanted: int, steps: int) -> int:
    """So many epochs, each of so many steps, or as many as it takes to make the steps that `COURSE_STEPS` allows.

    Raises:
        ValueError: when `COURSE_STEPS` is not a number of steps.
    """
    return -(-steps_to_make(wanted * steps) // steps)
