"""Memory that a training step frees stays with the process for the next step.

A step asks for some dozens of tensors and frees them again. glibc gives a large block back to Linux at once, and Linux
fills each of its pages with zeros before the process may have it again: 5,900 pages in a step of the captions. glibc
raises the size from which it does so to that of the largest block freed so far, up to 32 MiB, and keeps twice as much
free memory. So one block of nearly that size, of which no page is ever touched, is enough.

`mallopt` would set the same limits, but glibc never adapts them again afterwards. Without glibc nothing changes.

Source: glibc's manual page `mallopt(3)`, `M_MMAP_THRESHOLD`.
"""

import torch

LARGEST = 31 << 20  # bytes; a freed block of over 32 MiB raises no limit


def keep_memory() -> None:
    """From now on this process keeps up to 62 MiB that it has freed."""
    torch.empty(LARGEST, dtype=torch.uint8)
