"""From raw tensors to a verdict. Runs where no student code ever does, on numbers alone."""

import re
from dataclasses import dataclass, field, replace

from autograder.catalogue.checks import COMMON
from autograder.catalogue.edits import KnownMistake
from autograder.catalogue.exercise import Criterion, Exercise
from autograder.catalogue.results import Finding, Results, close, finding_of
from autograder.judging.answer_key.pairs import two_mistakes
from autograder.judging.content import Content
from autograder.judging.resemblance import resemblance
from autograder.judging.shortcuts import ready_made
from autograder.protocol.sentences import OTHER_NAMES

STATUSES = (
    "right",
    "partial",
    "wrong",
    "error",
    "timeout",
    "crashed",
    "forbidden",
    "not_attempted",
    "ungradable",
)

ELSEWHERE = "Run `check` on your page to see the error and its line."
NOT_JUDGED = "this cannot be judged until your answer produces something of its own"
WITHOUT_WORDS = "Your answer produces the same results as this known mistake."
NAMES_OF_PARTS = re.compile(r"\w+\.")  # "self_attn." in "self_attn.qkv_proj.weight"


@dataclass(frozen=True)
class CriterionVerdict:
    """One criterion: was it met, and what it was worth. One that is not `judged` earns nothing yet."""

    name: str
    passed: bool
    max_score: float
    finding: Finding | None = None
    hint: str = ""
    judged: bool = True

    @property
    def score(self) -> float:
        return self.max_score if self.passed else 0.0


@dataclass(frozen=True)
class Verdict:
    """What the judge says of one exercise."""

    id: str
    status: str
    criteria: tuple[CriterionVerdict, ...]
    known_mistake: str | None = None
    message: str = ""
    question: str = ""
    hints: tuple[str, ...] = field(default=())

    @property
    def score(self) -> float:
        return 0.0 if self.status in ("forbidden", "not_attempted") else sum(p.score for p in self.criteria)

    @property
    def max_score(self) -> float:
        return sum(share.max_score for share in self.criteria)

    @property
    def repeats_a_finding(self) -> bool:
        """The message says no more than the first property that was lost."""
        return self.message == _first_failure(self.criteria) != ""

    @property
    def feedback(self) -> str:
        """The message without anything about the cases: no finding, and no error message."""
        if self.known_mistake or not self.repeats_a_finding:
            return self.message
        return ELSEWHERE if self.status == "error" else ""

    def as_json(self) -> dict:
        """The exercise as `course grade --json` writes it."""
        return {
            "id": self.id,
            "score": self.score,
            "max_score": self.max_score,
            "status": self.status,
            "misconception": self.known_mistake,
            "message": self.message,
            "properties": [
                {"name": p.name, "passed": p.passed, "score": p.score, "max_score": p.max_score} for p in self.criteria
            ],
        }


def judge(exercise: Exercise, answer_key: dict, actual: dict, status: str = "ran", detail: str = "") -> Verdict:
    """The verdict on one exercise.

    Args:
        exercise: what to look for.
        answers: `{"cases": {case: inputs}, "expected": {case: record}, "mistakes": {name: {case: record}},
            "loses": {name: [properties]}}`.
        found: `{case: record}` as the probe returned it; cases that were not reached are absent.
        status: how the run ended: `ran`, or one of the verdict's own statuses (`timeout`, `crashed`, …).
        detail: a sentence about that ending.
    """
    shortcut = _shortcut(exercise, actual)
    if shortcut:
        return refuse(exercise, "forbidden", f"`{shortcut}` does the whole exercise; write it from its parts.")
    if not actual:
        return refuse(exercise, "error" if status == "ran" else status, detail)
    expected = answer_key["expected"]
    if all(_is_unwritten(record) for case, record in actual.items() if "error" not in expected.get(case, {})):
        return refuse(exercise, "not_attempted", "Not written yet.")

    tolerances = {case.name: case.tolerance for case in exercise.cases}
    results = Results(actual, answer_key["expected"], tolerances, answer_key.get("cases", {}))
    criteria = _weighed(exercise, results)
    if status == "ran":
        status = _status(criteria, actual)
    named: tuple[KnownMistake, ...] = ()
    if status != "right":
        one = known_mistake_of(exercise, answer_key, actual) or _given_away(exercise, criteria, answer_key["loses"])
        named = (one,) if one else ()
    if not named and status in ("partial", "wrong"):
        named = two_mistakes(exercise, answer_key, actual, _agree) or ()
    return Verdict(
        exercise.id,
        status,
        criteria,
        known_mistake=" and ".join(mistake.name for mistake in named) or None,
        message=_said_of(named) or detail or _resemblance(status, results) or _first_failure(criteria),
        question=named[0].asks if named else "",
        hints=() if status == "right" else exercise.hints,
    )


def _said_of(named: tuple[KnownMistake, ...]) -> str:
    """What is said of one known mistake, or of two."""
    said = " ".join(mistake.says or WITHOUT_WORDS for mistake in named)
    return f"Two things at once. {said}" if len(named) > 1 else said


def refuse(exercise: Exercise, status: str, message: str) -> Verdict:
    """A verdict with no property held."""
    criteria = tuple(CriterionVerdict(p.name, False, p.points, hint=p.hint) for p in exercise.criteria)
    return Verdict(exercise.id, status, criteria, message=message, hints=exercise.hints)


def known_mistake_of(exercise: Exercise, answer_key: dict, actual: dict) -> KnownMistake | None:
    """The mistake that gives what this submission gave, on every case that went wrong.

    One that gives different numbers where the submission is right is another mistake. One that agrees there too, and
    in what is boolean, is preferred to one that does not, then one whose errors say the same. Where errors are
    all that went wrong, only one is named that says the same, and breaks off nowhere else. Where no mistake
    explains all, it is the one that explains most: one of several.
    """
    expected = {case: record for case, record in answer_key["expected"].items() if case in actual}
    wrong = [case for case in expected if not _agree(actual[case], expected[case], kinds=True)]
    if not wrong:
        return None
    candidates, no_numbers = [], all("error" in actual[case] for case in wrong)
    for mistake in exercise.mistakes:
        theirs = answer_key["mistakes"][mistake.name]
        apart = (case for case in expected if case not in wrong and not _may_agree(actual[case], theirs[case]))
        if all(_agree(actual[case], theirs[case]) for case in wrong) and next(apart, None) is None:
            likeness = sum(_agree(actual[case], theirs[case], kinds=True) for case in expected)
            said = sum(_says_the_same(actual[case], theirs[case], expected[case]) for case in wrong)
            alike = said == len(wrong) and all(_agree(actual[case], theirs[case]) for case in expected)
            if alike or not no_numbers:
                candidates.append(((likeness, said, bool(mistake.says)), mistake))
    if candidates:
        return max(candidates, key=lambda pair: pair[0])[1]
    return _one_of_several(exercise, answer_key["mistakes"], expected, actual)


def _one_of_several(exercise: Exercise, known: dict, expected: dict, actual: dict) -> KnownMistake | None:
    """The mistake whose every effect is there, some of them in numbers, beside fewer effects of something else.

    One that explains less than the half may follow from the other: no gradient reaches what is never used.
    """
    wrong = sum(not _agree(actual[case], expected[case], kinds=True) for case in expected)
    explained: dict[KnownMistake, int] = {}
    for mistake in exercise.named_mistakes:
        theirs = known[mistake.name]
        effects = [case for case in expected if not _agree(theirs[case], expected[case], kinds=True)]
        there = all(
            _agree(actual[case], theirs[case], kinds=True)
            or ("error" in expected[case] and "error" in actual[case] and "error" in theirs[case])
            for case in effects
        )
        if there and 2 * len(effects) >= wrong and any("tensors" in actual[case] for case in effects):
            explained[mistake] = len(effects)
    return max(explained, key=explained.__getitem__, default=None)


def _given_away(exercise: Exercise, criteria: tuple[CriterionVerdict, ...], loses: dict) -> KnownMistake | None:
    """The mistake that is shown by a finding, where the numbers themselves are free.

    It loses just what was lost; or what shows it is the first thing that went wrong, and more followed from it. Where
    a finding shows several, none is named: a wrong name costs more than none.
    """
    findings = [p.finding.text for p in criteria if p.finding]
    gone = {p.name for p in criteria if not p.passed}
    shown = [wrong for wrong in exercise.named_mistakes if wrong.shown_by in findings]
    exactly = [wrong for wrong in shown if gone == set(loses[wrong.name])]
    at_first = [wrong for wrong in shown if wrong.shown_by == findings[0] and gone > set(loses[wrong.name])]
    named = exactly or at_first
    return named[0] if len(named) == 1 else None


def lost(exercise: Exercise, results: Results) -> list[str]:
    """The names of the properties that do not hold."""
    return [share.name for share in _weighed(exercise, results) if not share.passed]


def _weighed(exercise: Exercise, results: Results) -> tuple[CriterionVerdict, ...]:
    """Every property. What rests on outputs without content is not judged yet: see `autograder.judging.content`.

    Nor is what every exercise asks for, that nothing else changes, judged of an answer that holds nothing besides.
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
    verdict = CriterionVerdict(share.name, finding is None, share.points, finding, share.hint)
    return verdict if finding or content.shows(looked_at) else _unjudged(verdict)


def _unjudged(share: CriterionVerdict) -> CriterionVerdict:
    return replace(share, passed=False, judged=False, finding=Finding(NOT_JUDGED))


def _status(criteria: tuple[CriterionVerdict, ...], actual: dict) -> str:
    if all(p.passed for p in criteria):
        return "right"
    if all("error" in record for record in actual.values()):
        return "error"
    return "partial" if any(p.score for p in criteria) else "wrong"


def _error(record: dict) -> str | None:
    return record["error"]["type"] if "error" in record else None


def _is_unwritten(record: dict) -> bool:
    """A `raise NotImplementedError` of the page or the student; torch has its own, for what a dtype cannot do."""
    if _error(record) != "NotImplementedError":
        return False
    return not record["error"]["message"] or record["error"].get("line", "").startswith("raise NotImplementedError")


def _agree(actual: dict, other: dict, kinds: bool = False) -> bool:
    """Two records say the same: the same error, or the same numbers (and booleans) under the same names."""
    if "error" in actual or "error" in other:
        return _error(actual) == _error(other)
    mine, theirs = actual["tensors"], other["tensors"]
    return mine.keys() == theirs.keys() and all(
        close(mine[name], theirs[name], 1e-4)
        and not (kinds and (mine[name].dtype == bool) != (theirs[name].dtype == bool))
        for name in theirs
    )


def _may_agree(actual: dict, other: dict) -> bool:
    """They agree, or the other one broke off, so that nobody knows."""
    return "error" in other or _agree(actual, other)


def _says_the_same(actual: dict, other: dict, expected: dict) -> bool:
    """Two errors have the same message; if an error is expected, or the words are the student's, the kind is enough.

    Of a `ParameterMismatch`, what the names end in counts, whatever the parts are called; or both have but other names.
    """
    if "error" not in actual or "error" not in other or "error" in expected:
        return True
    mine, theirs = actual["error"], other["error"]
    if mine["type"] == "ParameterMismatch":
        alike = NAMES_OF_PARTS.sub("", mine["message"]) == NAMES_OF_PARTS.sub("", theirs["message"])
        return alike or all(error["message"].startswith(OTHER_NAMES) for error in (mine, theirs))
    return mine["message"] == theirs["message"] or mine.get("line", "").startswith(("raise ", "assert "))


def _shortcut(exercise: Exercise, actual: dict) -> str | None:
    called = {name for record in actual.values() for name in record.get("calls", ())}
    return min(called & ready_made(exercise.forbidden), key=len, default=None)


def _resemblance(status: str, results: Results) -> str:
    return resemblance(results.actual, results.expected) if status in ("partial", "wrong") else ""


def _first_failure(criteria: tuple[CriterionVerdict, ...]) -> str:
    """What the first criterion that was judged and not met says."""
    for share in criteria:
        if share.finding and share.judged:
            return f"{share.name}: {share.finding.text}."
    return ""
