"""Kill every process that may be killed, and every number one by one."""

KIND = "ending the process"
DESERVES = 20
STOCK = "It would kill every process of the user who grades."
CELL = """
import os

for pid in range(2, 3000):
    if pid != os.getpid():
        try:
            os.kill(pid, 9)
        except OSError:
            pass
os.kill(-1, 9)
"""
