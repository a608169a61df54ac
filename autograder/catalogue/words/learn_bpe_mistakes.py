"""What goes wrong in `learn_bpe`: parts of the plain way, which counts everything in every round, rewritten."""

from collections import Counter
from itertools import pairwise

from autograder.catalogue.common_mistakes import overwrites
from autograder.catalogue.edits import Rewrite, mistake, with_question


def marked(word):
    return [*word[:-1], word[-1] + "</w>"]


def first_of_equals(counts):
    return min(counts, key=lambda pair: (-counts[pair], pair))


def merged(symbols, pair, places):
    """The symbols with the pair joined at those of the places, one after the other, where it still stands."""
    symbols = [*symbols]
    for k in places:
        if tuple(symbols[k : k + 2]) == pair:
            symbols[k : k + 2] = ["".join(pair)]
    return symbols


def from_the_left(symbols, pair):
    return merged(symbols, pair, range(len(symbols)))


def from_the_right(symbols, pair):
    return merged(symbols, pair, range(len(symbols))[::-1])


def first_place_only(symbols, pair):
    return merged(symbols, pair, [next((k for k, two in enumerate(pairwise(symbols)) if two == pair), 0)])


def skipping(symbols, pair):
    symbols, k = [*symbols], 0
    while k < len(symbols) - 1:
        if tuple(symbols[k : k + 2]) == pair:
            symbols[k : k + 2] = ["".join(pair)]
            k += 1
        k += 1
    return symbols


def as_text(symbols, pair):
    return " ".join(symbols).replace(" ".join(pair), "".join(pair)).split(" ")


def not_overlapping(symbols):
    """The pairs, without one that begins with the second half of the same pair."""
    free = {}
    for place, pair in enumerate(pairwise(symbols)):
        if place >= free.get(pair, 0):
            free[pair] = place + 2
            yield pair


def counting_anew(
    cut=marked, pairs=pairwise, best=first_of_equals, merge=from_the_left, weigh=int, least=1, result=list, more=0
):
    """The plain `learn_bpe`, which counts everything in every round, made of these parts."""

    def learn_bpe(word_counts, num_merges):
        words = [(cut(word), weigh(count)) for word, count in word_counts.items()]
        merges = []
        while len(merges) < num_merges + more:
            counts = Counter()
            for symbols, count in words:
                for pair in pairs(symbols):
                    counts[pair] += count
            if least and max(counts.values(), default=0) < least:
                break
            merges.append(best(counts))
            words = [(merge(symbols, merges[-1]), count) for symbols, count in words]
        return result(merges)

    return learn_bpe


COUNTED_ANEW = Rewrite("everything counted again in every round", body=counting_anew())


def counted_once(word_counts, num_merges):
    counts = Counter()
    for word, count in word_counts.items():
        for pair in pairwise(marked(word)):
            counts[pair] += count
    return sorted(counts, key=lambda pair: (-counts[pair], pair))[:num_merges]


def words_in_one_row(word_counts, num_merges):
    def cut(row):
        return [symbol for word in row for symbol in marked(word)]

    return counting_anew(cut)({tuple(word_counts): 1}, num_merges)


def words_used_up(word_counts, num_merges):
    actual = counting_anew()(word_counts, num_merges)
    word_counts.clear()
    return actual


def row(name, way, says=""):
    """A row whose way are parts of the plain one, or a function."""
    return mistake(name, way if callable(way) else counting_anew(**way)).because(says)


MISTAKES = (
    *with_question(
        "What comes first: how frequent a pair is, or its alphabetical order?",
        row(
            "the rarest pair first",
            {"best": lambda n: min(n, key=lambda p: (n[p], p))},
            "You merge the rarest pair; merge the most frequent.",
        ),
        row("the last of equals", {"best": lambda n: max(n, key=lambda p: (n[p], p))}).because(
            "Of equally frequent pairs you take the alphabetically last; take the first."
        ),
        row("equals as they come", {"best": lambda n: max(n, key=n.get)}).because(
            "Of equally frequent pairs you take the one you met first; take the alphabetically first."
        ),
        row("equals compared as joined text", {"best": lambda n: min(n, key=lambda p: (-n[p], "".join(p)))}).because(
            "You compare equally frequent pairs as joined strings; compare them symbol by symbol, as tuples."
        ),
    ),
    *with_question(
        "How often does a word that occurs 7 times count, and how often the pair (a, a) of `aaa`?",
        row("every word counted once", {"weigh": bool}, "You count each word once; count it as often as it occurs."),
        row("overlapping pairs counted once", {"pairs": not_overlapping}).because(
            "You skip a pair that overlaps the previous one; count it, because `aaa` has two of (a, a)."
        ),
        row(
            "a pair counted once a word",
            {"pairs": lambda s: {*pairwise(s)}},
            "You count a pair once per word; count every occurrence.",
        ),
        row("pairs across words", words_in_one_row).because(
            "You count the end of one word and the start of the next as neighbours; count only inside words."
        ),
        row("counted once and for all", counted_once).because(
            "You count only once; count again after each merge, which makes new pairs."
        ),
    ),
    *with_question(
        "What does merging (a, a) turn `a a a` into, and what does merging (a, b) turn `xa b` into?",
        row(
            "merged from the right",
            {"merge": from_the_right},
            "You merge from right to left; merge from left to right.",
        ),
        row(
            "merged at one place a word",
            {"merge": first_place_only},
            "You merge only the first place in each word; merge every one.",
        ),
        row("the symbol after a merge skipped", {"merge": skipping}).because(
            "You move on two positions after a merge and skip a symbol; move on one, because the list is "
            "already shorter."
        ),
        row(
            "merged as text",
            {"merge": as_text},
            "Your `replace` also matches the end of one symbol and the start of the next; compare whole symbols.",
        ),
    ),
    *with_question(
        "What distinguishes the `st` at the end of `lowest` from the one in `stop`?",
        row("no mark at the end", {"cut": list}, "Your words have no `</w>`; add it to the last character."),
        row("the mark as a symbol of its own", {"cut": lambda word: [*word, "</w>"]}).because(
            "Your `</w>` is a separate symbol; add it to the last character."
        ),
        row("the mark at the beginning", {"cut": lambda word: [word[0] + "</w>", *word[1:]]}).because(
            "Your first character has the mark; add it to the last."
        ),
    ),
    *with_question(
        "When is nothing left to merge?",
        row("stopped at a count of 1", {"least": 2}, "You stop when the best pair occurs once; merge it too."),
        row(
            "no end when no pair is left",
            {"least": 0},
            "You continue when every word is one symbol and no pair is left; stop there.",
        ),
        row("one merge too many", {"more": 1}, "You learn one merge too many; learn num_merges."),
        row("one merge too few", {"more": -1}, "You learn one merge too few; learn num_merges."),
    ),
    *with_question(
        "What does the docstring say the function returns?",
        row("a list of lists", {"result": lambda m: [[*pair] for pair in m]}, "Your pairs are lists; return tuples."),
        row("joined symbols", {"result": lambda m: ["".join(pair) for pair in m]}).because(
            "You return the merged symbols; return the pairs."
        ),
        row("a tuple of pairs", {"result": tuple}, "You return a tuple; return a list of merges."),
    ),
    overwrites("word_counts", words_used_up, "they are gone.", "the counts used up"),
    row("the mark on every character", {"cut": lambda word: [letter + "</w>" for letter in word]}).because(
        "You mark every character; mark only the last one of a word.", "What does the mark tell you about a symbol?"
    ),
    row("the last merge first", {"result": lambda m: m[::-1]}).because(
        "Your merges are in reverse order; put the first one first.", "In which order will apply_bpe apply them?"
    ),
)
