"""An error crosses as words that are the same each time."""

import os

from autograder.probes import run
from autograder.probes.run import describe


def test_addresses_are_left_out_of_a_message():
    said = [describe(TypeError(f"{object()} is traced, object id {id(object())}"))["message"] for _ in range(2)]
    assert said == ["<object object at 0x…> is traced, object id …"] * 2


def test_no_place_of_this_machine_is_told():
    traced = f"a tracer\nThe error occurred while tracing the function <lambda> at {run.__file__}:18 for jit. It helps"
    assert describe(TypeError(traced))["message"] == "a tracer It helps"
    library = os.path.dirname(os.__file__)
    assert describe(OSError(f"no {library}/x.py"))["message"] == f"no {os.path.basename(library)}/x.py"
