"""Write noise to every descriptor there is, the channel among them."""

KIND = "forged frames"
DESERVES = 20
FLAGGED = True
NOTE = "It breaks the channel of its own process: the others of its cells are run in a new one."
CELL = """
import os

for number in range(1024):
    try:
        os.write(number, b"\\xff" * 97)
    except OSError:
        pass
"""
