from course_lib.text.documentation import documentation


def test_every_sentence_has_tokens_and_comes_once():
    sentences = documentation()
    assert all(sentences)
    assert len({*sentences}) == len(sentences) > 2000


def test_tokens_are_words_or_single_marks():
    tokens = {token for sentence in documentation() for token in sentence}
    assert all(token.isidentifier() or token.isalnum() or len(token) == 1 or "_" in token for token in tokens)
    assert {"expression", ".", "def"} <= tokens
