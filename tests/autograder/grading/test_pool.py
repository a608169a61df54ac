"""Tasks in processes: what finishes comes back, what kills its process takes nobody along, nothing stays behind."""

import os
import signal
import struct
import sys
import tempfile
import time
import traceback
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from multiprocessing import active_children
from pathlib import Path

import pytest

from autograder.grading.pool import AHEAD, local

pytestmark = pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")


def square(number):
    return number**2


def refuse_odd_ones(number):
    if number % 2:
        raise ValueError(number)
    return number


def die_at_five(number):
    if number == 5:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def die_the_first_time(number, marker):
    if number == 3 and not marker.exists():
        marker.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def stop_in_the_middle_of_the_second_result(number, folder):
    """As if the process were killed while it sends: the pipe has the length of a message, and a part of it."""
    if number:
        wait_for(folder / "first result")
        frames = (frame for frame, _ in traceback.walk_stack(sys._getframe()))
        results = next(frame for frame in frames if "result_queue" in frame.f_locals).f_locals["result_queue"]
        os.write(results._writer.fileno(), struct.pack("!i", 1_000) + b"half")
        (folder / "half a result").touch()
        signal.pause()
    return number


def wait_for(file):
    while not file.exists():
        time.sleep(0.01)


def where_files_go(number):
    return tempfile.mkdtemp()


def submissions(count, *more):
    return ((f"student-{number}", (number, *more)) for number in range(count))


def test_every_submission_comes_back_once():
    outcomes = list(local(square, submissions(23), jobs=2))
    assert sorted(outcomes) == sorted((f"student-{n}", n**2) for n in range(23))


def test_an_error_is_a_result_and_stops_nobody():
    outcomes = dict(local(refuse_odd_ones, submissions(5), jobs=2))
    assert [outcomes[f"student-{n}"] for n in (0, 2, 4)] == [0, 2, 4]
    assert all(isinstance(outcomes[f"student-{n}"], ValueError) for n in (1, 3))


def test_after_ctrl_c_nobody_waits_for_the_rest_of_a_result(tmp_path):
    before = set(active_children())
    outcomes = local(stop_in_the_middle_of_the_second_result, submissions(2, tmp_path), jobs=2)
    assert next(outcomes) == ("student-0", 0)
    (tmp_path / "first result").touch()
    wait_for(tmp_path / "half a result")
    with pytest.raises(KeyboardInterrupt):
        outcomes.throw(KeyboardInterrupt)
    assert set(active_children()) == before


def test_what_kills_its_process_every_time_is_alone_in_failing():
    outcomes = list(local(die_at_five, submissions(11), jobs=2))
    assert sorted(student for student, _ in outcomes) == sorted(f"student-{n}" for n in range(11))
    broken = [student for student, outcome in outcomes if isinstance(outcome, BrokenProcessPool)]
    assert broken == ["student-5"]


def test_what_kills_its_process_once_is_tried_again(tmp_path):
    outcomes = dict(local(die_the_first_time, submissions(7, tmp_path / "marker"), jobs=2))
    assert outcomes == {f"student-{n}": n for n in range(7)}


def test_only_a_few_submissions_are_read_ahead():
    read = []

    def watched():
        for entry in submissions(40):
            read.append(entry)
            yield entry

    for done, _ in enumerate(local(square, watched(), jobs=2), start=1):
        assert len(read) <= done + 2 * AHEAD


def test_files_of_the_processes_are_gone_at_the_end():
    folders = [Path(folder) for _, folder in local(where_files_go, submissions(3), jobs=1)]
    assert len(set(folders)) == 3
    assert not any(folder.exists() for folder in folders)


def test_who_stops_in_the_middle_leaves_no_process():
    before = set(active_children())
    with closing(local(square, submissions(17), jobs=2)) as outcomes:
        next(outcomes)
        assert len(set(active_children()) - before) == 2
    assert set(active_children()) == before


def test_nothing_to_do_starts_nothing():
    before = set(active_children())
    assert list(local(square, iter(()), jobs=2)) == []
    assert set(active_children()) == before
