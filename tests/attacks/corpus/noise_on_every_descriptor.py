"""Write noise to every descriptor there is, the channel among them."""

KIND = "forged frames"
DESERVES = 20
GETS = 0
NOTE = "The submission breaks its own channel: it is over, and the next one is not disturbed."
CELL = """
import os

for number in range(1024):
    try:
        os.write(number, b"\\xff" * 97)
    except OSError:
        pass
"""
