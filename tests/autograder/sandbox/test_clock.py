"""A submission's time is its own: waiting for a processor is not counted, and all that its processes use is."""

import os
import subprocess
import sys

import pytest

from autograder.sandbox import clock, processes
from autograder.sandbox.clock import Clock, NotebookTime


class World:
    """A machine whose clocks stand until they are moved."""

    def __init__(self):
        self.now, self.waited, self.busy, self.behind = 100.0, 3.0, 7.0, []

    def move(self, seconds, waited=0.0, busy=0.0):
        self.now, self.waited, self.busy = self.now + seconds, self.waited + waited, self.busy + busy


@pytest.fixture
def world(monkeypatch):
    world = World()
    monkeypatch.setattr(clock.time, "monotonic", lambda: world.now)
    monkeypatch.setattr(processes, "waited", lambda pid: world.waited)
    monkeypatch.setattr(processes, "busy", lambda pids: world.busy)
    monkeypatch.setattr(processes, "yield_to_others", world.behind.append)
    return world


@pytest.mark.parametrize(
    ("waited", "busy", "elapsed"),
    [(0, 0, 11), (9, 2, 2), (0, 11, 11), (9, 17, 17)],
    ids=["asleep", "kept from working", "at work", "at work in many processes"],
)
def test_what_counts_is_own_time_and_all_processor_time(world, waited, busy, elapsed):
    own = Clock(1, [1], seconds=13)
    world.move(11, waited, busy)
    own.look([1])
    assert own.elapsed == pytest.approx(elapsed)


def test_who_takes_more_than_a_share_for_long_goes_behind_everybody(world):
    own = Clock(1, [1], seconds=60)
    for _ in range(20):
        world.move(0.05, busy=0.05 * clock.SHARE)
        own.look([1, 2])
    assert world.behind == []
    for _ in range(20):
        world.move(0.05, busy=0.05 * 40)
        own.look([1, 2])
    assert world.behind[-1] == [1, 2]


def test_what_has_ended_gives_no_time_back(world):
    own = Clock(1, [1], seconds=60)
    world.move(5, waited=1, busy=3)
    own.look([1])
    world.waited, world.busy = 0.0, 0.0
    own.look([])
    assert own.elapsed == pytest.approx(4)


def test_a_notebook_has_its_own_time_and_a_wider_one_on_the_wall(world):
    left = NotebookTime(10)
    left.take(3)
    world.move(1)
    assert left.left == 7
    world.move(10 * clock.WIDER - 3)
    assert left.left == pytest.approx(2)


@pytest.mark.skipif(not hasattr(os, "SCHED_IDLE"), reason="this system has no idle class")
def test_what_yields_to_others_stays_behind_with_all_that_it_starts():
    report = "import os; input(); print(os.sched_getscheduler(0)); os.system('chrt -p $$')"
    with subprocess.Popen([sys.executable, "-c", report], stdin=-1, stdout=-1, text=True) as child:
        processes.yield_to_others([child.pid])
        said = child.communicate("\n")[0]
    assert said.startswith(f"{os.SCHED_IDLE}\n")
    assert "SCHED_IDLE" in said
