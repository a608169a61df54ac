"""Kill the parent, and the parent's parent."""

KIND = "ending the process"
DESERVES = 20
STOCK = "It would kill the grader."
CELL = """
import os

parent = os.getppid()
for pid in (parent, 1, 2, int(open(f"/proc/{parent or 1}/stat").read().split()[3]) if parent else 0):
    if pid:
        try:
            os.kill(pid, 9)
        except OSError as error:
            print(error)
"""
