"""The device to compute on, and seeds that make a run repeatable."""

import functools
import os
import random

import torch


def device() -> torch.device:
    """The device to train on: cuda where there is one, then mps, then the cpu.

    The environment variable `COURSE_DEVICE` (`cuda`, `cuda:1`, `mps` or `cpu`) overrides the choice. The
    answer is said once a session, on standard output.

    Raises:
        ValueError: when `COURSE_DEVICE` is not the name of a device that this machine offers.
    """
    override = os.environ.get("COURSE_DEVICE", "").strip()
    chosen = _parse(override) if override else torch.device(_available()[0])
    say_once(str(chosen))
    return chosen


def seed_everything(seed: int) -> None:
    """Seed every generator that a notebook draws from: python's, numpy's and torch's, on every device."""
    import numpy

    random.seed(seed)
    numpy.random.seed(seed % 2**32)  # noqa: NPY002 - a student's own numpy code draws from the global generator
    torch.manual_seed(seed)


def _available() -> list[str]:
    offers = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available(), "cpu": True}
    return [name for name, offered in offers.items() if offered]


def _parse(name: str) -> torch.device:
    try:
        chosen = torch.device(name)
    except RuntimeError:
        chosen = None
    kinds = _available()
    if chosen is None or chosen.type not in kinds or not _has_index(chosen):
        raise ValueError(
            f"COURSE_DEVICE must name a device of this machine ({', '.join(kinds)}); it is {name!r}: "
            "set it to one of these, or unset it and the fastest is taken"
        )
    return chosen


def _has_index(chosen: torch.device) -> bool:
    count = torch.cuda.device_count() if chosen.type == "cuda" else 1
    return (chosen.index or 0) < count


@functools.cache
def say_once(name: str) -> None:
    print(f"Device: {name} (the environment variable COURSE_DEVICE chooses another)")
