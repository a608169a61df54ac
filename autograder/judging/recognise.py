"""Which known mistake a submission makes."""

from autograder.catalogue.edits import KnownMistake
from autograder.catalogue.exercise import Exercise
from autograder.judging.agreement import agree, differs, dtypes, may_agree, says_the_same
from autograder.judging.once import once_for_each
from autograder.judging.verdict import CriterionVerdict


def known_mistake_of(exercise: Exercise, answer_key: dict, actual: dict) -> KnownMistake | None:
    """The known mistake with the same results as this submission in every case that went wrong; or None.

    A mistake that gives different numbers where the submission is right is ruled out. If several remain, those that
    agree in the other cases and in what is boolean come first, then those whose errors have the same message, then
    those with the same dtypes. If only errors went wrong, a mistake is named only if its errors have the same messages,
    and it has no others. If no mistake explains everything, the one that explains most is taken: the submission makes
    several.
    """
    expected = {case: record for case, record in answer_key["expected"].items() if case in actual}
    slack = {case.name: case.tolerance for case in exercise.cases}
    wrong = [case for case in expected if not agree(actual[case], expected[case], True, slack.get(case))]
    if not wrong:
        return None
    shows = any(differs(actual[case], expected[case]) for case in wrong)
    changed = cases_changed(answer_key["mistakes"], answer_key["expected"])
    candidates, no_numbers = [], all("error" in actual[case] for case in wrong)
    for mistake in exercise.mistakes:
        theirs = answer_key["mistakes"][mistake.name]
        if shows and changed[mistake.name].isdisjoint(wrong):
            continue  # it changes none of these numbers: what it does is seen elsewhere
        apart = (
            case
            for case in expected
            if case not in wrong and not may_agree(actual[case], theirs[case], slack.get(case))
        )
        alike_there = (agree(actual[case], theirs[case], tolerance=slack.get(case)) for case in wrong)
        if all(alike_there) and next(apart, None) is None:
            likeness = sum(agree(actual[case], theirs[case], kinds=True) for case in expected)
            said = sum(says_the_same(actual[case], theirs[case], expected[case]) for case in wrong)
            alike = said == len(wrong) and all(agree(actual[case], theirs[case]) for case in expected)
            if alike or not no_numbers:
                same_dtypes = sum(dtypes(actual[case]) == dtypes(theirs[case]) for case in expected)
                candidates.append(((likeness, said, same_dtypes), mistake))
    if candidates and (shows or len(candidates) == 1):
        return max(candidates, key=lambda pair: pair[0])[1]
    return _one_of_several(exercise, answer_key["mistakes"], changed, expected, actual) or _not_refused(
        exercise, answer_key["mistakes"], changed, expected, actual
    )


@once_for_each
def cases_changed(mistakes: dict[str, dict], expected: dict) -> dict[str, set[str]]:
    """Mistake → the cases in which it doesn't give the expected answer."""
    return {
        name: {case for case, answer in expected.items() if differs(theirs[case], answer)}
        for name, theirs in mistakes.items()
    }


def _one_of_several(
    exercise: Exercise, known: dict, changed: dict[str, set[str]], expected: dict, actual: dict
) -> KnownMistake | None:
    """The mistake that explains most, if all its effects are there, some of them in numbers.

    It must explain at least half of what is wrong: less than that may follow from another mistake, as no gradient
    reaches what is never used.
    """
    wrong = sum(differs(actual[case], expected[case]) for case in expected)
    explained: dict[KnownMistake, int] = {}
    for mistake in exercise.mistakes:
        theirs = known[mistake.name]
        effects = changed[mistake.name] & expected.keys()
        there = all(
            agree(actual[case], theirs[case], kinds=True)
            or ("error" in expected[case] and "error" in actual[case] and "error" in theirs[case])
            for case in effects
        )
        if there and 0 < wrong <= 2 * len(effects) and any("tensors" in actual[case] for case in effects):
            explained[mistake] = len(effects)
    return max(explained, key=explained.__getitem__, default=None)


def _not_refused(
    exercise: Exercise, known: dict, changed: dict[str, set[str]], expected: dict, actual: dict
) -> KnownMistake | None:
    """The only mistake that accepts what this submission accepts, whatever is returned instead of the error."""
    accepted = {case for case in expected if differs(actual[case], expected[case])}
    if not accepted or any("error" not in expected[case] or "error" in actual[case] for case in accepted):
        return None
    as_well = [
        mistake
        for mistake in exercise.mistakes
        if accepted == changed[mistake.name] & expected.keys()
        and not any("error" in known[mistake.name][case] for case in accepted)
    ]
    return as_well[0] if len(as_well) == 1 else None


def given_away(exercise: Exercise, criteria: tuple[CriterionVerdict, ...], loses: dict) -> KnownMistake | None:
    """The mistake that a finding shows, for answers whose numbers may be drawn freely.

    It loses exactly what was lost; or its finding is the first one, and more followed from it. If a finding shows
    several mistakes of which different things are said, none is named: a wrong name is worse than none.
    """
    findings = [p.finding.text for p in criteria if p.finding]
    gone = {p.name for p in criteria if not p.passed}
    shown = [wrong for wrong in exercise.mistakes if wrong.shown_by in findings]
    exactly = [wrong for wrong in shown if gone == set(loses[wrong.name])]
    at_first = [wrong for wrong in shown if wrong.shown_by == findings[0] and gone > set(loses[wrong.name])]
    named = exactly or at_first
    return named[0] if len({wrong.says for wrong in named}) == 1 else None
