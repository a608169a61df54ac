"""What was found damaged: equal damages share a sentence, in the order in which they were found."""

from dataclasses import dataclass, field

from autograder.shorten_list import shorten_list

NAMED = 5

SENTENCES = {
    "stripped": "Lost grading metadata was put back: {}.",
    "altered": "Edited grading metadata was put back as released: {}.",
    "renamed": "Lost cell ids were put back: {}.",
    "retyped": "Cells whose type had changed were changed back: {}.",
    "edited": "Locked cells that were edited were restored: {}.",
    "added": "Code added to a locked cell was kept as a separate cell: {}.",
    "deleted": "Missing cells were put back as released: {}.",
    "moved": "Cells out of order were put back in order: {}.",
    "repeated": "Duplicate cells were removed: {}.",
    "second": "Extra cells with the id of a released cell were kept as the student's own: {}.",
    "forged": "Grading metadata on cells that are not graded was removed: {}.",
    "torn": "Answers split across cells were joined: {}.",
    "elsewhere": "Answers were found in another cell: {}.",
    "late": "The student's own cells that an answer needs were moved before its test: {}.",
    "merged": "Merge conflicts in which one side was the released text were resolved to the other side: {}.",
}


@dataclass
class Damage:
    """Collects sentences for `repairs` and `flags`."""

    flags: list[str] = field(default_factory=list)
    found: dict[str, list[str]] = field(default_factory=dict)

    def note(self, kind: str, name: str) -> None:
        """A damage to the cell `name`, of a kind from `SENTENCES`, or a whole sentence with the name `""`."""
        names = self.found.setdefault(kind, [])
        if name not in names:
            names.append(name)

    def flag(self, sentence: str) -> None:
        """Something that an instructor must look at."""
        if sentence not in self.flags:
            self.flags.append(sentence)

    @property
    def repairs(self) -> list[str]:
        """One sentence for each kind of damage."""
        return [SENTENCES.get(kind, kind).format(listed(names)) for kind, names in self.found.items()]


def listed(names: list[str]) -> str:
    """Names as a sentence takes them.

    >>> listed(["softmax", "causal_mask"])
    '`softmax`, `causal_mask`'
    >>> listed(list("abcdefg"))
    '`a`, `b`, `c`, `d`, `e` and 2 more'
    """
    return shorten_list([f"`{name}`" for name in names], NAMED)
