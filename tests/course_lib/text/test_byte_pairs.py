import random
from collections import Counter
from itertools import pairwise

import pytest

from course_lib.text.byte_pairs import apply_bpe, learn_bpe
from course_lib.text.library import library_bpe


def counted_anew(word_counts, num_merges):
    """The paper's listing: everything counted in every round."""
    words = {word: [*word[:-1], word[-1] + "</w>"] for word in word_counts}
    merges = []
    for _ in range(num_merges):
        pairs = Counter()
        for word, symbols in words.items():
            for pair in pairwise(symbols):
                pairs[pair] += word_counts[word]
        if not pairs:
            break
        merges.append(min(pairs, key=lambda pair: (-pairs[pair], pair)))
        words = {word: apply_bpe(word, merges) for word in words}
    return merges


def random_words(seed, letters, size=40):
    rng = random.Random(seed)
    words = ("".join(rng.choices(letters, k=rng.randint(1, 9))) for _ in range(size))
    return {word: rng.randint(1, 20) for word in words}


@pytest.mark.parametrize("letters", ["ab", "abcd", "aäßé日"])
@pytest.mark.parametrize("seed", range(5))
def test_merges_are_those_of_counting_everything_anew_in_every_round(seed, letters):
    words = random_words(seed, letters)
    assert learn_bpe(words, 60) == counted_anew(words, 60)


@pytest.mark.parametrize("seed", range(3))
def test_merges_are_those_of_tokenizers_up_to_ties(seed):
    words = random_words(seed, "abcdefgh", size=150)
    theirs = library_bpe(words, 12)
    ours = learn_bpe(words, 12)
    assert len(theirs) == len(ours) == 12
    assert how_often(words, ours) == how_often(words, theirs)


def how_often(words, merges):
    """The count of each merge when its turn comes."""
    found = []
    for place, pair in enumerate(merges):
        cut = {word: apply_bpe(word, merges[:place]) for word in words}
        found.append(sum(n * sum(two == pair for two in pairwise(cut[w])) for w, n in words.items()))
    return found


def test_three_equal_letters_are_two_pairs():
    assert learn_bpe({"aaab": 1, "bc": 1, "xbc": 1, "b": 9}, 1) == [("a", "a")]


def test_of_equally_frequent_pairs_the_alphabetically_first_is_merged():
    assert learn_bpe({"zx": 3, "yx": 3, "yw": 3}, 3) == [("y", "w</w>"), ("y", "x</w>"), ("z", "x</w>")]


def test_merging_ends_when_every_word_is_one_symbol():
    assert learn_bpe({"abc": 1, "": 4, "d": 2}, 100) == [("a", "b"), ("ab", "c</w>")]


def test_applying_what_was_learned_makes_frequent_words_whole_and_rare_ones_pieces():
    merges = learn_bpe({"lower": 9, "newest": 7, "low": 5}, 12)
    assert apply_bpe("lower", merges) == ["lower</w>"]
    assert "".join(apply_bpe("löwest", merges)) == "löwest</w>"
    assert "ö" in apply_bpe("löwest", merges)


@pytest.mark.parametrize(
    ("word", "merges", "symbols"),
    [
        ("aaaa", [("a", "a")], ["aa", "a", "a</w>"]),
        ("aaaaa", [("a", "a"), ("aa", "aa")], ["aaaa", "a</w>"]),
        ("abc", [("ab", "c</w>"), ("a", "b")], ["ab", "c</w>"]),  # one pass, in the order in which they were learned
        ("ab", [("a", "b")], ["a", "b</w>"]),  # the end of a word is another symbol
        ("", [("a", "b")], []),
        ("a", [], ["a</w>"]),
    ],
)
def test_merges_are_applied_once_each_from_left_to_right(word, merges, symbols):
    assert apply_bpe(word, merges) == symbols
