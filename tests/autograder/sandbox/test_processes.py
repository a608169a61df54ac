"""Processes of a submission: ending them, and knowing when they have ended."""

import os
import signal
import subprocess
import sys

import pytest

from autograder.sandbox import processes

LONG = 600  # seconds; a test that waits for so long has failed
linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells of a process that is no child")


@pytest.fixture
def asleep():
    """A process that sleeps, and one below it."""
    code = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'print(1, flush=True); input()'])"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        process.stdout.readline()
        yield process
        process.kill()


@linux
def test_waiting_for_ends_stops_as_soon_as_all_have_ended(asleep):
    (below,) = processes.descendants(asleep.pid)
    both = [asleep.pid, below]
    for pid in both:
        os.kill(pid, signal.SIGKILL)
    processes.wait_for_ends(both, LONG)
    assert all(map(processes.zombie, both))


def test_it_is_given_up_after_a_time(asleep):
    processes.wait_for_ends([asleep.pid], 0.01)
    assert asleep.poll() is None


def test_for_a_process_that_is_gone_nobody_waits(asleep):
    asleep.kill()
    asleep.wait()
    processes.wait_for_ends([asleep.pid], LONG)
    assert processes.zombie(asleep.pid)


def test_where_the_system_says_nothing_it_is_a_moment(asleep, monkeypatch):
    monkeypatch.delattr(os, "pidfd_open", raising=False)
    processes.wait_for_ends([asleep.pid], LONG)
    assert asleep.poll() is None


def test_all_below_a_process_ends_and_itself_goes_on(asleep):
    assert processes.descendants(asleep.pid)
    os.kill(asleep.pid, signal.SIGSTOP)  # it would end when what it waits for has
    assert processes.end_below(asleep.pid)
    assert all(map(processes.zombie, processes.descendants(asleep.pid)))
    assert not processes.zombie(asleep.pid)
