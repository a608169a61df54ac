"""A control group counts what ran in it, also children that nobody waits for; where there is none, nothing is lost."""

import subprocess
import sys

import pytest

from autograder.sandbox import accounts
from autograder.sandbox.accounts import Account

UNREAPED = """
import os, signal, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
input()
for _ in range(10):
    if not os.fork():
        while time.process_time() < 0.05:
            pass
        os._exit(0)
try:
    os.wait()  # until there is none: the kernel buries them all
except ChildProcessError:
    print("done", flush=True)
input()
"""
BURNT_UNSEEN = """
import os, signal, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
end = time.monotonic() + 60
burnt = 0
while burnt < 3 and time.monotonic() < end:
    for _ in range(4):
        if not os.fork():
            while time.process_time() < 0.02:
                pass
            os._exit(0)
    burnt += 0.08
    while True:
        try:
            os.wait()
        except ChildProcessError:
            break
"""


@pytest.fixture(params=["version 1", "version 2"])
def group(request):
    """A process that waits for a line, and its account by either version of control groups."""
    of_version_1 = request.param == "version 1"
    here = [place for place in accounts.places() if place.is_relative_to(accounts.V1) == of_version_1]
    with subprocess.Popen([sys.executable, "-c", UNREAPED], stdin=-1, stdout=-1, text=True) as burner:
        account = Account(burner.pid, here)
        yield burner, account
        burner.kill()
    account.close()


def test_what_nobody_waits_for_is_in_the_account(group):
    burner, account = group
    if account.seconds() is None:
        pytest.skip("no control group can be made here")
    before = account.seconds()
    burner.stdin.write("\n")
    burner.stdin.flush()
    assert burner.stdout.readline() == "done\n"
    assert account.seconds() - before >= 0.45  # of 0.5


def test_no_group_is_left_when_what_ran_in_it_has_ended(group):
    burner, account = group
    folder = account.folder
    burner.kill()
    burner.wait()
    account.close()
    assert folder is None or not folder.exists()
    assert account.seconds() is None


def test_where_no_group_can_be_made_there_is_no_account(tmp_path):
    assert Account(1, [tmp_path / "nowhere"]).seconds() is None
    assert Account(1, [tmp_path]).seconds() is None  # a folder that no kernel keeps


@pytest.mark.parametrize("kept", [True, False], ids=["by group", "by looks"])
def test_a_cell_that_burns_its_time_in_children_of_nobody_is_stopped(boxed, monkeypatch, kept):
    if not kept:
        monkeypatch.setattr(accounts, "places", lambda: [])
    boxed.worker.close()  # the next server has the account
    played = boxed.solved(BURNT_UNSEEN, cell_seconds=1)
    assert (played[0].status, played[0].limit) == ("timeout", "cell time")
    assert played.right
    boxed.worker.close()
