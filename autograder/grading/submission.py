"""Grade one submission: repair it, run it outside this process, judge here, write the verdicts into the notebook."""

import time
from dataclasses import dataclass, field, replace

import nbformat

from autograder.catalogue import find
from autograder.catalogue.exercise import Exercise
from autograder.grading import own_tests
from autograder.grading.context import Context
from autograder.grading.notebook import Notebook, test_of
from autograder.grading.released_tests import UNHIDDEN
from autograder.grading.sanitize import safe_notebook
from autograder.grading.second_page import does_something, second_page
from autograder.judging.flagged import changes_any_name, out_of_sight
from autograder.judging.judge import explained, points_of, refuse
from autograder.judging.shortcuts import shortcut
from autograder.judging.upstream_errors import answers_called, carried_forward
from autograder.judging.verdict import Verdict
from autograder.practice.card import WORDS, html_card, text_card
from autograder.repair.repair import read_submission, repair
from autograder.repair.sources import normal
from autograder.sandbox.clock import NotebookTime
from autograder.sandbox.session import CellToRun, Found, Run, Worker

SHOWN_TOO_MUCH = (
    "It printed more output than is kept for one submission, so the rest was left out. Please check whether that "
    "was intended."
)
OTHER_VARIANT = (
    "The page asks what the variant of another student asks; please check whose notebook this is. The numbers of this "
    "student's variant are used."
)
SEEN_ELSEWHERE = "A picture of the released page; it is not drawn again during grading."


@dataclass
class Graded:
    """A graded submission: what `--json` says of it, and the notebook for autograded/."""

    status: str
    seconds: float
    verdicts: list[Verdict]
    repairs: list[str] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    notebook: nbformat.NotebookNode | None = None
    timed_out: bool = False  # anything in it
    disputed: bool = False  # and what ran beside it may have had a part in that
    records: dict[str, dict] = field(default_factory=dict)  # exercise → case → what its probe brought back

    def as_json(self, student: str) -> dict:
        """The submission as `course grade --json` writes it."""
        return {
            "student": student,
            "score": sum(verdict.score for verdict in self.verdicts),
            "max_score": sum(verdict.max_score for verdict in self.verdicts),
            "status": self.status,
            "seconds": round(self.seconds, 3),
            "repairs": self.repairs,
            "flags": self.flags,
            "exercises": [verdict.as_json() for verdict in self.verdicts],
        }


def sanitised(data: bytes, context: Context) -> tuple[nbformat.NotebookNode | None, list[str], list[str]]:
    """The submission in the form of the release, or None: `(notebook, repairs, flags)`."""
    notebook, repairs, flags = read_submission(data)
    if notebook is None:
        return None, repairs, flags
    repaired = repair(notebook, context.release, context.earlier)
    flags += repaired.flags
    if any(normal(cell.source) in map(normal, context.others.get(cell.id, ())) for cell in repaired.notebook.cells):
        flags.append(OTHER_VARIANT)
    return repaired.notebook, repairs + repaired.repairs, flags


def grade(repaired: nbformat.NotebookNode, context: Context, worker: Worker) -> Graded:
    """The verdicts on a repaired notebook, and that notebook with outputs and cards in it."""
    began = time.monotonic()
    notebook = Notebook(repaired, {cell.source for cell in context.released.code})
    clock = NotebookTime(context.limits.notebook_seconds)  # one for all runs
    probes = {exercise.id: context.answer_key[exercise.id]["cases"] for exercise in context.exercises}
    run = worker.run(_cells(notebook, context), probes, clock)
    runs = [run]
    first = {exercise.id: _verdict(exercise, notebook, run, context) for exercise in context.exercises}
    verdicts = [*_judged_again(first, notebook, context, worker, runs, clock).values()]
    flags = list(dict.fromkeys(flag for run in runs for flag in _noted(run)))
    flags += _unseen([verdict for verdict in verdicts if verdict.score], notebook)
    verdicts = [scaled(verdict, context.released_tests.verdicts[verdict.id]) for verdict in verdicts]
    for name, points in context.released_tests.tests.items():
        ran = None if run.status == "ungradable" else run.cell(notebook.named[name].id)
        verdicts.append(own_tests.verdict_on(name, points, ran))
    _write_outputs(notebook, run, {verdict.id: verdict for verdict in verdicts}, context)
    flags += [SHOWN_TOO_MUCH] if run.left.spent else []
    seconds = time.monotonic() - began
    late = _ran_out_of_time(run) or any(later.disputed for later in runs[1:])
    disputed = any(run.disputed for run in runs)
    records = {exercise: found.cases for exercise, found in run.found.items()}
    status = _overall(run, verdicts)
    return Graded(status, seconds, verdicts, [], flags, safe_notebook(repaired), late, disputed, records)


def _judged_again(
    verdicts: dict[str, Verdict],
    notebook: Notebook,
    context: Context,
    worker: Worker,
    runs: list[Run],
    clock: NotebookTime,
) -> dict[str, Verdict]:
    """The verdicts; if an answer may have failed because of another one, or of a later cell, the better of two.

    The page is run at most twice, and never again after a timeout; the second run is added to `runs`.
    """
    ours = {cell.source for cell in context.released.code}

    def again(replaced: frozenset[str], wanted: frozenset[str]) -> dict[str, Verdict]:
        if _ran_out_of_time(runs[0]) or runs[0].status == "ungradable":
            return {}
        cells = second_page(_cells(notebook, context), replaced, wanted, ours)
        run = worker.run(cells, {name: context.answer_key[name]["cases"] for name in wanted}, clock, True)
        runs.append(run)
        return {name: explain(name, _verdict(find(name), notebook, run, context, first=False), run) for name in wanted}

    def explain(name: str, verdict: Verdict, run: Run = runs[0]) -> Verdict:
        exercise = find(name)
        found = _found(exercise, run)
        _, detail = _ending(exercise, found, run, notebook, run is runs[0])
        return explained(verdict, exercise, context.answer_key[name], found.cases, detail)

    calls = {name: answers_called(name, notebook.page(name), verdicts) for name in verdicts}
    statuses = {name: verdict.status for name, verdict in verdicts.items()}
    below = {name: notebook.code[len(notebook.above[f"test_{name}"]) :] for name in verdicts}
    disturbed = {
        name for name in below if any(does_something(cell.source) for cell in below[name] if cell.source not in ours)
    }
    return carried_forward(verdicts, calls, statuses, again, disturbed, explain)


def _ran_out_of_time(run: Run) -> bool:
    return any(cell.status == "timeout" for cell in run.cells)


def unreadable(context: Context, flags: list[str]) -> Graded:
    """The result for a file that isn't a notebook: no verdict, and a flag for the instructor."""
    message = "The file could not be read as a notebook; an instructor will check it."
    verdicts = [
        scaled(refuse(e, "ungradable", message), context.released_tests.verdicts[e.id]) for e in context.exercises
    ]
    verdicts += [own_tests.refused(*test, "ungradable", message) for test in context.released_tests.tests.items()]
    return Graded("ungradable", 0.0, verdicts, flags=flags)


def _cells(notebook: Notebook, context: Context) -> list[CellToRun]:
    """The code cells to run; pictures of ours that nobody changed are left out."""
    pictures = context.released.pictures()  # by source: a submission's own tags decide nothing
    return [
        CellToRun(cell.id, cell.metadata.get(UNHIDDEN, cell.source), context.released_tests.exercise_of(cell))
        for cell in notebook.code
        if cell.source not in pictures and test_of(cell) not in context.released_tests.people
    ]


def _verdict(exercise: Exercise, notebook: Notebook, run: Run, context: Context, first: bool = True) -> Verdict:
    """Points, and no look yet at what went wrong."""
    found = _found(exercise, run)
    stub = context.released.answer(exercise.id).source
    if found.status == "missing" and notebook.answer(exercise.id).source.strip() in (stub, ""):
        return refuse(exercise, "not_attempted", "Not written yet.")
    if sentence := shortcut(exercise, notebook.page(exercise.id)):
        return refuse(exercise, "forbidden", sentence)
    status, detail = _ending(exercise, found, run, notebook, first)
    return points_of(exercise, context.answer_key[exercise.id], found.cases, status, detail)


def _found(exercise: Exercise, run: Run) -> Found:
    return run.found.get(exercise.id, Found("ungradable" if run.status == "ungradable" else "crashed"))


def _unseen(earned: list[Verdict], notebook: Notebook) -> list[str]:
    """What a person must look at: points for code that may reach what its source does not show."""
    cells = (cell.source for cell in notebook.code if cell.source not in notebook.ours)
    flags = [
        f"`{verdict.id}` {how}, so it can call code that is not in the source; please check whether it does."
        for verdict in earned
        if (how := out_of_sight(find(verdict.id), notebook.page(verdict.id)))
    ]
    if earned and (way := changes_any_name(cells)):
        flags.append(f"A cell uses `{way}`, which can change any answer without a trace; please check whether it does.")
    return flags


def _noted(run: Run) -> list[str]:
    """Notes on a run that a person should read."""
    said = "Not graded, run again: {}" if run.status == "ungradable" else "Please check: {}"
    return [said.format(note) for note in run.notes]


def _ending(exercise: Exercise, found: Found, run: Run, notebook: Notebook, first: bool) -> tuple[str, str]:
    """How the probe of an exercise ended: a verdict's status and a sentence.

    Of a later run no cell's own words are in it: they may tell what a probe of an earlier one was given.
    """
    if found.status == "ran":
        return "ran", ""
    cell = run.cell(notebook.answer(exercise.id).id)
    if found.status == "missing":
        if cell is not None and cell.status in ("timeout", "crashed"):
            return cell.status, _limit(cell.limit) or WORDS[cell.status] + "."
        error = next((o for o in cell.outputs if o.get("output_type") == "error"), None) if cell else None
        if error and not first:
            return "error", "The cell stopped with an error."
        if error:
            return "error", f"The cell stopped with {error['ename']}: {error['evalue'][:300]}"
        return "error", f"After the notebook has run, nothing is named {exercise.name}."
    if found.status in ("timeout", "crashed"):
        return found.status, _limit(found.limit) or WORDS[found.status] + "."
    return ("ungradable", "") if found.status == "ungradable" else ("error", "It raised an error that cannot be read.")


def _limit(name: str | None) -> str:
    return f"It was stopped at the limit on {name}." if name else ""


def scaled(verdict: Verdict, points: float) -> Verdict:
    """The verdict on an exercise that counts `points` in this course: every share in proportion."""
    factor = points / verdict.max_score if verdict.max_score else 1.0
    shares = (replace(share, max_score=share.max_score * factor) for share in verdict.criteria)
    return verdict if factor == 1 else replace(verdict, criteria=tuple(shares))


def _overall(run: Run, verdicts: list[Verdict]) -> str:
    """One status for the submission, in the words of the exercises."""
    if run.status in ("ungradable", "crashed"):
        return run.status
    statuses = {verdict.status for verdict in verdicts}
    if len(statuses) == 1:
        return statuses.pop()
    return "partial" if any(verdict.score for verdict in verdicts) else "wrong"


def _write_outputs(notebook: Notebook, run: Run, verdicts: dict[str, Verdict], context: Context) -> None:
    for number, cell in enumerate(notebook.code, start=1):
        exercise, test = context.released_tests.exercise_of(cell), test_of(cell)
        cell.execution_count = number
        if exercise:
            cell.outputs = _verdict_outputs(verdicts[exercise], number)
        elif test in context.released_tests.tests:
            cell.outputs = own_tests.outputs_of(verdicts[test], run.cell(cell.id), number)
        elif test:
            said = f"To be graded by hand: {context.released_tests.people[test]}.\n"
            cell.outputs = [_output("stream", name="stdout", text=said)]
        elif ran := run.cell(cell.id):
            cell.outputs = [nbformat.from_dict(output) for output in ran.outputs]
        else:
            cell.outputs = [_output("stream", name="stdout", text=SEEN_ELSEWHERE)]


def _output(kind: str, **fields: object) -> nbformat.NotebookNode:
    """An output that is validated with the notebook, once, and not on its own before."""
    return nbformat.from_dict({"output_type": kind, **fields})


def _verdict_outputs(verdict: Verdict, number: int) -> list[nbformat.NotebookNode]:
    """What SaveAutoGrades reads: a plain number; none for what could not be graded."""
    if verdict.status == "ungradable":
        return [_output("stream", name="stdout", text=text_card(verdict))]
    data = {"text/plain": f"{verdict.score:.12g}", "text/html": html_card(verdict, practice=False)}
    return [_output("execute_result", data=data, metadata={}, execution_count=number)]
