"""Test cells that an instructor wrote: run beside the submission, and counted as nbgrader counts them.

What such a cell sees, and what it says, a submission can change, as it can in nbgrader: a verdict of ours it cannot.
"""

import nbformat
from nbformat.v4 import new_code_cell, new_output

from autograder.judging.verdict import CriterionVerdict, Verdict
from autograder.sandbox.records import CellRun

GIVEN, TAKEN = "points your instructor's test awarded", "points it did not award"
ENDED = {"timeout": "timeout", "crashed": "crashed", "skipped": "crashed"}


def verdict_on(name: str, points: float, ran: CellRun | None) -> Verdict:
    """The verdict on a test cell that ran; `ungradable` where the machinery did not come to it."""
    if ran is None:
        return refused(name, points, "ungradable", "Not run.")
    if ran.status in ENDED:
        return refused(
            name, points, ENDED[ran.status], f"It was stopped at the limit on {ran.limit}." * bool(ran.limit)
        )
    if ran.status == "error":
        error = next((o for o in ran.outputs if o.get("output_type") == "error"), {})
        return refused(name, points, "wrong", f"{error.get('ename', 'Error')}: {error.get('evalue', '')[:300]}")
    try:
        from nbgrader.utils import determine_grade  # 0.6 s, for hardly any course

        given = determine_grade(_cell(name, points, ran))[0]
    except (ValueError, KeyError) as strange:
        return refused(name, points, "ungradable", f"Graded by hand: {strange}.")
    status = "right" if given == points else "partial" if given else "wrong"
    shares = [(GIVEN, True, given), (TAKEN, False, points - given)]
    return Verdict(name, status, tuple(CriterionVerdict(*share) for share in shares if share[2] or share[1]))


def refused(name: str, points: float, status: str, message: str) -> Verdict:
    """A verdict without points."""
    return Verdict(name, status, (CriterionVerdict(TAKEN, False, points),), message=message)


def outputs_of(verdict: Verdict, ran: CellRun | None, number: int) -> list[nbformat.NotebookNode]:
    """The points as a plain number, which nbgrader reads first, and below it the text that the cell wrote."""
    said = [nbformat.from_dict(o) for o in ran.outputs if o["output_type"] in ("stream", "error")] if ran else []
    if verdict.status == "ungradable":
        return [new_output("stream", name="stdout", text=f"{verdict.message}\n"), *said]
    points = new_output("execute_result", data={"text/plain": f"{verdict.score:.12g}"}, execution_count=number)
    return [points, *said]


def _cell(name: str, points: float, ran: CellRun) -> nbformat.NotebookNode:
    grading = {"grade_id": name, "grade": True, "solution": False, "locked": True, "points": points}
    outputs = [nbformat.from_dict(output) for output in ran.outputs]
    return new_code_cell(outputs=outputs, metadata={"nbgrader": grading})
