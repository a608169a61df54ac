"""Stage 10: captions with compound nouns, so that a test can ask for one that no training sentence has.

German and English both build nouns from nouns: *snow* and *ball* make *snowball*, *Schnee* and *Ball* *Schneeball*. The
last part decides gender, case and plural, so a caption stays right when its noun is made longer.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from course_lib.tasks.translation import CAPTIONS, TextPair, TranslationTask, join_words, split_words, translation_task
from course_lib.text.byte_pairs import apply_bpe, learn_bpe
from course_lib.text.pieces import Pieces

HEADS = {  # English → its forms, and those of the German noun
    "bag": (r"bags?", r"Taschen?"),
    "ball": (r"balls?", r"B[aä]ll\w*"),
    "book": (r"books?", r"B[uü]ch\w*"),
    "cup": (r"cups?", r"Tassen?"),
    "house": (r"houses?", r"H[aä]us\w*"),
    "room": (r"rooms?", r"Zimmer\w*"),
}
FIRST_PARTS = {  # English → German, and the heads that it is put before
    "bath": ("Bade", "house room"),
    "foot": ("Fuß", "ball"),
    "guest": ("Gäste", "book house room"),
    "hand": ("Hand", "bag ball book"),
    "play": ("Spiel", "house room"),
    "school": ("Schul", "bag book house room"),
    "snow": ("Schnee", "ball house"),
    "tea": ("Tee", "cup house"),
    "work": ("Arbeits", "book room"),
}
HELD_OUT = ("schoolroom", "guesthouse")


class CaptionPieces:
    """The pieces of captions, as a translation task asks for them: text to ids, and back."""

    def __init__(self, texts: Sequence[str], num_merges: int, learn: Callable, apply: Callable):
        self.pieces = Pieces([split_words(text) for text in texts], num_merges, learn, apply)

    def __len__(self) -> int:
        return len(self.pieces)

    def encode(self, text: str) -> list[int]:
        return self.pieces.encode(split_words(text))

    def decode(self, ids: Sequence[int]) -> str:
        return join_words(self.pieces.words(ids))


def compound_task(
    texts: Sequence[Sequence[TextPair]],
    num_merges: int = 300,
    learn: Callable = learn_bpe,
    apply: Callable = apply_bpe,
) -> tuple[TranslationTask, list[TextPair]]:
    """A task whose tokens are pieces of words, and the captions with a noun that it has never seen.

    Args:
        texts: of train, validation and test the captions; those of `caption_task`.
        num_merges: for each of the two languages.
        learn, apply: `learn_bpe` and `apply_bpe` of stage 9; your own, for instance.

    Returns:
        (task, captions with one of `HELD_OUT`).
    """
    (train, unseen), *others = (with_compounds(part) for part in texts)
    tokens = tuple(CaptionPieces(side, num_merges, learn, apply) for side in zip(*train, strict=True))
    sizes = dict(model_dim=96, num_heads=4, num_layers=2, dim_feedforward=160, max_len=48)
    parts = [train, *(captions for captions, _ in others)]
    return translation_task("compounds", parts, tokens, sizes, CAPTIONS), unseen


def with_compounds(pairs: Sequence[TextPair], longest: int = 9) -> tuple[list[TextPair], list[TextPair]]:
    """Captions of at most `longest` English words; one with a noun that ends compounds comes with each of these too.

    Args:
        pairs: (English, German), as `caption_task().texts` has them.
        longest: captions with more words are left out.

    Returns:
        (captions to train on, captions with one of `HELD_OUT`); no training caption has such a word.

    >>> with_compounds([("the cup is red", "die Tasse ist rot")])
    ([('the cup is red', 'die Tasse ist rot'), ('the teacup is red', 'die Teetasse ist rot')], [])
    """
    train, held_out = [], []
    for number, (english, german) in enumerate(pairs):
        if len(english.split()) > longest:
            continue
        found = next(_heads(english, german), None)
        if found or number % 3 == 0:
            train.append((english, german))
        for first, (german_first, heads) in FIRST_PARTS.items() if found else ():
            head, places = found
            if head in heads.split():
                longer = tuple(
                    text[: place.start()] + part + place[0].lower() + text[place.end() :]
                    for text, place, part in zip((english, german), places, (first, german_first), strict=True)
                )
                (held_out if first + head in HELD_OUT else train).append(longer)
    return train, held_out


def _heads(english: str, german: str) -> Iterator[tuple[str, tuple[re.Match, re.Match]]]:
    """The nouns that occur once on both sides, and where."""
    for head, forms in HEADS.items():
        if head in english:  # seldom: no need to look for its forms elsewhere
            both = zip(forms, (english, german), strict=True)
            found = [list(re.finditer(rf"\b{form}\b", text)) for form, text in both]
            if list(map(len, found)) == [1, 1]:
                yield head, (found[0][0], found[1][0])
