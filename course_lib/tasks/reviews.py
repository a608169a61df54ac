"""Stage 11: short film reviews whose verdict hangs on the order of their words, made by rule.

Each half of a review praises or blames one thing. A negation reverses the opinion right after it, and no other. Two
halves joined by *and* agree. The half after *but* counts; the half after *although* does not. A mocking opening
reverses the whole review. Take *the plot is not funny and the acting is dull*: with the same words one can praise
(*the plot is funny and the acting is not dull*).
"""

import random
import zlib

import torch

GOOD = (
    *("good", "great", "funny", "clever", "moving", "fresh"),
    *("bright", "brilliant", "lively", "charming", "gripping", "tender"),
)
BAD = (
    *("bad", "boring", "dull", "clumsy", "stale", "silly"),
    *("weak", "shallow", "bland", "tiresome", "messy", "awful"),
)
THINGS = (
    *("plot", "acting", "music", "script", "story", "camera"),
    *("cast", "ending", "dialogue", "humour", "opening", "film"),
)
NEGATIONS = ("not", "never", "hardly", "not really")
DEGREES = ("", "", "really", "quite", "so")
MOCKING = ("oh sure ,", "yeah right ,", "as if :")
HELD_OUT = 4  # of this many different reviews, one is for tests
# how often a review is of this form; the first is all that a bag of words can read
FORMS = {"plain": 10, "negated": 1, "agreeing": 6, "but": 4, "although": 2, "although first": 2}
MOCKED = 0.1


def review_language(size: int, held_out: bool = False, seed: int = 0) -> tuple[list[list[str]], torch.Tensor]:
    """Random reviews, and what they come to.

    Args:
        size: N, reviews.
        held_out: reviews for tests; no training review is among them, whatever the seed.
        seed: the same seed gives the same data.

    Returns:
        N lists of words, of 4 to 20, and int64 [N]: 1 for praise, 0 for blame.

    >>> reviews, verdicts = review_language(2, seed=5)
    >>> [(" ".join(review), verdict) for review, verdict in zip(reviews, verdicts.tolist())]
    [('the film is lively but the opening is shallow', 0), ('the script is so weak', 0)]
    """
    rng = random.Random(seed)
    reviews, verdicts = [], []
    while len(reviews) < size:
        verdict = rng.random() < 0.5
        review = write_review(verdict, rng)
        if (zlib.crc32(review.encode()) % HELD_OUT == 0) == held_out:
            reviews.append(review.split())
            verdicts.append(int(verdict))
    return reviews, torch.tensor(verdicts)


def write_review(verdict: bool, rng: random.Random) -> str:
    """A review that comes to this verdict, of a random form."""
    mocked = rng.random() < MOCKED
    said = verdict != mocked  # what it comes to, taken at its word
    form = rng.choices([*FORMS], weights=FORMS.values())[0]
    if form == "plain":
        negated = [False] if rng.random() < 0.5 else [False, False]
    elif form == "negated":
        negated = [True]
    elif form == "agreeing":  # one half negated: one good word, one bad
        negated = [True, False]
    else:  # the halves disagree: none negated, or both
        negated = [rng.random() < 0.5] * 2
    if form == "agreeing":
        rng.shuffle(negated)
    disagree = form in ("but", "although", "although first")
    # The half that does not count says the opposite.
    opinions = [said != disagree, said] if len(negated) == 2 else [said]
    things = rng.sample(THINGS, len(negated))
    halves = [_half(*half, rng) for half in zip(things, opinions, negated, strict=True)]
    text = {
        "but": "{0} but {1}",
        "although first": "although {0} , {1}",
        "although": "{1} , although {0}",
    }.get(form, "{0} and {1}" if len(halves) == 2 else "{0}").format(*halves)
    return f"{rng.choice(MOCKING)} {text}" if mocked else text


def _half(thing: str, praises: bool, negated: bool, rng: random.Random) -> str:
    word = rng.choice(GOOD if praises != negated else BAD)
    return " ".join(f"the {thing} is {rng.choice(NEGATIONS if negated else DEGREES)} {word}".split())
