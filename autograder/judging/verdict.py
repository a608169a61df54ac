"""What the judge says of one exercise."""

from dataclasses import dataclass

from autograder.catalogue.results import Finding

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


@dataclass(frozen=True)
class CriterionVerdict:
    """One criterion: was it met, and what it was worth. One that is not `judged` earns nothing yet."""

    name: str
    passed: bool
    max_score: float
    finding: Finding | None = None
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

    @property
    def score(self) -> float:
        return 0.0 if self.status in ("forbidden", "not_attempted") else sum(p.score for p in self.criteria)

    @property
    def max_score(self) -> float:
        return sum(share.max_score for share in self.criteria)

    @property
    def repeats_a_finding(self) -> bool:
        """The message says no more than the first criterion that was lost."""
        return self.message == first_failure(self.criteria) != ""

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


def first_failure(criteria: tuple[CriterionVerdict, ...]) -> str:
    """What the first criterion that was judged and not met says."""
    for share in criteria:
        if share.finding and share.judged:
            return f"{share.name}: {share.finding.text}."
    return ""
