from collections import Counter
from pydoc_data.topics import topics

from sklearn.feature_extraction.text import CountVectorizer

from course_lib.text.vocabulary import Vocabulary

LINES = [line.split() for line in topics["with"].splitlines()]


def test_tokens_of_a_real_text_are_those_that_scikit_learn_counts():
    vocabulary = Vocabulary(LINES)
    counts = Counter(token for line in LINES for token in line)
    vectorizer = CountVectorizer(analyzer=lambda line: line)
    frequency = vectorizer.fit_transform(LINES).sum(axis=0).tolist()[0]
    names = vectorizer.get_feature_names_out()
    assert vocabulary.tokens[4:] == sorted(names, key=lambda token: (-counts[token], token))
    assert [counts[name] for name in names] == frequency


def test_frequent_tokens_come_first_and_equal_ones_in_alphabetical_order():
    assert Vocabulary([["b", "c", "a"], ["c"]]).tokens[4:] == ["c", "a", "b"]


def test_rare_tokens_are_left_out_and_encoded_as_unknown():
    vocabulary = Vocabulary([["b", "c", "a", "b"], ["c", "c"]], min_freq=2)
    assert len(vocabulary) == 6
    assert vocabulary.encode(["a", "b", "c", "never"]) == [3, 5, 4, 3]


def test_a_special_token_in_the_text_gets_no_second_id():
    vocabulary = Vocabulary([["<pad>", "<pad>", "x", "<unk>"]])
    assert vocabulary.tokens == ["<pad>", "<bos>", "<eos>", "<unk>", "x"]
    assert vocabulary.encode(["<pad>", "x"]) == [0, 4]


def test_decoding_gives_back_what_was_encoded():
    vocabulary = Vocabulary(LINES)
    assert all(vocabulary.decode(vocabulary.encode(line)) == line for line in LINES)


def test_a_text_of_nothing_has_the_special_tokens_alone():
    assert len(Vocabulary([])) == len(Vocabulary([[], []])) == 4
    assert Vocabulary([]).encode([]) == Vocabulary([]).decode([]) == []
