"""One fork's way through a notebook: replay what went well before, then go on from there."""

import time
from collections.abc import Callable

import numpy as np

from autograder.protocol.channel import BadFrame
from autograder.sandbox.clock import NotebookTime
from autograder.sandbox.conversation import Conversation
from autograder.sandbox.outputs import Outputs, encodable, readable
from autograder.sandbox.records import CellRun, CellToRun, Found, Run

MAX_CALLS = 2000
MAX_SHAPES = 1000
MAX_TEXT = 4000
NO_TIME = "notebook time"
SAID = {
    "ok": "ok",
    "error": "error",
    "timeout": "timeout",
    "crashed": "crashed",
    "malformed": "crashed",
    "missing": "ok",
}


class Attempt:
    """Fills `run` in place; `lost` holds the places of cells that cost an earlier fork its life.

    The probes come when all cells have run, each on its object and the names of the page as they were at its test
    cell. By then every output stands, so none can say anything of a hidden case. With `in_place` each comes where its
    test cell stands: nothing that such a run shows may be shown to anybody.
    """

    def __init__(self, talk: Conversation, run: Run, lost: set[int], time: NotebookTime, in_place: bool = False):
        self.talk, self.limits, self.in_place = talk, talk.limits, in_place
        self.run, self.lost, self.time = run, lost, time
        self.displays: dict[str, list[dict]] = {}
        self.held: list[str] = []  # exercises whose test cell was passed since the worker was last asked
        talk.text.left = run.left

    def go(self, cells: list[CellToRun], probes: dict) -> bool:
        """Run the cells, then the probes; → whether the submission is over (else another fork should go on)."""
        tests = [number for number, cell in enumerate(cells) if cell.exercise]
        try:
            if all(self._passes(number, cell, probes) for number, cell in enumerate(cells)):
                all(self._probes(number, cells[number], probes) for number in tests)
        finally:
            self.talk.end()
        return all(record.status != "skipped" for record in self.run.cells)

    def _passes(self, number: int, cell: CellToRun, probes: dict) -> bool:
        """Past one cell: run, run again, probed or kept for its probe; → whether this fork can go on."""
        record = self.run.cells[number]
        if cell.exercise:
            if any(earlier.limit == NO_TIME for earlier in self.run.cells[:number]):
                self._out_of_time(cell, record)
            self.held.append(cell.exercise)
            return self._probes(number, cell, probes) if self.in_place else True
        if number in self.lost:
            return True
        replayed = record.status != "skipped"
        left = self._left(again=replayed)
        if left <= 0:
            self._out_of_time(cell, record)
            return True
        target = CellRun(cell.id) if replayed else record
        outputs = Outputs(self.talk.text, self.limits.output, self.displays)
        status = self._ask(target, {"op": "cell", "source": cell.source}, None, left, outputs, _unexpected)
        target.outputs = outputs.records
        return self._survived(number, cell, status)

    def _probes(self, number: int, cell: CellToRun, probes: dict) -> bool:
        """One exercise, if it is its turn; → whether this fork can go on."""
        record = self.run.cells[number]
        if record.status != "skipped" or number in self.lost:
            return True
        left = self._left(again=True)
        if left <= 0:
            self._out_of_time(cell, record)
            return True
        return self._survived(number, cell, self._probe(cell, record, probes.get(cell.exercise, {}), left))

    def _left(self, again: bool) -> float:
        """Seconds that are left; probes, and cells that are run again, have the time of another notebook."""
        return self.time.left + again * self.limits.notebook_seconds

    def _survived(self, number: int, cell: CellToRun, status: str) -> bool:
        if status in ("timeout", "crashed", "malformed"):
            self.lost.add(number)
        if status == "malformed":
            self.run.notes.append(f"`{cell.exercise or cell.id}` sent an invalid answer, which does not count")
        return self.talk.alive

    def _probe(self, cell: CellToRun, record: CellRun, cases: dict, left: float) -> str:
        assert cell.exercise is not None
        found = self.run.found[cell.exercise] = Found()
        if cell.exercise not in self.talk.server.hello.get("exercises", ()):
            found.status, record.status = "ungradable", "ok"
            self.run.notes.append(f"the stripped package has no probe for {cell.exercise}")
            return "ok"
        request, tensors = probe_request(cell.exercise, cases)
        waiting = iter(cases)

        def hear(header: dict, arrays: dict) -> None:
            if header.get("op") != "case" or header.get("name") != next(waiting, None):
                raise BadFrame("an answer to a case that was not sent")
            size = sum(array.nbytes for array in arrays.values())
            if size > self.run.left.numbers:
                raise BadFrame("more numbers than a submission may send")
            self.run.left.numbers -= size
            found.cases[header["name"]] = case_record(header, arrays)

        unseen = Outputs(self.talk.text, self.limits.output, {})
        status = self._ask(record, request, tensors, left, unseen, hear)
        if status == "ok" and next(waiting, None) is not None:
            status = "error"
        found.status = {"ok": "ran", "malformed": "crashed"}.get(status, status)
        found.seconds, found.limit = record.seconds, record.limit
        return status

    def _ask(
        self, record: CellRun, request: dict, tensors: dict | None, left: float, outputs: Outputs, hear: Callable
    ) -> str:
        request |= {"hold": self.held}
        self.held = []
        seconds = min(left, self.limits.cell_seconds)
        began = time.monotonic()
        status, limit = self.talk.ask(request, tensors, seconds, outputs, hear)
        record.seconds = time.monotonic() - began
        self.time.take(self.talk.clock)
        if status == "timeout":
            limit, clock = ("cell time", self.talk.clock) if seconds < left else (NO_TIME, self.time)
            self.run.disputed |= not clock.by_itself
        record.status = SAID[status]
        record.limit = limit or limit_of(outputs)
        return status

    def _out_of_time(self, cell: CellToRun, record: CellRun) -> None:
        self.run.status = "timeout"
        self.run.disputed |= not self.time.by_itself
        if record.status == "skipped":
            record.status, record.limit = "timeout", NO_TIME
            if cell.exercise:
                self.run.found[cell.exercise] = Found("timeout", limit=NO_TIME)


def probe_request(exercise: str, cases: dict) -> tuple[dict, dict]:
    """The frame that asks a worker for all cases of an exercise: its header and its tensors."""
    request = {
        "op": "probe",
        "exercise": exercise,
        "cases": [[name, case.get("settings", {})] for name, case in cases.items()],
    }
    tensors = {
        f"{number}|{path}": np.asarray(array)
        for number, case in enumerate(cases.values())
        for path, array in case.get("tensors", {}).items()
    }
    return request, tensors


def case_record(header: dict, arrays: dict) -> dict:
    """One case as the judge reads it; a `BadFrame` when it is neither numbers nor an error."""
    calls, noticed = header.get("calls"), header.get("noticed", [])
    for listed in (calls, noticed):
        if not isinstance(listed, list) or len(listed) > MAX_CALLS or not all(isinstance(name, str) for name in listed):
            raise BadFrame("the calls and side effects of a case must be lists of names")
    error = header.get("error")
    if error is None:
        return {"tensors": arrays, "calls": calls, "noticed": [encodable(name[:MAX_TEXT]) for name in noticed]}
    if not isinstance(error, dict) or not all(isinstance(error.get(key), str) for key in ("type", "message")):
        raise BadFrame("the error of a case must have a type and a message")
    record = {
        key: readable(error[key][:MAX_TEXT]) for key in ("type", "message", "line") if isinstance(error.get(key), str)
    }
    record |= {key: error[key] for key in ("expected", "found") if shapes(error.get(key))}
    record |= {"kinds": error["kinds"]} if names(error.get("kinds")) else {}
    return {"error": record, "calls": calls}


def names(value: object) -> bool:
    """Is `value` a short list of names?"""
    return isinstance(value, list) and len(value) <= 10 and all(isinstance(name, str) for name in value)


def shapes(value: object) -> bool:
    """Is `value` a JSON object of names and shapes?"""
    return (
        isinstance(value, dict)
        and len(value) <= MAX_SHAPES
        and all(
            isinstance(shape, list) and len(shape) <= MAX_SHAPES and all(type(size) is int for size in shape)
            for shape in value.values()
        )
    )


def limit_of(outputs: Outputs) -> str | None:
    """The limit that the outputs speak of: cut text, or an error that the kernel's refusal raised."""
    for record in outputs.records:
        if record["output_type"] != "error":
            continue
        text = f"{record['ename']}: {record['evalue']}"
        for limit, signs in SIGNS.items():
            if any(sign in text for sign in signs):
                return limit
    return "output" if outputs.full else None


SIGNS = {
    "memory": ("MemoryError", "Cannot allocate memory", "can't allocate memory", "not enough memory"),
    "processes": ("can't start new thread", "BlockingIOError: [Errno 11]"),
    "files": ("[Errno 27]", "[Errno 28]", "No space left on device", "File too large"),
}


def _unexpected(header: dict, _: object) -> None:
    raise BadFrame(f"unexpected operation {str(header.get('op'))[:50]!r}")
