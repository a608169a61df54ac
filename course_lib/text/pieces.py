"""Text as learned pieces of words, numbered, for a translator."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain

from course_lib.text.byte_pairs import apply_bpe, learn_bpe
from course_lib.text.vocabulary import Vocabulary

END = "</w>"  # what `apply_bpe` writes at the end of a word


class Pieces:
    """Words cut into pieces by merges that were learned from a text; the pieces that occur in it get an id.

    Args:
        sentences: the text, as lists of words.
        num_merges: how many merges to learn.
        learn, apply: `learn_bpe` and `apply_bpe` of stage 9; your own, for instance.

    Attributes:
        merges: what was learned.
        vocabulary: the pieces, and the special tokens.

    >>> pieces = Pieces([["low", "lowest"], ["low", "newest"]], num_merges=4)
    >>> pieces.cut(["newest", "low"])
    ['n', 'e', 'w', 'est</w>', 'low</w>']
    >>> pieces.words(pieces.encode(["newest", "low"]))
    ['newest', 'low']
    """

    def __init__(
        self,
        sentences: Sequence[Sequence[str]],
        num_merges: int,
        learn: Callable = learn_bpe,
        apply: Callable = apply_bpe,
    ):
        self.merges, self.apply = learn(dict(Counter(chain.from_iterable(sentences))), num_merges), apply
        self._known: dict[str, list[str]] = {}
        self.vocabulary = Vocabulary([self.cut(words) for words in sentences])

    def __len__(self) -> int:
        return len(self.vocabulary)

    def cut(self, words: Sequence[str]) -> list[str]:
        """The pieces of these words, in order, including words that were not in the text."""
        for word in words:
            if word not in self._known:
                self._known[word] = list(self.apply(word, self.merges))
        return [piece for word in words for piece in self._known[word]]

    def encode(self, words: Sequence[str]) -> list[int]:
        """The ids of the pieces; a piece that did not occur in the text is `<unk>`."""
        return self.vocabulary.encode(self.cut(words))

    def words(self, ids: Sequence[int]) -> list[str]:
        """The words that these pieces spell."""
        return "".join(self.vocabulary.decode(ids)).replace(END, " ").split()
