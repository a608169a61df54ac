"""A mistake in one answer shows again in every answer that calls it: judge those with the reference's in its place.

One mistake costs its own exercise, not all that build on it.
"""

import ast
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import replace

from autograder.judging.nodes import nodes_of
from autograder.judging.page import Page
from autograder.judging.verdict import Verdict
from autograder.stages import name_of

LOOK_THERE_FIRST = "start there."
AT_ITS_PLACE = "Judged as it was at its test cell; a later cell changes what it does."
RIGHT_ALONE = "Your {} passes its own check, but this answer earns more with the reference's, and is judged with that."
INNOCENT = ("right", "forbidden", "ungradable")
Again = Callable[[frozenset[str], frozenset[str]], Mapping[str, Verdict]]
Explain = Callable[[str, Verdict], Verdict]


def answers_called(exercise: str, page: Page, others: Iterable[str]) -> frozenset[str]:
    """Which of the `others` an answer calls, itself or through what it calls; none where it is not written.

    >>> page = Page(["def softmax(x): return g(x)", "def g(x): return x", "def attend(x): return softmax(x)"])
    >>> sorted(answers_called("attend", page, ["softmax", "g", "mask"]))
    ['g', 'softmax']
    """
    statements = page.reached(name_of(exercise))
    if not statements or not _is_written(statements[0]):
        return frozenset()
    names = {part.id for statement in statements for part in nodes_of(statement) if isinstance(part, ast.Name)}
    return frozenset(other for other in others if name_of(other) in names) - {exercise}


def carried_forward(
    verdicts: Mapping[str, Verdict],
    calls: Mapping[str, frozenset[str]],
    statuses: Mapping[str, str],
    again: Again,
    disturbed: Container[str] = (),
    explain: Explain = lambda name, verdict: verdict,
) -> dict[str, Verdict]:
    """The verdicts; of an answer that may have failed only because of another one, the better of two.

    Args:
        verdicts: exercise → verdict, with the student's own answers everywhere, in the order of the page.
        calls: exercise → the other answers that it calls.
        statuses: of all answers that are known, including those without a verdict here.
        again: `again(replaced, wanted)` judges each of `wanted` again, at its position on the page, with `replaced`
            taken from the reference from there on; it leaves out those that it cannot judge. Called at most once.
        disturbed: exercises that a later cell may have changed.
        explain: `explain(exercise, verdict)` is the verdict with what went wrong. The search takes time, so of answers
            that call a faulty one it is asked only for those whose own verdict stays.
    """

    def own(name: str) -> Verdict:
        return _attempted(explain(name, verdicts[name]), calls[name], statuses)

    waiting = {name for name, its in verdicts.items() if its.status not in INNOCENT and _faulty(calls[name], statuses)}
    best = {
        name: _attempted(verdict, calls[name], statuses) if name in waiting else own(name)
        for name, verdict in verdicts.items()
    }
    upstream = {name for name in best if _may_be_upstream(best[name], calls[name], statuses)}
    wanted = upstream | {name for name in best if name in disturbed and best[name].status not in INNOCENT}
    if not wanted:
        return best
    replaced = frozenset().union(*(calls[name] for name in upstream))
    fresh = again(replaced, frozenset(wanted))
    for name in best:
        if name in waiting and (name not in fresh or fresh[name].score < best[name].score):
            best[name] = own(name)
        if name not in fresh:
            continue
        known = {**statuses, **{other: best[other].status for other in best}}
        if name in upstream:
            best[name] = _better(best[name], fresh[name], replaced & calls[name], known, name in disturbed)
        elif fresh[name].score > best[name].score:
            best[name] = _told(fresh[name], AT_ITS_PLACE)
    return best


def _faulty(called: frozenset[str], statuses: Mapping[str, str]) -> list[str]:
    """Which of the answers called are known and not right."""
    return sorted(name for name in called if statuses.get(name, "right") not in INNOCENT)


def _may_be_upstream(verdict: Verdict, called: frozenset[str], statuses: Mapping[str, str]) -> bool:
    """It falls short, and an answer that it calls is not right, or nothing else explains it."""
    if verdict.status in INNOCENT or not called:
        return False
    return not verdict.known_mistake or any(statuses.get(name) not in INNOCENT for name in called)


def _attempted(verdict: Verdict, called: frozenset[str], statuses: Mapping[str, str]) -> Verdict:
    """What it calls is not written, and ended it: that is an error of an attempt."""
    return (
        replace(verdict, status="error") if verdict.status == "not_attempted" and _faulty(called, statuses) else verdict
    )


def _better(
    own: Verdict, fresh: Verdict, replaced: frozenset[str], statuses: Mapping[str, str], disturbed: bool
) -> Verdict:
    """The better verdict; a name only where it still fits when what is called is the reference's.

    Where all that is called is right, a later cell was to blame, if there is one that may have changed it.
    """
    faulty = _faulty(replaced, statuses)
    are = "are" if len(faulty) > 1 else "is"
    if fresh.score > own.score:
        if faulty:
            judged = f"Judged with the reference's {_listed(faulty)} instead of yours"
            return _told(fresh, f"{judged}, which {are} not right yet: {LOOK_THERE_FIRST}")
        return _told(fresh, AT_ITS_PLACE if disturbed else RIGHT_ALONE.format(_listed(sorted(replaced))))
    if fresh.score == own.score:
        return fresh
    if not faulty:
        return own
    rest = "" if own.known_mistake else _besides(own)
    message = f"It calls your {_listed(faulty)}, which {are} not right yet: {LOOK_THERE_FIRST} {rest}".strip()
    return replace(own, known_mistake=None, question="", message=message)


def _told(verdict: Verdict, sentence: str) -> Verdict:
    """The verdict, with this sentence before what it says."""
    return replace(verdict, message=f"{sentence} {_besides(verdict)}".strip())


def _besides(verdict: Verdict) -> str:
    """What its message says besides the first finding, which the card shows in its place, or not at all."""
    return "" if verdict.repeats_a_finding and not verdict.known_mistake else verdict.message


def _listed(names: list[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def _is_written(definition: ast.stmt) -> bool:
    """Nothing in it waits any more, as the released answer does."""
    waits = (part.exc for part in nodes_of(definition) if isinstance(part, ast.Raise))
    return not any(isinstance(error, ast.Name) and error.id == "NotImplementedError" for error in waits)
