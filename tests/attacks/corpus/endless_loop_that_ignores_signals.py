"""Loop for ever, with every signal ignored and every exception caught."""

KIND = "stalling"
DESERVES = 20
STOCK = "It would take stock nbgrader's time limit, if one is set."
CELL = """
import ctypes

for number in range(1, 65):
    ctypes.CDLL(None).signal(number, 1)
while True:
    try:
        while True:
            pass
    except BaseException:
        pass
"""
