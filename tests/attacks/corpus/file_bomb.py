"""Fill the disk: one file, many files, files nobody sees."""

KIND = "bombs"
DESERVES = 20
STOCK = "A bomb."
CELL = """
import os
import tempfile

for place in (".", "/tmp", "/dev/shm", "/var/tmp", os.path.expanduser("~")):
    for number in range(50):
        try:
            with open(f"{place}/{number}", "wb") as file:
                for _ in range(1000):
                    file.write(bytes(1 << 20))
        except OSError:
            break
held = [tempfile.TemporaryFile() for _ in range(20)]
for file in held:
    file.write(bytes(8 << 20))
"""
