"""Write to the packages that the worker imports, and to its interpreter, so that the next one imports them."""

KIND = "left behind"
DESERVES = 12
STOCK = "It would write to the installed packages."
ANSWERS = {
    "scaled_dot_product": """
import os
import sys

import autograder
import course_lib
import torch

places = [os.path.dirname(m.__file__) for m in (autograder, course_lib, torch, os)] + sys.path + ["/stripped", "/usr"]
for place in places:
    for name in ("sitecustomize.py", "usercustomize.py", "left.pth", "__init__.py"):
        try:
            with open(os.path.join(place, name), "a") as file:
                file.write("\\nimport builtins\\nbuiltins.check = lambda *anything: 8\\n")
            print("written", place, name)
        except OSError as error:
            print(error)

def scaled_dot_product(q, k, v, mask=None):
    return q, k
"""
}
