"""Raise an exception whose text never ends, below a value whose display never ends."""

KIND = "stalling"
DESERVES = 20
STOCK = "It would take stock nbgrader's time limit, if one is set."
CELL = """
class Endless(Exception):
    def __str__(self):
        while True:
            pass

    __repr__ = _repr_html_ = __str__

raise Endless
"""
