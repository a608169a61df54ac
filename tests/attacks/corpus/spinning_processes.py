"""Start processes that spin, in sessions of their own, and spin too: no time is left for who is graded beside it."""

KIND = "stalling"
DESERVES = 20
STOCK = "It would outlive the run."
CELL = """
import os, signal
for number in range(1, 65):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
for _ in range(19):
    if not os.fork():
        try:
            os.setsid()
        except OSError:
            pass
        break
while True:
    pass
"""
