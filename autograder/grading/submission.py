"""Grade one submission: repair it, run it outside this process, judge here, write the verdicts into the notebook."""

import time
from dataclasses import dataclass, field, replace

import nbformat

from autograder.build.strip import solved_source
from autograder.catalogue import find
from autograder.catalogue.exercise import Exercise
from autograder.grading import own_tests
from autograder.grading.asked import UNHIDDEN
from autograder.grading.context import Context
from autograder.grading.notebook import Notebook, test_of
from autograder.grading.safe import safe_notebook
from autograder.judging.judge import Verdict, judge, refuse
from autograder.judging.shortcuts import changes_any_name, out_of_sight, shortcut
from autograder.judging.upstream_errors import answers_called, carried_forward
from autograder.practice.card import WORDS, html_card, text_card
from autograder.repair.repair import read_submission, repair
from autograder.sandbox.session import Cell, Found, Run, Worker

SHOWN_TOO_MUCH = "It showed more than is kept of one submission: the rest was left out. Look whether that was meant."
SEEN_ELSEWHERE = "A picture of the page, as it was released: not drawn again in grading."


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


def sanitised(data: bytes, release: nbformat.NotebookNode):
    """The submission in the form of the release, or None: `(notebook, repairs, flags)`."""
    notebook, repairs, flags = read_submission(data)
    if notebook is None:
        return None, repairs, flags
    repaired = repair(notebook, release)
    return repaired.notebook, repairs + repaired.repairs, flags + repaired.flags


def grade(repaired: nbformat.NotebookNode, context: Context, worker: Worker) -> Graded:
    """The verdicts on a repaired notebook, and that notebook with outputs and cards in it."""
    began = time.monotonic()
    notebook = Notebook(repaired)
    runs = [worker.run(_cells(notebook, context), {e.id: context.answers[e.id]["cases"] for e in context.exercises})]
    run = runs[0]
    verdicts = {exercise.id: _verdict(exercise, notebook, run, context) for exercise in context.exercises}
    verdicts = [*_carried_forward(verdicts, notebook, context, worker, runs).values()]
    flags = list(dict.fromkeys(flag for run in runs for flag in _noted(run)))
    flags += _unseen([verdict for verdict in verdicts if verdict.score], notebook, context)
    verdicts = [scaled(verdict, context.asked.verdicts[verdict.id]) for verdict in verdicts]
    for name, points in context.asked.tests.items():
        ran = None if run.status == "ungradable" else run.cell(notebook.named[name].id)
        verdicts.append(own_tests.verdict_on(name, points, ran))
    _write_outputs(notebook, run, {verdict.id: verdict for verdict in verdicts}, context)
    flags += [SHOWN_TOO_MUCH] if any(run.left.spent for run in runs) else []
    seconds = time.monotonic() - began
    late = any(cell.status == "timeout" for run in runs for cell in run.cells)
    disputed = any(run.disputed for run in runs)
    records = {exercise: found.cases for exercise, found in run.found.items()}
    status = _overall(run, verdicts)
    return Graded(status, seconds, verdicts, [], flags, safe_notebook(repaired), late, disputed, records)


def _carried_forward(
    verdicts: dict[str, Verdict], notebook: Notebook, context: Context, worker: Worker, runs: list[Run]
) -> dict[str, Verdict]:
    """The verdicts, those on answers that call a wrong one made again with the reference's in its place.

    What was run for that is added to `runs`.
    """

    def again(replaced: frozenset[str], wanted: frozenset[str]) -> dict[str, Verdict]:
        theirs = {notebook.answer(name).id: solved_source(find(name).reference) for name in replaced}
        cells = [
            replace(cell, source=theirs.get(cell.id, cell.source))
            for cell in _cells(notebook, context)
            if cell.exercise is None or cell.exercise in wanted
        ]
        run = worker.run(cells, {name: context.answers[name]["cases"] for name in wanted})
        runs.append(run)
        return {name: _verdict(find(name), notebook, run, context) for name in wanted}

    calls = {name: answers_called(name, notebook.page(name), verdicts) for name in verdicts}
    return carried_forward(verdicts, calls, {name: verdict.status for name, verdict in verdicts.items()}, again)


def unreadable(context: Context, flags: list[str]) -> Graded:
    """What can be said of a file that is no notebook: nothing, so an instructor is asked."""
    message = "The file could not be read as a notebook; an instructor will look at it."
    verdicts = [scaled(refuse(e, "ungradable", message), context.asked.verdicts[e.id]) for e in context.exercises]
    verdicts += [own_tests.refused(*test, "ungradable", message) for test in context.asked.tests.items()]
    return Graded("ungradable", 0.0, verdicts, flags=flags)


def _cells(notebook: Notebook, context: Context) -> list[Cell]:
    """The code cells to run; pictures of ours that nobody changed are left out."""
    pictures = context.released.pictures()  # by source: a submission's own tags decide nothing
    return [
        Cell(cell.id, cell.metadata.get(UNHIDDEN, cell.source), context.asked.exercise_of(cell))
        for cell in notebook.code
        if cell.source not in pictures and test_of(cell) not in context.asked.people
    ]


def _verdict(exercise: Exercise, notebook: Notebook, run: Run, context: Context) -> Verdict:
    found = run.found.get(exercise.id, Found("ungradable" if run.status == "ungradable" else "crashed"))
    stub = context.released.answer(exercise.id).source
    if found.status == "missing" and notebook.answer(exercise.id).source.strip() in (stub, ""):
        return refuse(exercise, "not_attempted", "Not written yet.")
    if sentence := shortcut(exercise, notebook.page(exercise.id)):
        return refuse(exercise, "forbidden", sentence)
    status, detail = _ending(exercise, found, run, notebook)
    return judge(exercise, context.answers[exercise.id], found.cases, status, detail)


def _unseen(earned: list[Verdict], notebook: Notebook, context: Context) -> list[str]:
    """What a person must look at: points for code that may reach what its source does not show."""
    ours = {cell.source for cell in context.released.code}
    cells = (cell.source for cell in notebook.code if cell.source not in ours)
    flags = [
        f"`{verdict.id}` {how}, so it can call what does not stand in the source: look whether it does."
        for verdict in earned
        if (how := out_of_sight(find(verdict.id), notebook.page(verdict.id)))
    ]
    if earned and (way := changes_any_name(cells)):
        flags.append(f"A cell uses `{way}`, which can change any answer unseen: look whether it does.")
    return flags


def _noted(run: Run) -> list[str]:
    """What a person must know of a run."""
    said = "Not graded, run again: {}" if run.status == "ungradable" else "{}: look at it."
    return [said.format(note) for note in run.notes]


def _ending(exercise: Exercise, found: Found, run: Run, notebook: Notebook) -> tuple[str, str]:
    """How the probing of an exercise ended, as a status of the verdict and a sentence."""
    if found.status == "ran":
        return "ran", ""
    cell = run.cell(notebook.answer(exercise.id).id)
    if found.status == "missing":
        if cell is not None and cell.status in ("timeout", "crashed"):
            return cell.status, _limit(cell.limit) or WORDS[cell.status] + "."
        error = next((o for o in cell.outputs if o.get("output_type") == "error"), None) if cell else None
        if error:
            return "error", f"The cell stopped with {error['ename']}: {error['evalue'][:300]}"
        return "error", f"After the notebook has run there is nothing named {exercise.id}."
    if found.status in ("timeout", "crashed"):
        return found.status, _limit(found.limit) or WORDS[found.status] + "."
    return ("ungradable" if found.status == "ungradable" else "error"), ""


def _limit(name: str | None) -> str:
    return f"It was stopped at the limit on {name}." if name else ""


def scaled(verdict: Verdict, points: float) -> Verdict:
    """The verdict on an exercise that counts `points` in this course: every share in proportion."""
    factor = points / verdict.max_score if verdict.max_score else 1.0
    shares = (replace(share, max_score=share.max_score * factor) for share in verdict.properties)
    return verdict if factor == 1 else replace(verdict, properties=tuple(shares))


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
        exercise, test = context.asked.exercise_of(cell), test_of(cell)
        cell.execution_count = number
        if exercise:
            cell.outputs = _verdict_outputs(verdicts[exercise], number)
        elif test in context.asked.tests:
            cell.outputs = own_tests.outputs_of(verdicts[test], run.cell(cell.id), number)
        elif test:
            said = f"Left to a person: {context.asked.people[test]}.\n"
            cell.outputs = [nbformat.v4.new_output("stream", name="stdout", text=said)]
        elif ran := run.cell(cell.id):
            cell.outputs = [nbformat.from_dict(output) for output in ran.outputs]
        else:
            cell.outputs = [nbformat.v4.new_output("stream", name="stdout", text=SEEN_ELSEWHERE)]


def _verdict_outputs(verdict: Verdict, number: int) -> list[nbformat.NotebookNode]:
    """What SaveAutoGrades reads: a plain number; none for what could not be graded."""
    if verdict.status == "ungradable":
        return [nbformat.v4.new_output("stream", name="stdout", text=text_card(verdict))]
    data = {"text/plain": f"{verdict.score:.12g}", "text/html": html_card(verdict, practice=False)}
    return [nbformat.v4.new_output("execute_result", data=data, execution_count=number)]
