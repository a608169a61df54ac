"""What an exercise is made of. Each is declared once, in `autograder.catalogue`, one package a stage."""

from collections.abc import Callable
from dataclasses import dataclass

from autograder.catalogue.checks import COMMON, Check, dtypes_kept, nothing_else_changes
from autograder.catalogue.edits import KnownMistake, Rewrite


@dataclass(frozen=True)
class Case:
    """Named inputs, drawn by `draw(generator)` → `{argument: tensor, number, list or dict of tensors}`.

    A case whose numbers were printed elsewhere carries them in `printed`, to the stated tolerance,
    with their `source`: numbers that nobody here computed. A case that is the `same_as` another draws from
    the same generator, so that the two differ only where their `draw` differs.
    """

    name: str
    draw: Callable[..., dict]
    printed: dict | None = None
    source: str | None = None
    tolerance: float | None = None
    same_as: str | None = None


def asked_again(name: str, draw: Callable[..., dict], **more) -> tuple[Case, Case]:
    """A case, and the same one again: what follows from its inputs is the same then (see `checks.same_again`)."""
    return Case(name, draw, **more), Case(f"{name} again", draw, **more | {"same_as": more.get("same_as", name)})


@dataclass(frozen=True)
class Criterion:
    """One thing that the judge looks for, and its share of the points. It holds when every check holds."""

    name: str
    points: float
    checks: tuple[Check, ...]

    def __init__(self, name: str, points: float, *checks: Check):
        for attribute, value in (("name", name), ("points", points), ("checks", checks)):
            object.__setattr__(self, attribute, value)


def common_criterion(points: float, *more: Check, but: tuple[str, ...] = ()) -> Criterion:
    """What every exercise promises: nothing else changes, and every output but these has its dtype."""
    return Criterion(COMMON, points, *more, nothing_else_changes(), dtypes_kept(*but))


@dataclass(frozen=True)
class Exercise:
    """An exercise: its `id` is the name of the function or class that the student writes, after its track's prefix.

    `forbidden` are families of names that would make the exercise empty: `softmax` stands for all of torch's names
    that contain it, in whatever case. They are found in the syntax tree and among the torch functions that ran.
    `right_variants` are other right ways, which get full marks: functions, classes, or edits of the reference.
    `answer_key_of` is the exercise of another track whose expected numbers hold for the cases of the same name.
    """

    id: str
    title: str
    reference: Callable
    cases: tuple[Case, ...]
    criteria: tuple[Criterion, ...]
    mistakes: tuple[KnownMistake, ...] = ()
    forbidden: tuple[str, ...] = ()
    right_variants: tuple[Callable | Rewrite, ...] = ()
    answer_key_of: "Exercise | None" = None

    @property
    def name(self) -> str:
        """The name of the function or class that the student writes."""
        return self.reference.__name__

    @property
    def points(self) -> float:
        return sum(share.points for share in self.criteria)

    def answered_by(self, case: Case) -> "Exercise":
        """The exercise whose reference gives the answers to a case: this one, or that of another track."""
        other = self.answer_key_of
        return other if other and case.name in {shared.name for shared in other.cases} else self

    @property
    def variants(self) -> dict[str, Callable]:
        """The right variants by name, ready to be run."""
        ways = (way if isinstance(way, Rewrite) else Rewrite(way.__name__, body=way) for way in self.right_variants)
        return {way.name: way.of(self.reference) for way in ways}
