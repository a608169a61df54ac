"""From raw tensors to a verdict. Runs where no student code ever does, on numbers alone."""

import warnings
from dataclasses import replace

from autograder.catalogue.checks import COMMON
from autograder.catalogue.edits import KnownMistake
from autograder.catalogue.exercise import Criterion, Exercise
from autograder.catalogue.results import Finding, Results, finding_of
from autograder.judging.agreement import error_type
from autograder.judging.answer_key.other_ways import mistake_in_another_way
from autograder.judging.answer_key.pairs import two_mistakes
from autograder.judging.answer_key.single_edit import single_edit
from autograder.judging.answer_key.tries import load
from autograder.judging.content import Content
from autograder.judging.ready_made import ready_made
from autograder.judging.recognise import given_away, known_mistake_of
from autograder.judging.resemblance import resemblance
from autograder.judging.verdict import CriterionVerdict, Verdict, first_failure

NOT_JUDGED = "this cannot be judged until your answer produces something of its own"


def judge(exercise: Exercise, answer_key: dict, actual: dict, status: str = "ran", detail: str = "") -> Verdict:
    """The verdict on one exercise.

    Args:
        exercise: what to look for.
        answer_key: `{"cases": {case: inputs}, "expected": {case: record}, "mistakes": {name: {case: record}},
            "loses": {name: [criteria]}}`.
        actual: `{case: record}` as the probe returned it; cases that were not reached are absent.
        status: how the run ended: `ran`, or one of the verdict's own statuses (`timeout`, `crashed`, …).
        detail: a sentence about that ending.
    """
    return explained(points_of(exercise, answer_key, actual, status, detail), exercise, answer_key, actual, detail)


def explained(verdict: Verdict, exercise: Exercise, answer_key: dict, actual: dict, detail: str = "") -> Verdict:
    """A verdict of `points_of`, with the mistake that was made and what is said of it.

    Where no known mistake has these results, the search for another explanation takes up to a second.
    """
    if verdict.status in ("forbidden", "not_attempted", "right") or not actual:
        return verdict
    named = _named(exercise, answer_key, actual, verdict)
    return replace(
        verdict,
        known_mistake=" and ".join(mistake.name for mistake in named) or None,
        message=_said_of(named)
        or detail
        or _resemblance(verdict.status, _results(exercise, answer_key, actual))
        or verdict.message,
        question=named[0].asks if named else "",
    )


def points_of(exercise: Exercise, answer_key: dict, actual: dict, status: str = "ran", detail: str = "") -> Verdict:
    """The verdict without a look at what went wrong: points, and the first criterion that is not met."""
    shortcut = _shortcut(exercise, actual)
    if shortcut:
        return refuse(exercise, "forbidden", f"`{shortcut}` does the whole exercise; write it from its parts.")
    if not actual:
        return refuse(exercise, "error" if status == "ran" else status, detail)
    expected = answer_key["expected"]
    if all(_is_unwritten(record) for case, record in actual.items() if "error" not in expected.get(case, {})):
        return refuse(exercise, "not_attempted", "Not written yet.")

    criteria = _weighed(exercise, _results(exercise, answer_key, actual))
    if status == "ran":
        status = _status(criteria, actual)
    return Verdict(exercise.id, status, criteria, message=detail or first_failure(criteria))


def _results(exercise: Exercise, answer_key: dict, actual: dict) -> Results:
    tolerances = {case.name: case.tolerance for case in exercise.cases}
    return Results(actual, answer_key["expected"], tolerances, answer_key.get("cases", {}))


def _named(exercise: Exercise, answer_key: dict, actual: dict, verdict: Verdict) -> tuple[KnownMistake, ...]:
    """The mistake that explains the results, or two of them, or none."""
    one = known_mistake_of(exercise, answer_key, actual) or given_away(exercise, verdict.criteria, answer_key["loses"])
    if one or verdict.status not in ("partial", "wrong"):
        return (one,) if one else ()
    with warnings.catch_warnings():  # an edit of ours may warn, and the student has written nothing of it
        warnings.simplefilter("ignore")
        load(exercise, answer_key["cases"])
        one = mistake_in_another_way(exercise, answer_key, actual) or single_edit(exercise, answer_key, actual)
        return (one,) if one else two_mistakes(exercise, answer_key, actual) or ()


def _said_of(named: tuple[KnownMistake, ...]) -> str:
    """What is said of one known mistake, or of two."""
    said = " ".join(mistake.says for mistake in named)
    return f"Two things at once. {said}" if len(named) > 1 else said


def refuse(exercise: Exercise, status: str, message: str) -> Verdict:
    """A verdict in which no criterion is met."""
    criteria = tuple(CriterionVerdict(p.name, False, p.points) for p in exercise.criteria)
    return Verdict(exercise.id, status, criteria, message=message)


def lost(exercise: Exercise, results: Results) -> list[str]:
    """The names of the criteria that are not met."""
    return [share.name for share in _weighed(exercise, results) if not share.passed]


def _weighed(exercise: Exercise, results: Results) -> tuple[CriterionVerdict, ...]:
    """Every criterion. One that looks only at outputs without content is not judged yet: see `judging/content.py`.

    The common criterion, that nothing else changes, is judged only if the answer meets another one.
    """
    content = Content(results)
    weighed = tuple(_weigh(share, results, content) for share in exercise.criteria)
    if any(share.passed for share in weighed if share.name != COMMON):
        return weighed
    return tuple(_unjudged(share) if share.passed else share for share in weighed)


def _weigh(share: Criterion, results: Results, content: Content) -> CriterionVerdict:
    looked_at: set[tuple[str, str]] = set()
    watched = results if share.name == COMMON else replace(results, looked_at=looked_at)  # it is about the whole answer
    finding = next((actual for check in share.checks if (actual := finding_of(check, watched))), None)
    verdict = CriterionVerdict(share.name, finding is None, share.points, finding)
    return verdict if finding or content.shows(looked_at) else _unjudged(verdict)


def _unjudged(share: CriterionVerdict) -> CriterionVerdict:
    return replace(share, passed=False, judged=False, finding=Finding(NOT_JUDGED))


def _status(criteria: tuple[CriterionVerdict, ...], actual: dict) -> str:
    if all(p.passed for p in criteria):
        return "right"
    if all("error" in record for record in actual.values()):
        return "error"
    return "partial" if any(p.score for p in criteria) else "wrong"


def _is_unwritten(record: dict) -> bool:
    """A `raise NotImplementedError` of the page or the student; torch has its own, for what a dtype cannot do."""
    if error_type(record) != "NotImplementedError":
        return False
    return not record["error"]["message"] or record["error"].get("line", "").startswith("raise NotImplementedError")


def _shortcut(exercise: Exercise, actual: dict) -> str | None:
    called = {name for record in actual.values() for name in record.get("calls", ())}
    return min(called & ready_made(exercise.forbidden), key=len, default=None)


def _resemblance(status: str, results: Results) -> str:
    return resemblance(results.actual, results.expected, results.tolerances) if status in ("partial", "wrong") else ""
