"""A submission's time is its own: waiting for a processor is not counted, and all that its processes use is."""

import os
import select
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest

from autograder.sandbox import clock, processes
from autograder.sandbox.clock import Clock, NotebookTime


class World:
    """A machine whose clocks stand until they are moved."""

    def __init__(self):
        self.time, self.has_waited, self.used, self.sleeps, self.behind = 100.0, 3.0, 7.0, False, []

    def move(self, seconds, waited=0.0, busy=0.0):
        self.time, self.has_waited, self.used = self.time + seconds, self.has_waited + waited, self.used + busy

    def clock(self, seconds, below=lambda: [1], **given):
        """A clock on this machine, of a submission with one process."""
        return Clock(1, below, seconds, machine=self, now=self.now, **given)

    def now(self):
        return self.time

    def waited(self, pid):
        return self.has_waited

    def busy(self, pids, seen):
        return self.used

    def asleep(self, pids):
        return self.sleeps

    def yield_to_others(self, pids):
        self.behind.append(pids)


@pytest.fixture
def world():
    return World()


@pytest.mark.parametrize(
    ("waited", "busy", "elapsed"),
    [(0, 0, 11), (9, 2, 2), (0, 11, 11), (9, 17, 17)],
    ids=["asleep", "kept from working", "at work", "at work in many processes"],
)
def test_what_counts_is_own_time_and_all_processor_time(world, waited, busy, elapsed):
    own = world.clock(seconds=13)
    world.move(11, waited, busy)
    own.look([1])
    assert own.elapsed == pytest.approx(elapsed)


def test_who_takes_more_than_a_share_for_long_goes_behind_everybody(world):
    own = world.clock(seconds=60)
    for _ in range(20):
        world.move(0.05, busy=0.05 * clock.SHARE)
        own.look([1, 2])
    assert world.behind == []
    for _ in range(20):
        world.move(0.05, busy=0.05 * 40)
        own.look([1, 2])
    assert world.behind[-1] == [1, 2]


def test_what_has_ended_gives_no_time_back(world):
    own = world.clock(seconds=60)
    world.move(5, waited=1, busy=3)
    own.look([1])
    world.has_waited, world.used = 0.0, 0.0
    own.look([])
    assert own.elapsed == pytest.approx(4)


@pytest.mark.parametrize(
    ("waited", "busy", "asleep", "own"),
    [(0, 13, False, True), (11, 13, False, True), (0, 1, True, True), (0, 1, False, False), (52, 9, False, False)],
    ids=["at work", "at work beside others", "asleep", "waiting for its own, which waits", "kept from working"],
)
def test_a_timeout_is_ones_own_where_no_neighbour_can_have_a_part_in_it(world, waited, busy, asleep, own):
    request, left = world.clock(seconds=13), NotebookTime(13, world.now)
    world.sleeps = asleep
    world.move(14, waited, busy)
    request.look([1])
    left.take(request)
    assert (request.by_itself, left.by_itself) == (own, own)


def test_a_notebook_has_its_own_time_and_a_wider_one_on_the_wall(world):
    left, request = NotebookTime(10, world.now), world.clock(seconds=7)
    world.move(3)
    request.look([1])
    left.take(request)
    world.move(1)
    assert left.left == 7
    world.move(10 * clock.WIDER - 6)
    assert left.left == pytest.approx(2)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says what a thread does")
def test_who_has_one_thread_at_work_is_not_asleep():
    spin = "import threading\ndef spin():\n    while True: pass\nthreading.Thread(target=spin, daemon=True).start()\n"
    wait = "print(flush=True)\ninput()"
    for script, sleeps in ((wait, True), (spin + wait, False)):
        with subprocess.Popen([sys.executable, "-c", script], stdin=-1, stdout=-1, text=True) as child:
            child.stdout.readline()
            assert sleeps in (processes.asleep([child.pid]) for _ in iter(lambda: time.sleep(0.01), 0))
            child.kill()
    assert not processes.asleep([])


@pytest.mark.skipif(not hasattr(os, "SCHED_IDLE"), reason="this system has no idle class")
def test_what_yields_to_others_stays_behind_with_all_that_it_starts():
    report = "import os; input(); print(os.sched_getscheduler(0)); os.system('chrt -p $$')"
    with subprocess.Popen([sys.executable, "-c", report], stdin=-1, stdout=-1, text=True) as child:
        processes.yield_to_others([child.pid])
        said = child.communicate("\n")[0]
    assert said.startswith(f"{os.SCHED_IDLE}\n")
    assert "SCHED_IDLE" in said


BURNS = """
import os, signal, sys, time
signal.signal(signal.SIGCHLD, {handler})
input()
for _ in range(4):
    child = os.fork()
    if not child:
        while time.process_time() < 0.2:
            pass
        os._exit(0)
    try:
        os.waitpid(child, 0)
    except ChildProcessError:
        pass
print("done", flush=True)
input()
"""


@pytest.mark.parametrize("handler", ["signal.SIG_DFL", "signal.SIG_IGN"])
def test_children_that_nobody_waits_for_are_counted_once_as_those_that_are(handler):
    words = [sys.executable, "-c", BURNS.format(handler=handler)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as burner:
        seen = {}
        before = processes.busy([burner.pid], seen)
        burner.stdin.write("\n")
        burner.stdin.flush()
        while not select.select([burner.stdout], [], [], 0.01)[0]:
            processes.busy([burner.pid, *processes.descendants(burner.pid)], seen)
        used = processes.busy([burner.pid], seen) - before
        burner.stdin.write("\n")
    assert 0.5 < used < 1.6  # of 0.8


def test_children_too_brief_to_be_seen_count_by_those_that_are(monkeypatch):
    now, parent, seen = [0.0], 100, {}

    def process(pid):
        own = 0.0 if pid == parent else 0.01
        return SimpleNamespace(
            cpu_times=lambda: SimpleNamespace(user=own, system=0.0, children_user=0.0, children_system=0.0)
        )

    monkeypatch.setattr(processes, "time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(processes, "at_work", lambda pid: 0.8)
    monkeypatch.setattr(processes.psutil, "Process", process)
    processes.busy([parent], seen)
    for child in range(10):
        now[0] += 0.05
        processes.busy([parent, child], seen)
    assert processes.busy([parent], seen) == pytest.approx(10 * 0.05 * 0.8)


def test_where_an_account_is_kept_it_counts_and_no_process_is_asked(world):
    world.busy = None
    account = iter([5.0, 9.0])
    own = world.clock(seconds=13, below=None, account=lambda: next(account))
    world.move(2)
    own.look([1])
    assert own.elapsed == pytest.approx(4)
