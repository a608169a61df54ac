"""learn_bpe(word_counts, num_merges) → the merges, in the order in which they were learned."""

import re

import course_lib.text.byte_pairs as reference
from autograder.catalogue.exercise import Case, Criterion, Exercise, common_criterion
from autograder.catalogue.results import Finding, difference_of_lists, read_text
from autograder.catalogue.words.learn_bpe_mistakes import MISTAKES
from autograder.catalogue.words.learn_bpe_ways import COUNTED_ANEW
from autograder.catalogue.words.shared import below, same, shuffled, sketch, spelled

MERGED, RUNS, TIES = "the most frequent pair of each round", "in a run, pairs overlap", "the first of equals"
CAPITALS = "capitals and punctuation are characters of their own"
ENDS, LAST, FORM = "</w> on the last character", "on to the last pair, and no further", "a list of tuples"


TEXT, MIXED = sketch(14, 41), sketch(3, 41, ends=0)
EQUAL = dict.fromkeys(sketch(5, 23), 1)


def text(g, words, num_merges):
    return {"word_counts": spelled(g, words), "num_merges": num_merges}


def runs(g):
    """Runs of three, whose two pairs are the most frequent where both are counted, and not where one is."""
    x, y, z, p, q, e, f, g1, g2 = sorted(shuffled(g)[:9])
    k = 3 + below(g, 7)
    words = {p + 3 * x + e: 2 * k, q + 3 * x + f: 2 * k, y + z + g1: 3 * k, y + z + g2: 3 * k}
    return {"word_counts": words, "num_merges": 4}


def no_letter_twice(g):
    """Three words that share no letter, once each: n letters take n − 1 merges."""
    letters = shuffled(g)
    return {"word_counts": {letters[:2]: 1, letters[2:5]: 1, letters[5:10]: 1}, "num_merges": 101}


def capitals_and_dots(g):
    """Two words that differ only in whether their first letter is a capital, and two of which one begins with a dot.

    Their counts fall in the order of the alphabet.
    """
    x, y, z, last = sorted(shuffled(g, "abcdefghijkmn")[:4])
    words = {"." + last: 7 + below(g, 5), x.upper() + z: 5, x + z: 4, y + last: 3}
    return {"word_counts": words, "num_merges": 5}


def first(n):
    """The first merges, without the mark, so that neither it nor their number costs more than its own criterion."""
    return lambda merges: [[symbol.replace("</w>", "") for symbol in pair] for pair in merges[:n]]


def with_tables_of_pairs(words, n):
    """All pairs of a round sorted; words as texts, symbols apart by a character that no word has."""
    texts, merges = {"\0".join(w) + "</w>": c for w, c in words.items() if w}, ()
    for _ in range(n):
        table = {}
        for line, c in texts.items():
            parts = line.split("\0")
            for i in range(1, len(parts)):
                table[parts[i - 1], parts[i]] = table.get((parts[i - 1], parts[i]), 0) + c
        if len(table) == 0:
            break
        (a, b), _ = sorted(table.items(), key=lambda entry: (-entry[1], entry[0]))[0]
        there = re.compile(rf"(?<![^\0]){re.escape(a)}\0{re.escape(b)}(?![^\0])")
        texts = {there.sub(lambda _, new=a + b: new, line): c for line, c in texts.items()}
        merges += ((a, b),)
    return list(merges)


def learned(case, n):
    """The first n merges are right but for the mark; what is shown has it."""

    def check(results):
        if same(case, "merges", first(n))(results) is None:
            return None
        both = results.output(case, "merges"), results.expected_output(case, "merges")
        actual, expected = map(read_text, both)
        wrong = next((k for k in range(n) if first(n)(actual)[k : k + 1] != first(n)(expected)[k : k + 1]), n)
        text = difference_of_lists([*expected[:wrong], *actual[wrong:n]], expected[:n])
        return Finding(f"merges {text}", case, "merges")

    return check


LEARN_BPE = Exercise(
    id="learn_bpe",
    title="Learning byte pairs",
    reference=reference.learn_bpe,
    cases=(
        Case("a text", lambda g: text(g, TEXT, 11)),
        Case("runs", runs),
        Case("equal counts", lambda g: text(g, EQUAL, 29)),
        Case("letters inside and at the end", lambda g: text(g, MIXED, 13)),
        Case("no letter twice", no_letter_twice),
        Case("nothing to merge", lambda g: {"word_counts": dict.fromkeys(shuffled(g)[:3], 2), "num_merges": 7}),
        Case("no merges asked for", lambda g: text(g, TEXT, 0)),
        Case("capitals and dots", capitals_and_dots),
    ),
    criteria=(
        Criterion(MERGED, 1.75, learned("a text", 10)),
        Criterion(RUNS, 0.75, learned("runs", 3)),
        Criterion(TIES, 0.75, learned("equal counts", 28)),
        Criterion(CAPITALS, 0.25, learned("capitals and dots", 4)),
        Criterion(ENDS, 0.5, same("letters inside and at the end", "merges", lambda merges: merges[:12])),
        Criterion(
            LAST,
            0.5,
            same("a text", "merges", len, "there are not num_merges merges"),
            same(
                "no letter twice",
                "merges",
                len,
                "three words of 2, 3 and 5 letters are not merged until each is one symbol (7 merges)",
            ),
            same("nothing to merge", "merges"),
            same("no merges asked for", "merges"),
        ),
        Criterion(FORM, 0.25, same("a text", "form")),
        common_criterion(0.25),
    ),
    mistakes=MISTAKES,
    right_variants=(COUNTED_ANEW, with_tables_of_pairs),
)
