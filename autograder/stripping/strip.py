"""Take the solutions out of a source text, and leave the guidance.

A solution stands between `# BEGIN SOLUTION` and `# END SOLUTION`. Of that region the comments that
start with `#:` survive; the rest becomes `raise NotImplementedError`.

A solution belongs to the function or class that it stands in. A helper that would give an answer away says whose:
`# BEGIN SOLUTION of train_step`.
"""

import ast
import inspect
import re
from collections.abc import Callable
from functools import cache

BEGIN, END = "# BEGIN SOLUTION", "# END SOLUTION"
NAMED = re.compile(rf"\s*{BEGIN}(?: of (\w+))?\s*$")
STUB = "raise NotImplementedError"


class MarkerError(ValueError):
    """A solution marker without its partner; `line` counts from 1."""

    def __init__(self, message: str, line: int):
        super().__init__(message)
        self.line = line


def regions(source: str) -> list[tuple[int, int]]:
    """Where the solutions stand: pairs of line indices (from 0) of the two markers.

    >>> regions("a\\n# BEGIN SOLUTION\\nb\\n# END SOLUTION")
    [(1, 3)]
    """
    found, begun = [], None
    for index, line in enumerate(source.split("\n")):
        if NAMED.match(line):
            if begun is not None:
                raise MarkerError(f"`{BEGIN}` inside a solution that began on line {begun + 1}", index + 1)
            begun = index
        elif line.strip() == END:
            if begun is None:
                raise MarkerError(f"`{END}` without a `{BEGIN}` before it", index + 1)
            found.append((begun, index))
            begun = None
    if begun is not None:
        raise MarkerError(f"`{BEGIN}` without an `{END}` after it", begun + 1)
    return found


def strip(source: str, wanted: Callable[[str | None], bool] = lambda owner: True) -> str:
    """The source without the solutions of the objects that are `wanted`; markers go in any case.

    `wanted` is asked with the name that the marker gives, or else with that of the top-level function or class that
    the solution stands in.

    >>> print(strip("def double(x):\\n    # BEGIN SOLUTION\\n    #: Twice.\\n    return 2 * x\\n    # END SOLUTION"))
    def double(x):
        #: Twice.
        raise NotImplementedError
    """
    lines = source.split("\n")
    owners = _owners(source)
    result, at = [], 0
    for begin, end in regions(source):
        result += lines[at:begin]
        body = lines[begin + 1 : end]
        named = NAMED.match(lines[begin])
        if wanted((named and named[1]) or owners(begin)):
            indent = lines[begin][: len(lines[begin]) - len(lines[begin].lstrip())]
            result += [line for line in body if line.strip().startswith("#:")] + [indent + STUB]
        else:
            result += [line for line in body if not line.strip().startswith("#:")]
        at = end + 1
    return "\n".join(result + lines[at:])


def without_markers(source: str) -> str:
    """The solved source, as a reader likes it: no markers, no guidance."""
    return strip(source, wanted=lambda owner: False)


@cache
def solved_source(reference: Callable) -> str:
    """The source of a function or class of `course_lib`, solved and without markers."""
    return without_markers(inspect.getsource(reference).rstrip("\n"))


def _owners(source: str) -> Callable[[int], str | None]:
    """Which top-level definition a line (from 0) belongs to."""
    try:
        tree = ast.parse(source)
    except SyntaxError:  # a cell with magics, or prose
        return lambda line: None
    spans = [
        (node.lineno - 1, (node.end_lineno or node.lineno) - 1, node.name)
        for node in tree.body
        if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef))
    ]
    return lambda line: next((name for first, last, name in spans if first <= line <= last), None)
