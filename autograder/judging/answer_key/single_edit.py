"""The single edit of a correct solution that gives what a submission gives, where no known mistake does.

The edits come from the syntax tree (`catalogue/single_edits.py`); nobody needs to have foreseen the mistake.
"""

import math
import time
from collections.abc import Iterator

import numpy as np
import torch

from autograder.catalogue.edits import KnownMistake
from autograder.catalogue.exercise import Exercise
from autograder.catalogue.raised import raises_itself
from autograder.catalogue.results import close
from autograder.catalogue.single_edits import Edit, single_edits
from autograder.judging.agreement import agree, error_type
from autograder.judging.answer_key.solutions import Solution, solutions_of, types_of
from autograder.judging.answer_key.tries import Case, given
from autograder.probes.run import probe_of, run_case

SAYS = "{} exactly what a correct solution gives with this change."
WHEREVER = "Where your results are wrong, they are"
MOSTLY = "In most of the cases that go wrong, your results are"
SECONDS = 0.3  # of CPU time, for one card: a busy machine names what an idle one does
_edits: dict[Solution, list[Edit]] = {}  # of each solution that was needed
DECISIONS = ("operators", "conditions")  # what makes a solution refuse something


def single_edit(exercise: Exercise, answer_key: dict, actual: dict) -> KnownMistake | None:
    """An edit under which a correct solution gives what this submission gave; or None.

    Best in every case; or else wherever the submission is wrong, if that is in two cases with numbers or more; or else
    in three quarters of the wrong cases, if three have numbers. Zeros explain nothing, as many edits give them. Errors
    explain nothing, unless they are all refusals: an edit of a condition explains them.
    """
    expected = {case: record for case, record in answer_key["expected"].items() if case in actual}
    cases = {name: Case(name, answer_key["cases"][name]) for name in expected}
    wrong = [case for case in expected if not agree(actual[case], expected[case])]
    numbers = [case for case in wrong if "tensors" in actual[case]]
    telling = [case for case in numbers if _tells(actual[case], expected[case])]
    refuses = not numbers and all(_refuses(actual[case]) for case in wrong)
    telling = telling or (wrong if refuses else [])
    telling.sort(key=lambda case: (not _is_finite(actual[case]), cases[case].size))
    if not telling:
        return None

    best, most = None, _fewest(len(wrong), len(telling)) - 1
    ends = time.thread_time() + SECONDS
    with torch.random.fork_rng(devices=[]):  # the page's own random numbers go on as if nothing had been tried
        for solution, edit in _edits_of(exercise, cases[telling[0]]):

            def same(case: str, solution: Solution = solution, edit: Edit = edit) -> bool:
                return agree(actual[case], given(exercise.id, solution, edit, cases[case]))

            if time.thread_time() > ends:
                break
            if (refuses and edit.kind not in DECISIONS) or not same(telling[0]):
                continue
            explained = sum(map(same, wrong))
            if explained == len(wrong) and all(same(case) for case in expected if case not in wrong):
                return KnownMistake(edit.name, says=SAYS.format("Your results are"))
            if explained > most:
                best, most = edit, explained
    where = WHEREVER if most == len(wrong) else MOSTLY
    return KnownMistake(best.name, says=SAYS.format(where)) if best else None


def _tells(actual: dict, expected: dict) -> bool:
    """Whether something that is wrong isn't all zeros."""
    right = expected.get("tensors", {})
    return any(
        array.any() and not (name in right and close(array, right[name])) for name, array in actual["tensors"].items()
    )


def _refuses(record: dict) -> bool:
    """Whether this is a ValueError that the answer raises, not one that its line runs into (`a, b = x.shape`)."""
    return error_type(record) == "ValueError" and raises_itself(record["error"].get("line", "raise"))


def _is_finite(record: dict) -> bool:
    return all(np.isfinite(array).all() for array in record.get("tensors", {}).values())


def _fewest(wrong: int, telling: int) -> float:
    """In how many wrong cases an edit must give what the submission gave, if not in all cases."""
    if telling < 2:
        return math.inf
    return wrong if telling == 2 else math.ceil(wrong * 3 / 4)


def _edits_of(exercise: Exercise, case: Case) -> Iterator[tuple[Solution, Edit]]:
    """Every edit of the reference, but for a step too many; then those of the right variants; then such steps."""
    solutions = solutions_of(exercise.reference, exercise.right_variants)
    for too_many in (False, True):
        for solution in solutions:
            for edit in _edits_of_one(exercise.id, solution, case):
                if (edit.kind == "more") == too_many:
                    yield solution, edit


def _edits_of_one(exercise: str, solution: Solution, case: Case) -> list[Edit]:
    """The edits of a solution, found once: this case shows which of its variables are alike."""
    if solution not in _edits:
        types = types_of(solution, lambda made: run_case(probe_of(exercise), made, case.inputs))
        _edits[solution] = single_edits(solution.source, types)
    return _edits[solution]
