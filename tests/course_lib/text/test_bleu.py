import random

import pytest
from sacrebleu.metrics import BLEU

from course_lib.text.bleu import bleu


def by_sacrebleu(hypotheses, references, max_n=4):
    metric = BLEU(tokenize="none", smooth_method="none", max_ngram_order=max_n)
    said, expected = ([" ".join(tokens) for tokens in side] for side in (hypotheses, references))
    return metric.corpus_score(said, [expected]).score


def drawn(seed, shortest=0, longest=11, sentences=23, words="abc"):
    draw = random.Random(seed)
    return [[draw.choice(words) for _ in range(draw.randint(shortest, longest))] for _ in range(sentences)]


@pytest.mark.parametrize("max_n", [1, 2, 4, 5])
@pytest.mark.parametrize("seed", range(8))
def test_it_is_sacrebleu(seed, max_n):
    hypotheses, references = drawn(seed), drawn(seed + 100)
    assert bleu(hypotheses, references, max_n) == pytest.approx(by_sacrebleu(hypotheses, references, max_n), abs=1e-6)


@pytest.mark.parametrize(("said", "expected"), [((0, 6), (7, 13)), ((7, 13), (0, 6)), ((5, 5), (5, 5))])
def test_too_short_and_too_long(said, expected):
    hypotheses, references = drawn(1, *said), drawn(2, *expected)
    assert bleu(hypotheses, references) == pytest.approx(by_sacrebleu(hypotheses, references), abs=1e-6)


@pytest.mark.parametrize("sentence", ["a b c", "a b d c", "d e f g", "", "a"])
def test_an_order_without_a_match_gives_0(sentence):
    hypotheses, references = [sentence.split()], [["a", "b", "c", "d"]]
    assert bleu(hypotheses, references) == by_sacrebleu(hypotheses, references) == 0.0


def test_the_same_text_is_100():
    text = drawn(3, shortest=4)
    assert bleu(text, text) == 100.0


def test_lists_that_do_not_pair_up_are_refused():
    with pytest.raises(ValueError, match="shorter|longer"):
        bleu([["a"]], [["a"], ["b"]])
