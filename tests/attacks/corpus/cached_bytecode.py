"""Search every cached .pyc for a function of the exercise's name, and run its code."""

KIND = "finding the reference"
DESERVES = 12
ANSWERS = {
    "scaled_dot_product": """
import glob
import marshal
import os
import sys
import types

def scaled_dot_product(q, k, v, mask=None):
    return q, k

def codes(code):
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield constant
            yield from codes(constant)

ours = ("attention", "course_lib", "autograder", "workshop", "multi_head", "layers")
places = [*sys.path, "@CHECKOUT@", "/stripped"]
paths = [p for place in places if place for p in glob.glob(place + "/__pycache__/*.pyc")]
paths += [p for place in places if place for p in glob.glob(place + "/*/__pycache__/*.pyc")]
for path in paths:
    if not any(part in os.path.basename(path) or part in path for part in ours):
        continue
    try:
        for code in codes(marshal.loads(open(path, "rb").read()[16:])):
            if code.co_name == "scaled_dot_product" and code.co_filename != __name__:
                found = types.FunctionType(code, {"torch": torch, "math": math}, argdefs=(None,))
                found(torch.ones(2, 3), torch.ones(2, 3), torch.ones(2, 3))
                scaled_dot_product = found
    except Exception as error:
        print(path, type(error).__name__)
"""
}
