"""Variants of a page: passages that a stage's source has several times, of which a student gets one.

In Markdown the alternatives start with `<!-- variant: NAME -->` and end with `<!-- end of variants -->`, in code with
`# variant: NAME` and `# end of variants`, each on its own line. Every passage of a stage names the same variants in the
same order, so that a question and its rubric belong together. The first one is what everybody gets where a course
asks for no variants.
"""

import re
from functools import cache

MARK = re.compile(r"^\s*(?:# variant: (\S+)|<!-- variant: (\S+) -->)\s*$")
END = re.compile(r"^\s*(?:# end of variants|<!-- end of variants -->)\s*$")


class VariantError(ValueError):
    """A marker where it cannot be; `line` counts from 1."""

    def __init__(self, message: str, line: int):
        super().__init__(message)
        self.line = line


@cache
def variants_of(source: str) -> tuple[str, ...]:
    """The names of the variants of a text; none where it has no marker.

    Raises:
        VariantError: a name twice, another list of names in a second passage, or no end.
    """
    passages: list[list[str]] = []
    inside = False
    for number, line in enumerate(source.split("\n"), start=1):
        if mark := MARK.match(line):
            name = mark[1] or mark[2]
            passages += [] if inside else [[]]
            if name in passages[-1]:
                raise VariantError(f"variant “{name}” twice in one passage", number)
            passages[-1].append(name)
            inside = True
        elif END.match(line):
            if not inside:
                raise VariantError("the end of variants without a `variant:` before it", number)
            inside = False
            if passages[-1] != passages[0]:
                raise VariantError(f"variants {passages[-1]}, but {passages[0]} above; name the same ones", number)
    if inside:
        raise VariantError("`variant:` without `end of variants` after it", number)
    return tuple(passages[0]) if passages else ()


def chosen(source: str, number: int = 0) -> str:
    """The text with one variant, by number, counted round; without any marker.

    >>> chosen("How long is\\n# variant: a\\na day?\\n# variant: b\\na week?\\n# end of variants", 1)
    'How long is\\na week?'
    """
    names = variants_of(source)
    if not names:
        return source
    wanted, kept, now = names[number % len(names)], [], None
    for line in source.split("\n"):
        if mark := MARK.match(line):
            now = mark[1] or mark[2]
        elif END.match(line):
            now = None
        elif now in (None, wanted):
            kept.append(line)
    return "\n".join(kept)
