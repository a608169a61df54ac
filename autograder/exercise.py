"""What an exercise is made of. Each is declared once, in `autograder.exercises`, one package a stage."""

from collections.abc import Callable
from dataclasses import dataclass, field

from autograder.properties import Check


@dataclass(frozen=True)
class Case:
    """Named inputs, drawn by `draw(generator)` → `{argument: tensor, number, list or dict of tensors}`.

    A case whose numbers were printed elsewhere carries them in `printed`, to the stated tolerance,
    with their `source`: numbers that nobody here computed. A case that is `like` another draws from
    the same generator, so that the two differ only where their `draw` differs.
    """

    name: str
    draw: Callable[..., dict]
    printed: dict | None = None
    source: str | None = None
    tolerance: float | None = None
    like: str | None = None


@dataclass(frozen=True)
class Property:
    """One thing that the judge looks for, and its share of the points. It holds when every check holds."""

    name: str
    points: float
    checks: tuple[Check, ...]
    hint: str = ""

    def __init__(self, name: str, points: float, *checks: Check, hint: str = ""):
        for attribute, value in (("name", name), ("points", points), ("checks", checks), ("hint", hint)):
            object.__setattr__(self, attribute, value)


@dataclass(frozen=True)
class Misconception:
    """A known wrong implementation, what a teaching assistant would say of it, and what it loses.

    `says` names the mistake; `asks` is the question that leads to it; `loses` are the properties that
    the implementation breaks (all others it keeps: a test holds every declaration to that). `shown_by` is
    the text of a finding that gives it away when it loses just these: where answers are drawn freely, no two
    submissions agree in numbers.
    """

    name: str
    implementation: Callable
    says: str
    asks: str
    loses: tuple[str, ...]
    shown_by: str | None = None


@dataclass(frozen=True)
class Exercise:
    """An exercise: its `id` is the name of the function or class that the student writes.

    `forbidden` are the names that would make the exercise empty: attributes or imports such as
    `scaled_dot_product_attention`, found in the syntax tree and among the torch functions that ran.
    """

    id: str
    title: str
    reference: Callable
    cases: tuple[Case, ...]
    properties: tuple[Property, ...]
    misconceptions: tuple[Misconception, ...] = ()
    forbidden: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    right_variants: tuple[Callable, ...] = field(default=())

    @property
    def points(self) -> float:
        return sum(share.points for share in self.properties)
