"""bleu(hypotheses, references, max_n=4): clipped n-grams of a whole corpus, and whether it is long enough."""

import math
from collections import Counter

import numpy as np
import torch

import course_lib.text.bleu as reference
from autograder.catalogue.checks import matches, same_again, where
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise, asked_again, common_criterion
from autograder.catalogue.results import Finding, close
from autograder.catalogue.translation.bleu_mistakes import COUNTED, GRAMS, MISTAKES

WORDS = ("a", "ab", "b", "ba", "bab", "bb", "the", "The", "on", "one", ",", ".", "cat", "dog", "sat")


def sentence(g, length):
    """Different words, in any order."""
    return [WORDS[place] for place in torch.randperm(len(WORDS), generator=g)[:length]]


def one(g, longer=0, shorter=0, repeated=False, max_n=None):
    """A reference of 11 words, and a hypothesis of 11 that keeps six of them in a row, two in another order.

    With `longer` the reference goes on with words of its own; with `shorter` the hypothesis does; `repeated`, the
    words that the two share come again in the hypothesis.
    """
    expected = ["End", *sentence(g, 10)]
    said = [*expected[2:8], expected[10], expected[9], "x", "y", "end"]
    if repeated:
        said = [*said[:6], *said[:5]]
    if shorter:
        said = [*said, *(f"more{k}" for k in range(shorter))]
    case = {"hypotheses": [said], "references": [[*expected, *(f"rest{k}" for k in range(longer))]]}
    return case | ({"max_n": max_n} if max_n else {})


def corpus(g, empty=False, short=False):
    """Three sentences of which different shares are right; one more may be empty, or too short for four words.

    All hypotheses together are as long as all references.
    """
    expected = [[f"{word}{k}" for word in sentence(g, length)] for k, length in enumerate((13, 7, 5))]
    said = [[*expected[0][:5], *"vwx", *expected[0][9:]], [*expected[1][1:6], *"xyz"], expected[2][::-1]]
    if short:
        said, expected = [*said, list("opq")], [*expected, list("opr")]
    if empty:
        said, expected = [said[0], [*said[1], *"abcd"], said[2], []], [*expected, list("efgh")]
    return {"hypotheses": said, "references": expected}


def across(g):
    """A word is in one sentence too often, and in another reference as often as it is missing there."""
    expected = [[*sentence(g, 6), "end"], [*sentence(g, 5), "end", "end", "end"]]
    return {"hypotheses": [[*expected[0], "end", "end"], expected[1][:6]], "references": expected}


def glued(g):
    """Words that, written without a space, are those of the reference, beside four right ones."""
    right = ["cat", "sat", "on", "one", "dog"]
    return {"hypotheses": [["ba", "b", "bb", *right]], "references": [["b", "ab", "bb", *right]]}


def no_match_of_four(g):
    expected = sentence(g, 11)
    return {"hypotheses": [[*expected[:3], "x", *expected[4:7], "y"]], "references": [expected]}


def no_word_right(g):
    return {"hypotheses": [list("vwxyz")], "references": [sentence(g, 5)]}


def too_short(g):
    """The same three words, so that nothing but the missing run of four makes the score 0."""
    expected = sentence(g, 3)
    return {"hypotheses": [[*expected]], "references": [expected]}


def nothing_said(g):
    return {"hypotheses": [[], []], "references": [sentence(g, 7), sentence(g, 5)]}


def the_same(g):
    """Every n-gram of the first words occurs twice."""
    expected = [[*first, *first[:5]] for first in (sentence(g, length) for length in (7, 5))]
    return {"hypotheses": [[*part] for part in expected], "references": expected}


def as_published(hypotheses, references, max_n=4):
    """Counted word by word, and the brevity penalty by cases, as in the paper."""
    said, expected = sum(len(h) for h in hypotheses), sum(len(r) for r in references)
    correct, total = np.zeros(max_n), np.zeros(max_n)
    for h, r in zip(hypotheses, references, strict=True):
        for n in range(1, max_n + 1):
            available = Counter(tuple(r[i : i + n]) for i in range(len(r) - n + 1))
            for gram in (tuple(h[i : i + n]) for i in range(len(h) - n + 1)):
                total[n - 1] += 1
                if available[gram] > 0:
                    available[gram] -= 1
                    correct[n - 1] += 1
    with np.errstate(divide="ignore", invalid="ignore"):
        score = np.exp(np.log(correct / total).mean())
    penalty = 1.0 if said >= expected else math.exp(1 - expected / max(said, 1))
    return float(100 * penalty * np.nan_to_num(score))


SHARES, CLIPPED = "the geometric mean of the shares, in 0 … 100", "an n-gram counts as often as the reference has it"
SHORT, WHOLE = "too short a text is punished, too long a one is not", "counts are added up over the corpus"
ZERO, ORDERS = "0 where an order has no match", "max_n says how long the n-grams are"
BASE = matches("one sentence", "score")


def punished(longer, by):
    """The score of 11 words whose reference is longer `by` so many follows from the score without these."""

    def check(results):
        without, score = (results.output(case, "score") for case in ("one sentence", longer))
        expected = without * math.exp(1 - (11 + by) / 11)
        if score.shape == () and np.isfinite(without) and close(score, expected, 1e-4):
            return None
        return Finding(
            f"11 words score {without:.2f} against 11 and {score:.2f} against {11 + by}, expected {expected:.2f} "
            f"(times exp(1 − {11 + by} / 11))",
            longer,
        )

    return check


BLEU = Exercise(
    id="bleu",
    title="BLEU",
    reference=reference.bleu,
    cases=(
        *asked_again("one sentence", one),
        Case("a longer reference", lambda g: one(g, longer=3), same_as="one sentence"),
        Case("a much longer reference", lambda g: one(g, longer=13), same_as="one sentence"),
        Case("a longer hypothesis", lambda g: one(g, shorter=5)),
        Case("words said twice", lambda g: one(g, repeated=True)),
        Case("too often here, missing there", across),
        Case("words that could be glued", glued),
        Case("three sentences", corpus),
        Case("three sentences and a short one", lambda g: corpus(g, short=True), same_as="three sentences"),
        Case("three sentences and an empty one", lambda g: corpus(g, empty=True), same_as="three sentences"),
        Case("bigrams at most", lambda g: one(g, max_n=2), same_as="one sentence"),
        Case("up to five", lambda g: one(g, max_n=5), same_as="one sentence"),
        Case("no four words in a row", no_match_of_four),
        Case("no word right", no_word_right),
        Case("three words", too_short),
        Case("nothing said", nothing_said),
        Case("the same text", the_same),
    ),
    criteria=(
        Criterion(SHARES, 0.75, BASE),
        Criterion(
            CLIPPED,
            0.75,
            where(
                BASE,
                *(
                    matches(case, "score")
                    for case in ("words said twice", "the same text", "words that could be glued")
                ),
            ),
            where(BASE, where(matches("three sentences"), matches("too often here, missing there", "score"))),
        ),
        Criterion(
            SHORT,
            0.75,
            punished("a longer reference", 3),
            punished("a much longer reference", 13),
            where(BASE, matches("a longer hypothesis", "score")),
        ),
        Criterion(
            WHOLE,
            0.75,
            where(
                BASE,
                *(matches(f"three sentences{more}", "score") for more in ("", " and a short one", " and an empty one")),
            ),
        ),
        Criterion(
            ZERO,
            0.5,
            *(
                matches(case, "score")
                for case in ("no four words in a row", "no word right", "three words", "nothing said")
            ),
        ),
        Criterion(ORDERS, 0.25, where(BASE, *(matches(case, "score") for case in ("bigrams at most", "up to five")))),
        common_criterion(0.25, same_again("one sentence", "score")),
    ),
    mistakes=MISTAKES,
    forbidden=("sacrebleu", "corpus_bleu", "sentence_bleu", "corpus_score", "sentence_score"),
    right_variants=(
        as_published,
        right(
            "the penalty as a factor",
            {"return 100 * math.exp(brevity + sum": "return 100 * math.exp(brevity) * math.exp(sum"},
        ),
        right("slices", {GRAMS: "(tuple(tokens[k : k + n]) for k in range(len(tokens) - n + 1))"}),
        right("minus what is too much", {COUNTED: "said.total() - (said - grams(reference, n)).total()"}),
    ),
)
