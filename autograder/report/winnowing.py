"""Answers that share passages, by winnowing: linear in the number of submissions, and renaming hides nothing.

Schleimer, Wilkerson and Aiken, “Winnowing: local algorithms for document fingerprinting”, SIGMOD 2003. The hashes of
all runs of GRAM tokens are made, and of every WINDOW of them in a row the smallest is kept: GRAM + WINDOW - 1
tokens that two answers share are always found, fewer than GRAM never. As in MOSS, what is in the release, and
what more than COMMON students wrote, does not count.
"""

import io
import keyword
import tokenize
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

from autograder.repair.sources import parse
from autograder.report.similar import own_names

GRAM, WINDOW = 11, 5  # tokens of code; a line has about ten
GRAM_OF_PROSE = 5  # words
COMMON = 10  # students; what more of them wrote is how one writes it
LEAST, SHARE = 3, 0.3  # fingerprints, and of the shorter answer's: below either nothing is said
LEFT_OUT = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)

Marked = tuple[str, dict[int, set[int]]]  # a source; fingerprint → the lines that it covers


@dataclass(frozen=True)
class Passages:
    """What two students' answers to one exercise share: the sources, and the lines of each (from 1) that are shared."""

    exercise: str
    sources: tuple[str, str]
    lines: tuple[frozenset[int], frozenset[int]]
    shared: int  # fingerprints
    share: float  # of those of the shorter answer


@dataclass(frozen=True)
class Pair:
    """Two students and all that they share, the longest first."""

    students: tuple[str, str]
    passages: tuple[Passages, ...]

    @property
    def shared(self) -> int:
        return sum(found.shared for found in self.passages)


def sharing(
    answers: Iterable[tuple[str, str, str, str]], known: Iterable[str], released: Iterable[str] = ()
) -> list[Pair]:
    """Pairs of students whose answers share passages, those that share most first.

    Args:
        answers: (student, exercise, kind of cell, source).
        known: sources that mean nothing when met again: the release, the reference.
        released: of them the release's, whose lines are in no passage: docstrings and comments, too.
    """
    given = {line.strip() for source in released for line in source.splitlines()}
    ours = {mark for source in known for kind in ("code", "markdown") for mark in fingerprints(source, kind)}
    found: dict[tuple[str, str], Marked] = {}
    wrote = defaultdict(list)
    for student, exercise, kind, source in answers:
        marks = {mark: lines for mark, lines in fingerprints(source, kind).items() if mark not in ours}
        found[student, exercise] = (source, marks)
        for mark in marks:
            wrote[exercise, mark].append(student)
    together: dict[tuple[str, str], dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for (exercise, mark), students in wrote.items():
        if len(students) <= COMMON:
            for one, other in combinations(sorted(students), 2):
                together[one, other][exercise].append(mark)
    pairs = []
    for pair, exercises in together.items():
        parts = [
            _passages(name, found[pair[0], name], found[pair[1], name], marks, given)
            for name, marks in exercises.items()
        ]
        if telling := [part for part in parts if part.shared >= LEAST and part.share >= SHARE]:
            pairs.append(Pair(pair, tuple(sorted(telling, key=lambda part: -part.shared))))
    return sorted(pairs, key=lambda pair: (-pair.shared, pair.students))


def _passages(exercise: str, one: Marked, other: Marked, marks: list[int], given: set[str]) -> Passages:
    share = len(marks) / min(len(one[1]), len(other[1]))
    lines = _lines(one, marks, given), _lines(other, marks, given)
    return Passages(exercise, (one[0], other[0]), lines, len(marks), share)


def _lines(answer: Marked, marks: list[int], given: set[str]) -> frozenset[int]:
    """The lines that the fingerprints cover, except those of the release."""
    source, covered = answer
    own = {number for number, line in enumerate(source.splitlines(), start=1) if line.strip() not in given}
    return frozenset(own & set().union(*(covered[mark] for mark in marks)))


def fingerprints(source: str, kind: str = "code") -> dict[int, set[int]]:
    """Fingerprint → the lines that it covers, from 1.

    >>> mine = "def f(x, y):\\n    total = x @ y  # times\\n    return total / y.sum() * 2"
    >>> theirs = "def f(a, b):\\n\\n    c = a @ b\\n    return c / b.sum() * 2"
    >>> fingerprints(mine).keys() == fingerprints(theirs).keys()
    True
    """
    words = [*(_tokens(source) if kind == "code" else _words(source))]
    gram = GRAM if kind == "code" else GRAM_OF_PROSE
    hashes = [
        zlib.crc32("\0".join(word for word, _ in words[at : at + gram]).encode("utf-8", "replace"))
        for at in range(len(words) - gram + 1)
    ]
    kept: dict[int, set[int]] = defaultdict(set)
    for start in range(max(1, len(hashes) - WINDOW + 1) if hashes else 0):
        window = range(start, min(start + WINDOW, len(hashes)))
        at = min(window, key=lambda place: (hashes[place], -place))  # of equals the last, as in the paper
        kept[hashes[at]].update(range(words[at][1], words[at + gram - 1][1] + 1))
    return dict(kept)


def _tokens(source: str) -> Iterator[tuple[str, int]]:
    """(token, line): names that the student chose, and texts, are all alike; what cannot be read ends it."""
    tree = parse(source)
    own = own_names(tree) if tree else frozenset()
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.NAME and token.string in own and not keyword.iskeyword(token.string):
                yield "a name", token.start[0]
            elif token.type == tokenize.STRING:
                yield "a text", token.start[0]
            elif token.type not in LEFT_OUT:
                yield token.string, token.start[0]
    except (tokenize.TokenError, SyntaxError):
        return


def _words(source: str) -> Iterator[tuple[str, int]]:
    for number, line in enumerate(source.splitlines(), start=1):
        for word in line.casefold().split():
            yield word, number
