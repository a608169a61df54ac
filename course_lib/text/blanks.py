"""Sentences with a blank, as ids."""

from course_lib.text.vocabulary import UNK, Vocabulary

BLANK = "_"


def read_words(text: str, vocabulary: Vocabulary) -> list[int]:
    """The ids of words that are all known.

    Raises:
        ValueError: there is none, or one is not in the vocabulary; the message names it.
    """
    words = text.lower().split()
    ids = vocabulary.encode(words)
    if not words:
        raise ValueError("there are no words: a sentence needs one at least")
    if UNK in ids:
        word = words[ids.index(UNK)]
        raise ValueError(f"“{word}” is not in the vocabulary: the model cannot tell it from any other unknown word")
    return ids


def read_blank(text: str, vocabulary: Vocabulary, mask_id: int) -> tuple[list[int], int]:
    """The ids of a sentence whose blank, “_”, is mask_id, and where it stands.

    Raises:
        ValueError: there is not just one blank, or a word is not in the vocabulary.

    >>> read_blank("the _ is funny", Vocabulary([["funny", "is", "the"]]), mask_id=1)
    ([6, 1, 5, 4], 1)
    """
    words = text.lower().split()
    if words.count(BLANK) != 1:
        raise ValueError(f"a sentence needs one blank, written {BLANK}; this one has {words.count(BLANK)}")
    place = words.index(BLANK)
    before, after = (
        read_words(" ".join(part), vocabulary) if part else [] for part in (words[:place], words[place + 1 :])
    )
    return [*before, mask_id, *after], place
