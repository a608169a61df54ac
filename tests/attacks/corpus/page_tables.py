"""Map hundreds of gigabytes and touch a byte in every two megabytes: the kernel's tables grow, no process does."""

KIND = "bombs"
DESERVES = 20
STOCK = "A bomb."
CELL = """
import mmap
held = []
for size in (400 << 30, 40 << 30, 4 << 30, 1 << 30):
    for _ in range(97):
        try:
            held.append(mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000, prot=mmap.PROT_READ))
        except OSError:
            break
        for at in range(0, size, 2 << 20):
            held[-1][at]
"""
