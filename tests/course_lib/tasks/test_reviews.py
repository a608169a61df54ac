from collections import Counter

from course_lib.tasks.reviews import BAD, FORMS, GOOD, MOCKING, NEGATIONS, review_language

REVIEWS, VERDICTS = review_language(4_000, seed=3)
TURNING = {word for negation in NEGATIONS for word in negation.split()} - {"really"}


def opinion(words):
    """What one half says, read on its own."""
    (adjective,) = [word for word in words if word in GOOD + BAD]
    return (adjective in GOOD) != any(word in TURNING for word in words)


def verdict_by_rule(review):
    """The rules of the docstring, from the words alone."""
    text = " ".join(review)
    opening = next((mocking for mocking in MOCKING if text.startswith(mocking)), "")
    words = text.removeprefix(opening).split()
    if words[0] == "although":
        counts = words[words.index(",") + 1 :]
    elif "although" in words:
        counts = words[: words.index("although")]
    else:
        counts = words[words.index("but") + 1 if "but" in words else 0 :]
    if "and" in counts:
        counts = counts[: counts.index("and")]  # both halves agree
    return opinion(counts) != bool(opening)


def test_the_rules_alone_give_every_verdict():
    assert [verdict_by_rule(review) for review in REVIEWS] == VERDICTS.bool().tolist()


def test_halves_joined_by_and_agree():
    joined = [" ".join(review).split(" and ") for review in REVIEWS if "and" in review]
    assert joined
    assert all(opinion(one.split()) == opinion(other.split()) for one, other in joined)


def test_praise_and_blame_are_equally_frequent():
    assert 0.47 < VERDICTS.float().mean() < 0.53


def test_no_test_review_is_a_training_review():
    held_out, _ = review_language(4_000, held_out=True, seed=4)
    assert not {*map(tuple, REVIEWS)} & {*map(tuple, held_out)}
    assert {len(review) for review in REVIEWS + held_out} <= {*range(4, 21)}


def test_a_bag_with_one_good_and_one_bad_word_says_nothing():
    balanced = [
        verdict
        for review, verdict in zip(REVIEWS, VERDICTS.tolist(), strict=True)
        if Counter(word in GOOD for word in review if word in GOOD + BAD) == {True: 1, False: 1}
    ]
    hidden_from_a_bag = 1 - (FORMS["plain"] + FORMS["negated"]) / sum(FORMS.values())
    assert abs(len(balanced) / len(REVIEWS) - hidden_from_a_bag) < 0.03
    assert 0.46 < sum(balanced) / len(balanced) < 0.54


def test_who_changes_a_review_changes_it_for_nobody_else():
    reviews, _ = review_language(3, seed=9)
    whole = [list(review) for review in reviews]
    reviews[0].clear()
    assert review_language(3, seed=9)[0] == whole
