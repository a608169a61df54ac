import platform
import subprocess
import sys

import pytest

from course_lib.training.engine.memory import keep_freed_memory

COUNT_FAULTS = """
import resource, torch
from torch import nn
from course_lib.training.engine.memory import keep_freed_memory
torch.set_num_threads(1)
model = nn.Sequential(nn.Linear(31, 97), nn.ReLU(), nn.Linear(97, 61), nn.ReLU(), nn.Linear(61, 7))
x = torch.rand(2003, 31)
def faults_of_steps():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(11):
        model(x).square().mean().backward()
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before
faults_of_steps()
print(faults_of_steps())
keep_freed_memory()
for _ in range(5):  # until it has what a step takes at the most
    faults_of_steps()
print(faults_of_steps())
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc has this setting")
def test_kept_memory_saves_most_page_faults_of_a_step():
    answer = subprocess.run([sys.executable, "-c", COUNT_FAULTS], capture_output=True, text=True, check=True)
    before, after = map(int, answer.stdout.split())
    assert after < before / 5


def test_another_c_library_is_left_alone(monkeypatch):
    monkeypatch.setattr(platform, "libc_ver", lambda: ("", ""))
    assert keep_freed_memory.__wrapped__() is False
