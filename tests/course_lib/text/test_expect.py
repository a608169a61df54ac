import pytest

from course_lib import Vocabulary, apply_bpe, learn_bpe, pad_batch

TOKENS = "a sentence must be a list of tokens, but"


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda: Vocabulary(["the cat", "a dog"]), f"{TOKENS} 'the cat' is of type str"),
        (lambda: Vocabulary("the cat"), f"{TOKENS} 't' is of type str"),
        (lambda: Vocabulary([["a"]]).encode("a dog"), f"{TOKENS} 'a dog' is of type str"),
        (lambda: Vocabulary([["a"]]).encode(None), f"{TOKENS} None is of type NoneType"),
        (
            lambda: learn_bpe(["the", "cat"], 3),
            "word_counts must be a dict, word → how often, but ['the', 'cat'] is of type list",
        ),
        (lambda: apply_bpe(["the"], []), "a word must be a string, but ['the'] is of type list"),
        (lambda: pad_batch([3, 5]), "a sequence must be a list of ids, but 3 is of type int"),
        (lambda: pad_batch(["abc"]), "a sequence must be a list of ids, but 'abc' is of type str"),
    ],
)
def test_what_is_of_the_wrong_type_is_refused_in_one_sentence(ask, said):
    with pytest.raises(TypeError) as refused:
        ask()
    assert str(refused.value) == said


def test_nothing_and_what_nobody_knows_are_no_mistakes():
    vocabulary = Vocabulary([[], ["a"]])
    assert vocabulary.encode([]) == []
    assert vocabulary.encode(["b", "c"]) == [3, 3]
    assert pad_batch([[], []])[0].shape == (2, 0)
    assert learn_bpe({}, 3) == apply_bpe("", []) == []
