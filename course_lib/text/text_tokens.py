"""A text as token numbers, by characters or by learned byte pairs, and back without loss."""

import re
from collections import Counter
from collections.abc import Callable, Sequence

from course_lib.text.byte_pairs import apply_bpe, learn_bpe

END = "</w>"  # what learn_bpe writes at the end of a word


class Characters:
    """Every character of a text is a token; their ids are in alphabetical order.

    >>> characters = Characters("abba")
    >>> characters.encode("bab"), characters.decode([0, 0, 1])
    ([1, 0, 1], 'aab')
    """

    def __init__(self, text: str):
        self.tokens = sorted(set(text))
        self.ids = {character: i for i, character in enumerate(self.tokens)}

    def __len__(self) -> int:
        return len(self.tokens)

    def encode(self, text: str) -> list[int]:
        """Raises a ValueError that names the characters that the vocabulary lacks."""
        _refuse_unknown(text, self.ids)
        return [self.ids[character] for character in text]

    def decode(self, ids: Sequence[int]) -> str:
        return "".join(self.tokens[i] for i in ids)


class BytePairs:
    """Words, each with the space before it, cut into learned symbols; spaces and line ends of their own are words too.

    Args:
        text: what the merges are learned from.
        num_merges: how many.
        learn, apply: `learn_bpe` and `apply_bpe`; your own, for instance.

    >>> pairs = BytePairs("low low lower lowest", num_merges=3)
    >>> [pairs.tokens[i] for i in pairs.encode("lower low")], pairs.decode(pairs.encode("lower low"))
    (['lo', 'w', 'e', 'r</w>', ' lo', 'w</w>'], 'lower low')
    """

    def __init__(self, text: str, num_merges: int, learn: Callable = learn_bpe, apply: Callable = apply_bpe):
        counts = Counter(_words(text))
        self.merges, self.apply, self.known = learn(dict(counts), num_merges), apply, {}
        letters = {letter + end for letter in set(text) for end in ("", END)}
        self.tokens = [*sorted(letters), *("".join(pair) for pair in self.merges)]
        self.ids = {token: i for i, token in enumerate(self.tokens)}

    def __len__(self) -> int:
        return len(self.tokens)

    def encode(self, text: str) -> list[int]:
        """Raises a ValueError that names the characters that the vocabulary lacks."""
        _refuse_unknown(text, self.ids)
        for word in set(_words(text)) - self.known.keys():
            self.known[word] = [self.ids[symbol] for symbol in self.apply(word, self.merges)]
        return [i for word in _words(text) for i in self.known[word]]

    def decode(self, ids: Sequence[int]) -> str:
        return "".join(self.tokens[i] for i in ids).replace(END, "")


def _words(text: str) -> list[str]:
    return re.findall(r" ?[^\s]+|\s", text)


def _refuse_unknown(text: str, ids: dict[str, int]) -> None:
    unknown = sorted(set(text) - ids.keys())
    if unknown:
        named = ", ".join(map(repr, unknown[:5])) + (f" and {len(unknown) - 5} more" if len(unknown) > 5 else "")
        raise ValueError(f"the text has characters that are not in the vocabulary: {named}")
