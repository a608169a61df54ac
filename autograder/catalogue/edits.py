"""Other ways to write an exercise, each as an edit of the reference's own source.

A find must stand exactly `times` in what is edited, so that a row cannot go stale unseen. What is edited is the solved
source of the reference, after those of the exercises of the same file that it inherits from.
"""

import inspect
import math
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from autograder.stripping.strip import solved_source

LIBRARIES = {"torch": torch, "nn": nn, "F": F, "np": np, "math": math}  # what a page imports


class EditError(ValueError):
    """An edit that does not fit the reference: which one, and how often its text occurs there."""


@dataclass(frozen=True, eq=False)
class Rewrite:
    """The reference, written differently.

    Attributes:
        name: unique in its exercise.
        edits: text of the reference → its replacement, applied one after the other.
        times: how often each of these texts occurs there.
        calling: a rewrite of another exercise, which the reference calls here instead of the reference's own.
        body: a function or class of its own, where an edit would be no shorter.
    """

    name: str
    edits: Mapping[str, str] = field(default_factory=dict)
    times: int = 1
    calling: "tuple[Callable, Rewrite] | None" = None
    body: Callable | None = None

    def of(self, reference: Callable) -> Callable:
        """The function or class that results, for an exercise with this reference."""
        if self.body is not None:
            return self.body
        namespace = LIBRARIES | vars(sys.modules[reference.__module__])
        if self.calling:
            other, rewrite = self.calling
            namespace[other.__name__] = rewrite.of(other)
        exec(compile(self.source(reference), f"<{self.name}>", "exec"), namespace)
        return namespace[reference.__name__]

    def source(self, reference: Callable) -> str:
        """The edited source; an `EditError` where an edit does not fit."""
        return self.edited("\n\n\n".join(solved_source(part) for part in _with_parents(reference)))

    def edited(self, source: str) -> str:
        """This source under these edits; an `EditError` where one does not fit."""
        for find, replacement in self.edits.items():
            if source.count(find) != self.times:
                raise EditError(f"“{self.name}”: {find!r} stands {source.count(find)} times, not {self.times}")
            source = source.replace(find, replacement)
        return source


@dataclass(frozen=True, eq=False)
class KnownMistake(Rewrite):
    """A wrong answer, what a teaching assistant would say of it, and the question that leads to it.

    `shown_by` is the text of a finding that gives it away when it loses just this: where answers are drawn freely, no
    two submissions agree in numbers.
    """

    says: str = ""
    asks: str = ""
    shown_by: str | None = None

    def because(self, says: str, asks: str = "") -> "KnownMistake":
        """The same, with what is said of it, and asked."""
        return replace(self, says=says, asks=asks)


def mistake(name: str, edits: Mapping[str, str] | Callable, **more) -> KnownMistake:
    """A row of a table of mistakes: an edit of the reference, or a body of its own; `because` says what is wrong."""
    return KnownMistake(name, **({"body": edits} if callable(edits) else {"edits": edits}), **more)


def with_question(question: str, *rows: KnownMistake) -> tuple[KnownMistake, ...]:
    """Rows that lead to one question."""
    return tuple(replace(row, asks=question) for row in rows)


def inherited(reference: Callable, rewrites: tuple[Rewrite, ...], name: str, **more) -> KnownMistake:
    """A mistake of an exercise that this one calls: this reference, calling the other one's wrong implementation."""
    mistake = next(rewrite for rewrite in rewrites if rewrite.name == name)
    return KnownMistake(more.pop("called", name), calling=(reference, mistake), **more)


def same_as(rows: tuple[KnownMistake, ...], name: str, edits: Mapping[str, str], **more) -> KnownMistake:
    """A mistake that another exercise has as well, in its words, as an edit of this reference."""
    known = next(row for row in rows if row.name == name)
    return mistake(name, edits, **{"shown_by": known.shown_by} | more).because(known.says, known.asks)


def right(name: str, edits: Mapping[str, str], **more) -> Rewrite:
    """A row of right variants."""
    return Rewrite(name, edits, **more)


def _with_parents(reference: Callable) -> list[Callable]:
    """The reference, after the classes of the same file that it inherits from."""
    if not inspect.isclass(reference):
        return [reference]
    return [part for part in reversed(reference.__mro__) if part.__module__ == reference.__module__]
