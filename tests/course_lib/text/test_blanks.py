import pytest

from course_lib.text.blanks import read_blank, read_words
from course_lib.text.vocabulary import Vocabulary

WORDS = Vocabulary([["she", "is", "cooking", "today"]])


def test_a_blank_is_the_mask_and_its_place_is_known():
    ids, place = read_blank("Today _ is cooking", WORDS, mask_id=1)
    assert (place, ids[place]) == (1, 1)
    assert WORDS.decode(ids) == ["today", "<bos>", "is", "cooking"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("today _ is programming", "“programming” is not in the vocabulary"),
        ("today she is cooking", "one blank, written _; this one has 0"),
        ("_ is _", "this one has 2"),
    ],
)
def test_what_cannot_be_asked_is_one_sentence(text, says):
    with pytest.raises(ValueError, match=says):
        read_blank(text, WORDS, mask_id=1)


def test_no_words_are_no_sentence():
    with pytest.raises(ValueError, match="there are no words"):
        read_words("  ", WORDS)
