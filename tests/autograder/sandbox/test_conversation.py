"""Hostile notebooks, played in the sandbox: each gets what its honest part deserves, and harms nobody."""

import json
import os
import subprocess
import time
from functools import partial

import numpy as np
import pytest

from autograder.protocol.channel import BadFrame, Channel, Closed, pair
from autograder.sandbox import attempt, outputs, records, session
from autograder.sandbox.conversation import Conversation
from autograder.sandbox.processes import children, descendants, listed_children

CHANNELS = """
import os, socket, json, struct, threading, time
def channels():
    found = []
    for n in range(3, 64):
        try:
            found.append(socket.socket(fileno=os.dup(n)))
        except OSError:
            pass
    return found
def frame(header, payload=b''):
    text = json.dumps(header).encode()
    return struct.pack('<II', len(text), len(payload)) + text + payload
"""
FORGED = "frame({'op': 'case', 'name': 'case 0', 'calls': [], 'at': [0, 0], 'token': '0'})"
DONE = "frame({'op': 'done', 'status': 'ok', 'at': [0, 0], 'token': None})"


@pytest.mark.parametrize(
    "source",
    [
        "import os; os.kill(0, 9)",
        "import os; os.kill(-1, 9)",
        "import os; os.kill(os.getppid(), 9)",
        "import os\nfor pid in range(2, 997):\n    try: os.kill(pid, 9)\n    except OSError: pass",
        "import os; os.closerange(0, 1024)",
        "import os; [os.close(n) for n in (0, 1, 2)]",
        "import os; os.ftruncate(1, 0); print('x'); os.ftruncate(1, 0)",
        "import atexit, os; atexit.register(os._exit, 7)",
        "import sys; sys.settrace(lambda *a: 1 / 0); sys.setprofile(lambda *a: 1 / 0)",
        "import sys; sys.setrecursionlimit(53)",
        "import signal, ctypes\nfor n in range(1, 65): ctypes.CDLL(None).signal(n, signal.SIG_IGN)",
        "import sys; sys.stdout = sys.stderr = sys.__stdout__ = None",
        "import sys\nclass Out:\n    def write(self, x): raise OSError\n    flush = write\nsys.stdout = Out()",
        "import builtins; builtins.open = builtins.print = builtins.len = None",
        "import json; json.dumps = json.loads = lambda *a, **k: {'score': 100}",
        "import os; os.fstat = os.getpid = os.write = lambda *a: 0",
        "import socket; socket.socket.send = socket.socket.recv_into = None",
        "import sys; sys.modules.clear()",
        "get_ipython().user_ns = None",
        "get_ipython().run_cell = lambda *a, **k: None",
        "get_ipython().ast_transformers.append(object())",
        "get_ipython().input_transformers_post.append(lambda lines: ['1 / 0'])",
        "get_ipython().events.register('pre_run_cell', lambda *a: 1 / 0)",
        "get_ipython().display_formatter.format = lambda *a, **k: ({'text/plain': object()}, {})\n3",
        "class E(Exception):\n    def __str__(self):\n        while True: pass\nraise E",
        "class E(BaseException): pass\nraise E",
        "import gc\nfor o in gc.get_objects():\n    if type(o).__name__ in ('Channel', 'socket'):\n        o.close()",
        "import subprocess; subprocess.Popen(['sleep', '997'], start_new_session=True)",
        "import os\nif not os.fork():\n    os.setsid()\n    while True: pass",
        "import faulthandler; faulthandler._sigsegv()",
    ],
)
def test_an_attack_ends_in_a_record_and_the_next_submission_is_right(boxed, source):
    played = boxed.solved(source, cell_seconds=0.7)
    assert played.run.status in ("done", "crashed")
    assert len(played.run.cells) == 3
    assert descendants(boxed.worker.server.pid) == []
    assert boxed.solved().right


@pytest.mark.parametrize(
    "source",
    [
        f"channels()[0].send({DONE})",
        "channels()[0].send(b'\\xff' * 997)",
        f"channels()[0].send({FORGED} * 5)",
        "channels()[0].send(struct.pack('<II', 2**32 - 1, 2**32 - 1))",
        "channels()[0].send(frame({'op': 'done'})[:9])",
        "channels()[0].send(frame({'op': 'output', 'at': [9**99, -1], 'token': None}))",
        "channels()[0].shutdown(2)",
        "c = channels()[0]\ndef flood():\n    while True: c.send(b'[' * 9973)\n"
        "[threading.Thread(target=flood, daemon=True).start() for _ in range(3)]",
    ],
    ids=["done", "noise", "a case", "a huge frame", "half a frame", "an output", "a hang-up", "a flood"],
)
def test_a_cell_that_writes_to_the_channel_costs_itself_and_is_named(boxed, source):
    played = boxed.solved(CHANNELS, source + "\ntime.sleep(0.05)", cell_seconds=2)
    assert played[1].status in ("crashed", "timeout", "ok")
    assert played[1].status != "crashed" or "shutdown" in source or played.run.notes[0].startswith("`c1` sent")
    assert played.right
    assert boxed.solved().right


def test_an_answer_prepared_before_the_question_is_refused(boxed):
    early = f"c = channels()[0]\nthreading.Timer(0.1, lambda: c.send({FORGED} + {DONE})).start()"
    played = boxed.solved(CHANNELS, early, "import time; time.sleep(0.3)")
    assert played.statuses == "ok ok crashed ok ok"
    assert played.run.notes == ["`c2` sent an invalid answer, which does not count"]
    assert played.right


def test_a_forged_answer_to_a_probe_costs_its_exercise_alone_and_what_came_before_is_kept(boxed):
    forged = f"def causal_mask(size):\n    channels()[0].send({FORGED})\n    return size"
    probes = {
        "softmax": {"one": {"tensors": {"logits": np.ones((2, 3))}}},
        "causal_mask": {"one": {"settings": {"size": 3}}},
    }
    played = boxed.solved(CHANNELS, forged, "? causal_mask", probes=probes)
    assert played.found["causal_mask"].status == "crashed"
    assert played.run.notes == ["`causal_mask` sent an invalid answer, which does not count"]
    assert played.right


def test_more_numbers_than_a_submission_may_send_are_not_kept(boxed, monkeypatch):
    monkeypatch.setattr(session, "Run", partial(records.Run, left=records.Room(numbers=997)))
    many = "import torch\nsoftmax = lambda logits, dim=-1: torch.zeros(97, dtype=torch.float64)"
    played = boxed(many, "? softmax")
    assert (played.found["softmax"].status, len(played.found["softmax"].cases)) == ("crashed", 1)


def test_a_frame_that_waits_when_a_question_is_put_is_refused():
    talk, (mine, theirs) = object.__new__(Conversation), pair()
    talk.channel = Channel(mine)
    talk.refuse_early_frames()
    theirs.send(b"x")
    with pytest.raises(BadFrame, match="before it was asked"):
        talk.refuse_early_frames()
    mine.recv(1)
    theirs.close()
    with pytest.raises(Closed):
        talk.refuse_early_frames()
    mine.close()


def test_more_frames_than_anybody_could_look_at_are_refused():
    text = outputs.Text()
    shown = outputs.Outputs(text, limit=1009, displays={})
    for _ in range(outputs.MAX_FRAMES):
        shown.add({"op": "clear"})
    with pytest.raises(BadFrame, match="more output"):
        shown.add({"op": "clear"})
    text.close()


def test_every_open_descriptor_may_be_written_to_without_reaching_the_server(boxed):
    boxed("import os\nfor n in range(1024):\n    try: os.write(n, b'{' * 97)\n    except OSError: pass")
    assert boxed.solved().right


def test_a_daemon_dies_with_its_submission(boxed):
    boxed("import subprocess\nfor _ in range(5): subprocess.Popen(['sleep', '991'], start_new_session=True)")
    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    assert "sleep 991" not in listed.splitlines()


@pytest.mark.parametrize(
    "answer",
    [
        "class Liar(torch.Tensor):\n    def __eq__(self, other): return True\n"
        "    @classmethod\n    def __torch_function__(cls, *a, **k): return 1\n"
        "def softmax(logits, dim=-1): return torch.zeros_like(logits).as_subclass(Liar)",
        "class Equal:\n    def __eq__(self, other): return True\n    def __getattr__(self, name): return self\n"
        "    def __call__(self, *a, **k): return self\nsoftmax = Equal()",
        "import pickle\ndef softmax(logits, dim=-1): return pickle.dumps(logits)",
        "def softmax(logits, dim=-1): return {'weights': logits}",
        "torch.allclose = torch.equal = lambda *a, **k: True\ndef softmax(logits, dim=-1): return logits",
    ],
    ids=["a lying tensor", "equal to everything", "a pickle", "a dictionary", "patched comparisons"],
)
def test_an_object_that_lies_brings_back_its_own_numbers_or_an_error(boxed, answer):
    played = boxed("import torch\n" + answer, "? softmax")
    assert played.found["softmax"].status == "ran"
    assert not any(
        "error" not in r and np.allclose(r["tensors"]["weights"].sum(-1), 1)
        for r in played.found["softmax"].cases.values()
    )


@pytest.mark.parametrize(
    "record",
    [
        None,
        {"output_type": "score", "score": 100},
        {"output_type": "error", "ename": 1, "evalue": "", "traceback": []},
        {"output_type": "error", "ename": "E", "evalue": "", "traceback": ["x"] * 499},
        {"output_type": "display_data", "data": "x", "metadata": {}},
        {"output_type": "display_data", "data": {"text/plain": ["x"]}, "metadata": {}},
        {"output_type": "display_data", "data": {}, "metadata": None},
    ],
)
def test_an_output_that_is_not_of_the_format_is_refused(record):
    with pytest.raises(BadFrame):
        outputs.clean(record)


def test_an_output_keeps_only_the_keys_of_the_format_and_text_that_can_be_written():
    given = {"output_type": "execute_result", "data": {"text/plain": "\ud800"}, "metadata": {}, "score": 100}
    assert outputs.clean(given) == {"output_type": "execute_result", "data": {"text/plain": "?"}, "metadata": {}}


@pytest.mark.parametrize(
    "header",
    [
        {},
        {"calls": "mul"},
        {"calls": [1]},
        {"calls": ["mul"] * 2003},
        {"calls": [], "error": "wrong"},
        {"calls": [], "error": {"type": 1, "message": ""}},
        {"calls": [], "error": {"type": "E"}},
    ],
)
def test_a_case_that_is_neither_numbers_nor_an_error_is_refused(header):
    with pytest.raises(BadFrame):
        attempt.case_record(header, {})


def test_an_error_keeps_its_words_and_shapes_and_nothing_else():
    error = {"type": "E", "message": "m" * 5003, "line": 3, "expected": {"w": [2, 3]}, "found": {"w": "x"}, "score": 1}
    record = attempt.case_record({"calls": ["mul"], "error": error}, {})
    assert record["error"] == {"type": "E", "message": "m" * attempt.MAX_TEXT, "expected": {"w": [2, 3]}}


def test_an_error_turns_no_direction_of_writing_and_moves_no_cursor():
    error = {"type": "E\u202eright", "message": "\x1b[2JFull marks\r"}
    record = attempt.case_record({"calls": [], "error": error}, {})
    assert record["error"] == {"type": "E\ufffdright", "message": "\ufffd[2JFull marks\ufffd"}


@pytest.mark.parametrize(("kinds", "kept"), [(["Mine", "ValueError"], True), ("ValueError", False), ([1], False)])
def test_an_error_keeps_the_names_of_its_kinds(kinds, kept):
    record = attempt.case_record({"calls": [], "error": {"type": "Mine", "message": "m", "kinds": kinds}}, {})
    assert ("kinds" in record["error"]) == kept


def test_a_stalled_submission_costs_its_own_time_only(boxed):
    began = time.monotonic()
    played = boxed(
        "import time\nwhile True:\n    try: time.sleep(997)\n    except BaseException: pass", cell_seconds=0.3
    )
    assert played[0].status == "timeout"
    assert json.dumps(played[0].outputs)
    assert time.monotonic() - began < 30


def test_without_proc_children_are_found_all_the_same():
    with subprocess.Popen(["sleep", "17"]) as child:
        assert child.pid in children(os.getpid())
        assert child.pid in listed_children(os.getpid())
        child.kill()
