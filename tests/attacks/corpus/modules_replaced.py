"""Put counterfeits of the grader's modules into `sys.modules`."""

KIND = "patching"
DESERVES = 12
GETS = 4
ANSWERS = {
    "scaled_dot_product": """
import sys
from types import ModuleType

POINTS = {"softmax": 4, "scaled_dot_product": 8, "causal_mask": 2, "padding_mask": 3, "expand_mask": 3}

class Counterfeit(ModuleType):
    def __getattr__(self, name):
        return lambda name="", *anything, **more: POINTS.get(name, 0)

for name in [*sys.modules, "autograder.judging.judge", "autograder.practice.check"]:
    if name.startswith("autograder"):
        sys.modules[name] = Counterfeit(name)

from autograder import check

def scaled_dot_product(q, k, v, mask=None):
    return q, k
"""
}
