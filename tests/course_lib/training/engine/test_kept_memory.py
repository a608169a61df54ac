import platform
import subprocess
import sys

import pytest

TAKEN_TWICE = """
import resource
from course_lib.training.engine.kept_memory import keep_memory

if {keeps}:
    keep_memory()
for _ in range(2):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    bytearray(b"x") * (20 << 20)
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def faults(keeps: bool) -> int:
    """Page faults of a process that takes again what it has freed."""
    command = [sys.executable, "-c", TAKEN_TWICE.format(keeps=keeps)]
    return int(subprocess.check_output(command, text=True))


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another library manages the memory")
def test_memory_that_was_freed_is_taken_again_without_page_faults():
    if faults(keeps=False) < 1000:
        pytest.skip("Linux gives large pages here, so there is little to see")
    assert faults(keeps=True) < 100
