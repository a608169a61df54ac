"""What a try of an edited solution may cost is limited."""

import os
import resource
import subprocess
import sys

import pytest

from autograder.judging.answer_key import limits
from autograder.judging.answer_key.limits import limited
from autograder.judging.answer_key.solutions import ROUNDS, Solution

ROOM = 1 << 28  # bytes
ADDED = f"""
import mmap, resource
from autograder.judging.answer_key.limits import memory_added
with open("/proc/self/statm") as pages:
    most = int(pages.read().split()[0]) * mmap.PAGESIZE + {ROOM}
resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))
with memory_added():
    held = mmap.mmap(-1, 2 * {ROOM})
print(resource.getrlimit(resource.RLIMIT_AS)[0] - most)
"""


def defined(source):
    return Solution("loop", __name__, source).defined(source)


def test_a_while_loop_ends_after_a_number_of_rounds():
    loop = defined("def loop():\n    rounds = 0\n    while True:\n        rounds += 1\n    return rounds")
    with limited():
        assert loop() == ROUNDS


@pytest.mark.parametrize("outer", ["for _ in [0]", "while True"])
def test_a_loop_that_lengthens_its_own_list_ends_in_time(outer, monkeypatch):
    monkeypatch.setattr(limits, "SECONDS", 0.01)
    loop = defined(f"def loop(items):\n    {outer}:\n        for item in items:\n            items.append(item)")
    with limited(), pytest.raises(TimeoutError):
        loop([1])


def test_a_loop_outside_the_limits_takes_its_time(monkeypatch):
    monkeypatch.setattr(limits, "SECONDS", 0.0)
    loop = defined("def loop(found):\n    for item in range(3):\n        found.append(item)\n    return found")
    with limited():
        pass
    assert loop([]) == [0, 1, 2]


def test_what_an_edit_doubles_round_by_round_does_not_fill_the_memory():
    loop = defined("def loop(text):\n    while text:\n        text = text + text\n    return text")
    with limited(), pytest.raises((MemoryError, TimeoutError)):
        loop("a")


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="only Linux says what a process has")
def test_afterwards_memory_is_as_it_was():
    before = resource.getrlimit(resource.RLIMIT_AS)
    with limited():
        assert resource.getrlimit(resource.RLIMIT_AS) != before
    assert resource.getrlimit(resource.RLIMIT_AS) == before


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="only Linux says what a process has")
def test_what_a_framework_takes_is_added_to_the_limit_and_nothing_else():
    done = subprocess.run([sys.executable, "-c", ADDED], capture_output=True, text=True, check=True)
    assert 2 * ROOM <= int(done.stdout) < 2 * ROOM + (16 << 20)
