"""Each limit, hit on purpose: named in the record, and no harm to what comes after."""

import os
import subprocess
import sys

import pytest

from autograder.sandbox import processes

MEGABYTE = 1 << 20


@pytest.mark.parametrize(
    "source",
    ["hoard = bytearray(701 << 20)", "import torch\nhoard = torch.ones(97, 1 << 20)"],
    ids=["python", "torch"],
)
def test_memory_is_refused_to_one_process_that_takes_too_much(play, source):
    played = play.solved(source, memory=211 * MEGABYTE)
    assert (played[0].status, played[0].limit) == ("error", "memory")
    assert played.right


def test_memory_is_counted_over_all_processes(play):
    many = (
        "import os, time\n"
        "for _ in range(7):\n    if not os.fork():\n        x = bytearray(b'1') * (89 << 20); time.sleep(997)\n"
        "time.sleep(997)"
    )
    played = play.solved(many, memory=307 * MEGABYTE, cell_seconds=5)
    assert (played[0].status, played[0].limit) == ("crashed", "memory")
    assert played.right


def test_page_tables_of_a_huge_mapping_are_refused(play):
    huge = "import mmap\nheld = mmap.mmap(-1, 211 << 30, flags=mmap.MAP_PRIVATE | 0x4000, prot=mmap.PROT_READ)"
    played = play.solved(huge, memory=211 * MEGABYTE)
    assert (played[0].status, played[0].limit) == ("error", "memory")
    assert played.right


def test_page_tables_count_as_memory():
    scattered = "import mmap\nm = mmap.mmap(-1, 8 << 30, flags=0x4022, prot=1)\n"
    scattered += "[m[n << 21] for n in range(4096)]\nprint('there', flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", scattered], stdin=-1, stdout=-1, text=True) as child:
        assert child.stdout.readline() == "there\n"
        assert processes.anonymous(child.pid) > 16 * MEGABYTE
        child.communicate("\n")


def test_full_sockets_count_as_memory(boxed):
    pairs = """
import os, socket, time
held = [socket.socketpair() for _ in range(101)]
for left, right in held:
    left.setblocking(False)
    try:
        while left.send(bytes(4096)):
            pass
    except BlockingIOError:
        pass
time.sleep(997)
"""
    played = boxed.solved(pairs, memory=41 * MEGABYTE, cell_seconds=5)
    assert (played[0].status, played[0].limit) == ("crashed", "memory")
    assert played.right


def test_a_socket_cannot_be_given_more_room(play):
    larger = "import socket\nsocket.socketpair()[0].setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 22)"
    assert play(larger)[0].outputs[0]["ename"] == "PermissionError"


def test_a_fork_bomb_is_bounded_and_cleared_away(boxed):
    played = boxed.solved("import os\nwhile True: os.fork()", processes=23, cell_seconds=1)
    assert played[0].limit in ("processes", "cell time")
    assert processes.descendants(boxed.worker.server.pid) == []
    assert played.right


def test_too_many_threads_are_named(boxed):
    threads = "import threading, time\nfor _ in range(67): threading.Thread(target=time.sleep, args=(9,)).start()"
    played = boxed.solved(threads, processes=17)
    assert played[0].limit == "processes"
    assert played.right


def test_more_processes_than_allowed_end_the_cell_that_started_them(play):
    sleepers = "import subprocess, time\nfor _ in range(19): subprocess.Popen(['sleep', '997'])\ntime.sleep(997)"
    played = play.solved(sleepers, processes=11, cell_seconds=5)
    assert (played[0].status in ("crashed", "error"), played[0].limit) == (True, "processes")
    assert played.right


@pytest.mark.parametrize("source", ["print('x' * 99, end='')", "import os; os.write(2, b'y' * 99)"])
def test_text_beyond_the_limit_is_cut_and_said_so(play, source):
    played = play.solved(f"for _ in range(101): {source}", output=5003)
    assert (played[0].status, played[0].limit) == ("ok", "output")
    assert 5003 <= len(played.text()) <= 5203
    assert "cut off at the limit" in played.text()
    assert played.right


def test_endless_text_ends_with_an_error_and_not_with_a_full_disk(play):
    played = play.solved("while True: print('z' * 9973)", files=3 * MEGABYTE, cell_seconds=9)
    assert (played[0].status, played[0].limit) == ("error", "files")
    assert played.right


def test_endless_pictures_are_cut(play):
    pictures = "from IPython.display import display\nfor _ in range(19): display({'text/plain': 'p' * 10**6}, raw=True)"
    played = play.solved(pictures)
    assert played[0].limit == "output"
    assert sum(len(output["data"]["text/plain"]) for output in played[0].outputs) < 9 * MEGABYTE
    assert played.right


def test_one_large_file_is_refused(play):
    played = play.solved("open('large', 'wb').write(bytes(5 << 20))", files=2 * MEGABYTE)
    assert (played[0].status, played[0].limit) == ("error", "files")
    assert played.right


def test_many_small_files_are_refused_together(boxed):
    many = "for n in range(13): open(f'{n}', 'wb').write(bytes(1 << 20))"
    played = boxed.solved(many, files=7 * MEGABYTE)
    assert (played[0].status, played[0].limit) == ("error", "files")
    assert played.right


def test_out_of_notebook_time_the_remaining_tests_are_timeouts(play):
    played = play.solved("print('a')", "import time; time.sleep(997)", "1", notebook_seconds=1, cell_seconds=97)
    assert played.statuses == "ok timeout timeout timeout timeout"
    assert [played[n].limit for n in (1, 4)] == ["notebook time", "notebook time"]
    assert (played.run.status, played.found["softmax"].status) == ("timeout", "timeout")


def test_a_submission_that_crashes_for_ever_is_given_up(play, monkeypatch):
    monkeypatch.setattr("autograder.sandbox.session.MAX_FORKS", 3)
    played = play.solved(*["import os; os._exit(1)"] * 5)
    assert played.statuses == "crashed crashed crashed skipped skipped skipped skipped"
    assert (played.run.status, played.found["softmax"].status) == ("crashed", "crashed")


def test_the_memory_of_processes_that_share_it_is_counted_once():
    own = processes.anonymous(os.getpid())
    assert 0 < processes.share(os.getpid()) <= own + MEGABYTE
    assert processes.memory([os.getpid()], base=own, limit=MEGABYTE) <= MEGABYTE
