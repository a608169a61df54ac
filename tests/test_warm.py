"""Warm kernels stand in for jupyter_client's own: what it asks of a process that is slow to end."""

import signal
import sys
import time
from pathlib import Path

import pytest

from tests import warm

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere kernels are started as users do")


def started(tmp_path, source):
    """A warm process, the first of its group, that runs this module."""
    (tmp_path / "program.py").write_text(source)
    return warm.start_kernel([sys.executable, "-m", "program"], str(tmp_path), warm.environment())


def test_a_signal_ends_what_still_runs(tmp_path):
    process = started(tmp_path, "import signal\nsignal.pause()")
    process.send_signal(signal.SIGTERM)
    assert process.wait(60) == -signal.SIGTERM


def test_a_signal_is_nothing_to_what_has_ended_unnoticed(tmp_path):
    process = started(tmp_path, "")
    deadline = time.monotonic() + 60
    while Path(f"/proc/{process.pid}").exists():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.send_signal(signal.SIGTERM)
    assert process.wait(60) == 0
