"""Honest notebooks: what they show, what the probes bring back, and how far one bad cell reaches."""

import os
import shutil
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from autograder.sandbox.session import CellToRun, Limits, Worker


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("print('a'); 'b'", "a\n'b'"),
        ("import asyncio\nawait asyncio.sleep(0)\n3", "3"),
        ("%%capture kept\nprint('hidden')", ""),
        ("%pwd", "'/"),
        ("!echo from a shell", "from a shell\n"),
        ("import os; os.write(1, b'by descriptor\\n');", "by descriptor\n"),
        ("import subprocess; subprocess.run(['echo', 'child']);", "child\n"),
        ("import ctypes; ctypes.CDLL(None).puts(b'from C');", "from C\n"),
        ("from IPython.display import display, Markdown\ndisplay(Markdown('*x*'))", "Markdown"),
        ("import ipywidgets as w\nw.IntSlider(value=3)", "IntSlider(value=3)"),
        ("import ipywidgets as w\nw.interact(lambda n: print('n is', n), n=(1, 7));", "n is 4"),
        ("get_ipython().__class__.__mro__[1].__name__", "InteractiveShell"),
        ("import course_lib; course_lib.STRIPPED", "True"),
        ("def f(x):\n    return x + 1\nimport inspect; print(inspect.getsource(f))", "return x + 1"),
        ("import sys; print('warned', file=sys.stderr)", "warned\n"),
        ("print('\\ud800é')", "\\ud800é\n"),
        ("from torch.utils.data import DataLoader\nprint(*map(int, DataLoader(range(5), num_workers=2)))", "4\n"),
    ],
)
def test_a_cell_shows_what_it_would_show_in_jupyter(play, source, shown):
    played = play(source)
    assert played[0].status == "ok", played[0].outputs
    assert shown in played.text()


def test_outputs_come_in_the_order_in_which_they_were_made(play):
    played = play("print('one')\ndisplay(2)\n!echo three\nprint('four')\n5")
    kinds = [output["output_type"] for output in played[0].outputs]
    assert kinds == ["stream", "display_data", "stream", "execute_result"]
    assert played.text() == "one\n2three\nfour\n5"


def test_a_plot_becomes_one_inline_picture(play):
    played = play("import matplotlib.pyplot as plt\nplt.plot([1, 3, 2]);", "plt.plot([1]); plt.show()\nprint('after')")
    first, second = played[0].outputs, played[1].outputs
    assert [output["data"].keys() for output in first] == [{"image/png", "text/plain"}]
    assert [output["output_type"] for output in second] == ["display_data", "stream"]


def test_a_display_can_be_updated_and_cleared(play):
    played = play(
        "h = display('before', display_id=True); h.update('after')",
        "from IPython.display import clear_output\nprint('gone'); clear_output(); print('kept')",
        "print('gone'); clear_output(wait=True); print('kept')",
    )
    assert [played.text(n) for n in range(3)] == ["'after'", "kept\n", "kept\n"]


@pytest.mark.parametrize(
    ("source", "ename"),
    [
        ("1 / 0", "ZeroDivisionError"),
        ("def (", "SyntaxError"),
        ("input('name? ')", "RuntimeError"),
        ("import sys; sys.exit(3)", "SystemExit"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("class Mute(Exception):\n    def __str__(self): raise ValueError\nraise Mute", "Mute ValueError"),
        ("class Long(Exception):\n    def __str__(self): return 'x' * 10**7\nraise Long", "Long"),
        ("raise RuntimeError('\\ud800')", "RuntimeError"),
    ],
)
def test_a_cell_that_fails_says_so_and_the_next_one_runs(play, source, ename):
    played = play.solved(source)
    error = next(output for output in played[0].outputs if output["output_type"] == "error")
    assert played[0].status == "error"
    assert error["ename"] in ename.split()
    assert len(error["evalue"]) <= 20_000
    assert "\ud800" not in error["evalue"]
    assert played.right


def test_nothing_of_one_submission_is_left_for_the_next(play):
    play("import torch, builtins, os\nkept = 1\nbuiltins.kept = torch.kept = 2\nopen('left', 'w').close()")
    played = play("import torch, builtins, os\n'kept' in dir(), hasattr(builtins, 'kept'), os.listdir(), __name__")
    assert played.text() == "(False, False, [], '__main__')"


def test_a_probe_brings_back_plain_arrays_for_every_case(play):
    played = play.solved()
    record = played.found["softmax"].cases["case 0"]
    assert played.right
    assert record["tensors"]["weights"].dtype == np.float64
    assert "amax" in record["calls"]


def test_a_test_cell_is_probed_and_its_source_is_not_run(play):
    cells = [CellToRun("answer", "softmax = 3"), CellToRun("test", "softmax = None; print('ran')", exercise="softmax")]
    run = play.worker.run([*cells, CellToRun("after", "softmax")], {"softmax": {}})
    assert run.cells[2].outputs[0]["data"] == {"text/plain": "3"}
    assert run.cells[1].outputs == []


def test_an_object_that_is_not_there_is_missing(play):
    played = play("x = 1", "? softmax")
    assert (played.found["softmax"].status, played.found["softmax"].cases) == ("missing", {})


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("def softmax(logits, dim=-1):\n    raise NotImplementedError", "NotImplementedError"),
        ("def softmax(logits, dim=-1):\n    return 'weights'", "NotATensor"),
        ("def softmax(logits, dim=-1):\n    raise SystemExit", "SystemExit"),
        ("softmax = 5", "TypeError"),
    ],
)
def test_an_answer_that_raises_is_an_error_of_its_case(play, answer, kind):
    found = play(answer, "? softmax").found["softmax"]
    assert found.status == "ran"
    assert {record["error"]["type"] for record in found.cases.values()} == {kind}


def test_a_case_that_hangs_costs_itself_and_those_after_it(play):
    hangs = "def softmax(logits, dim=-1):\n    while len(logits) == 3: pass\n    return logits"
    found = play(hangs, "? softmax", cell_seconds=0.7).found["softmax"]
    assert (found.status, list(found.cases), found.limit) == ("timeout", ["case 0"], "cell time")


def test_an_interrupted_cell_keeps_what_it_had_done(play):
    played = play.solved("x = 7\nprint('begun')\nwhile True: pass", "x", cell_seconds=0.5)
    assert played.statuses == "timeout ok ok ok"
    assert (played.text(0)[:6], played.text(1)) == ("begun\n", "7")
    assert played.right


@pytest.mark.parametrize(
    ("source", "status"),
    [
        ("while True:\n    try:\n        while True: pass\n    except BaseException: pass", "timeout"),
        ("import signal, time\nfor s in (2, 15): signal.signal(s, signal.SIG_IGN)\ntime.sleep(997)", "timeout"),
        ("import re; re.match('(a*)*b', 'a' * 41)", "timeout"),
        ("import os; os._exit(0)", "crashed"),
        ("import ctypes; ctypes.string_at(0)", "crashed"),
        ("import os; os.abort()", "crashed"),
    ],
    ids=["except", "ignored signals", "inside C", "exit", "segmentation fault", "abort"],
)
def test_a_cell_that_takes_the_process_with_it_costs_only_itself(play, source, status):
    played = play.solved("x = 11", "print('last words')\n" + source, "x", cell_seconds=0.7)
    assert played.statuses == f"ok {status} ok ok ok"
    assert (played.text(1), played.text(2)) == ("last words\n", "11")
    assert played.right


def test_several_lost_cells_are_all_stepped_over(play):
    played = play.solved("import os; os._exit(1)", "x = 1", "import os; os._exit(2)", "x")
    assert played.statuses == "crashed ok crashed ok ok ok"
    assert played.right


def test_a_probe_that_kills_its_process_costs_only_its_exercise(play):
    probes = {
        "softmax": {"one": {"tensors": {"logits": np.ones((2, 3))}}},
        "causal_mask": {"one": {"settings": {"size": 3}}},
    }
    deadly, harmless = "softmax = lambda logits: __import__('os')._exit(0)", "causal_mask = lambda size: size"
    found = play(deadly, harmless, "? softmax", "? causal_mask", probes=probes).found
    assert (found["softmax"].status, found["causal_mask"].status) == ("crashed", "ran")


def test_threads_and_forks_left_behind_disturb_nobody(play):
    threads = "import threading, time\nthreading.Thread(target=time.sleep, args=(997,), daemon=True).start()"
    fork = "import os\nos.fork()\nprint('twice')"
    assert play.solved(threads, fork).right


def test_a_missing_probe_is_ungradable_and_the_rest_is_graded(play):
    played = play.solved("nonsense = 1", "? nonsense")
    assert played.found["nonsense"].status == "ungradable"
    assert played.right


def test_a_fresh_process_gives_the_same(play, stripped_package):
    notebook = ("print('a')\n1 / 0", "import matplotlib.pyplot as plt\nplt.plot([3]);", "import os; os._exit(1)")
    warm = play.solved(*notebook)
    with Worker(stripped_package, Limits(cell_seconds=20), sandbox=play.worker.sandbox, warm=False) as worker:
        fresh = type(play)(worker).solved(*notebook)
    assert fresh.statuses == warm.statuses == "error ok crashed ok ok"
    assert fresh.right
    assert fresh.text(0) == warm.text(0)
    assert fresh[1].outputs[0]["data"].keys() == warm[1].outputs[0]["data"].keys()


def test_a_server_that_cannot_start_is_ungradable_not_wrong(tmp_path):
    (tmp_path / "autograder" / "worker").mkdir(parents=True)
    with Worker(tmp_path, sandbox="limits") as worker:
        run = worker.run([CellToRun("t", "check()", exercise="softmax")], {"softmax": {}})
    assert (run.status, run.found["softmax"].status) == ("ungradable", "ungradable")
    assert "did not start" in run.notes[0]


def test_a_server_that_died_between_submissions_is_replaced(play):
    play("1")
    before = play.worker.server.process
    before.kill()
    before.wait()
    assert play.solved().right
    assert play.worker.server.process is not before


def test_where_a_fork_cannot_be_isolated_each_submission_gets_a_fresh_process(stripped_package, boxed, tmp_path):
    refusing = tmp_path / "stripped"
    shutil.copytree(stripped_package, refusing)
    isolate = refusing / "autograder" / "worker" / "isolate.py"
    isolate.write_text(
        isolate.read_text().replace("uid, gid = os.getuid()", "raise PermissionError\n    uid, gid = os.getuid()")
    )
    with Worker(refusing, sandbox="bubblewrap") as worker:
        played = type(boxed)(worker).solved("open('/tmp/left', 'w').close()", "import os; os._exit(0)")
        again = type(boxed)(worker)("import os; os.listdir('/tmp')")
    assert not worker.warm
    assert (played.statuses, played.right) == ("ok crashed ok ok", True)
    assert "left" not in again.text()


def test_a_judge_that_is_killed_takes_server_and_submission_with_it(stripped_package, play, tmp_path):
    script = (
        "import sys; from autograder.sandbox.session import CellToRun, Worker\n"
        "worker = Worker(sys.argv[1], sandbox=sys.argv[2])\n"
        "worker.run([CellToRun('a', '1')], {})\n"
        "print('started', flush=True)\n"
        "worker.run([CellToRun('b', 'import subprocess; subprocess.run([\"sleep\", \"983\"])')], {})\n"
    )
    command = [sys.executable, "-c", script, str(stripped_package), play.worker.sandbox]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": str(tmp_path)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as judge:
        judge.stdout.readline()
        assert until(lambda: "sleep 983" in running())
        judge.kill()
    assert until(lambda: "sleep 983" not in running())


def test_a_warm_server_outlives_the_thread_that_started_it(play):
    play.worker.close()
    starting = threading.Thread(target=play, args=("1",))
    starting.start()
    starting.join()
    server = play.worker.server
    assert play.solved().right
    assert play.worker.server is server


def running() -> list[str]:
    """The command lines of everything that runs here."""
    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True)
    return listed.stdout.splitlines()


def until(true, patience: float = 20.0) -> bool:
    """Wait for `true()`, at most `patience` seconds."""
    end = time.monotonic() + patience
    while not true() and time.monotonic() < end:
        time.sleep(0.02)
    return true()


def test_a_place_without_an_edition_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match="build one first"):
        Worker(tmp_path)


def test_an_unknown_sandbox_is_refused(stripped_package):
    with pytest.raises(ValueError, match="'bubblewrap', 'user' or 'limits'"):
        Worker(stripped_package, sandbox="none")


def test_in_place_an_answer_is_probed_where_its_test_stands(play):
    spoilt = "def softmax(logits, dim=-1):\n    return logits * TABLE[0]"
    sources = ("TABLE = [2.0]", spoilt, "? softmax", "TABLE[0] = 0.0")
    cells = [CellToRun(f"c{n}", source, "softmax" if n == 2 else None) for n, source in enumerate(sources)]
    case = {"one": {"tensors": {"logits": np.ones((1, 2))}, "settings": {"dim": -1}}}
    first = {
        in_place: play.worker.run(cells, {"softmax": case}, None, in_place).found["softmax"].cases["one"]
        for in_place in (False, True)
    }
    assert [record["tensors"]["weights"].tolist() for record in first.values()] == [[[0.0, 0.0]], [[2.0, 2.0]]]
