"""The plain `learn_bpe`, which counts everything in every round, made of parts; and other parts for it."""

import re
from collections import Counter
from itertools import pairwise

from autograder.catalogue.edits import Rewrite


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


def second_symbol_left(symbols, pair):
    """Each pair joined, with its second symbol still in the list after it."""
    return [part for k, symbol in enumerate(symbols) for part in _joined(symbols, k, symbol, pair)]


def _joined(symbols, k, symbol, pair):
    return ["".join(pair)] if tuple(symbols[k : k + 2]) == pair else [symbol]


def not_at_the_end(symbols, pair):
    """The pairs joined, but for one that ends the word."""
    return merged(symbols, pair, range(len(symbols) - 2))


def without_the_mark(symbols, pair):
    joined = "".join(pair)
    return [joined.replace("</w>", "") if symbol == joined else symbol for symbol in from_the_left(symbols, pair)]


def first_of_the_highest(counts):
    highest = max(counts.values())
    return min(pair for pair, count in counts.items() if count == highest)


def as_text(symbols, pair):
    return " ".join(symbols).replace(" ".join(pair), "".join(pair)).split(" ")


def as_pattern(symbols, pair):
    """As a regular expression, in which a dot stands for any character."""
    pattern = rf"(?<!\S){' '.join(pair)}(?!\S)"
    return re.sub(pattern, lambda _: "".join(pair), " ".join(symbols)).split(" ")


def old_neighbours_left(word_counts, num_merges):
    """Counts that are brought up to date, but not those of the pairs that a merge takes apart."""
    words = [(marked(word), count) for word, count in word_counts.items()]
    counts, merges = Counter(), []
    for symbols, count in words:
        for pair in pairwise(symbols):
            counts[pair] += count
    while counts and len(merges) < num_merges:
        merges.append(taken_out(counts))
        for symbols, count in words:
            k = 0
            while k < len(symbols) - 1:
                if (symbols[k], symbols[k + 1]) == merges[-1]:
                    symbols[k : k + 2] = ["".join(merges[-1])]
                    for pair in pairwise(symbols[max(k - 1, 0) : k + 2]):
                        counts[pair] += count
                k += 1
    return merges


def not_overlapping(symbols):
    """The pairs, without one that begins with the second half of the same pair."""
    free = {}
    for place, pair in enumerate(pairwise(symbols)):
        if place >= free.get(pair, 0):
            free[pair] = place + 2
            yield pair


def counting_anew(
    cut=marked,
    pairs=pairwise,
    best=first_of_equals,
    merge=from_the_left,
    weigh=int,
    least=1,
    result=list,
    more=0,
    counter=Counter,
):
    """The plain `learn_bpe`, which counts everything in every round, made of these parts."""

    def learn_bpe(word_counts, num_merges):
        words = [(cut(word), weigh(count)) for word, count in word_counts.items()]
        merges = []
        while len(merges) < num_merges + more:
            counts = counter()
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


def counts_kept(best=first_of_equals):
    """One counter for all rounds: each adds its counts to the earlier ones."""

    def learn_bpe(word_counts, num_merges):
        counts = Counter()
        return counting_anew(counter=lambda: counts, best=best)(word_counts, num_merges)

    return learn_bpe


def taken_out(counts):
    """The best pair, which is then no longer counted."""
    pair = first_of_equals(counts)
    del counts[pair]
    return pair


def words_in_one_row(word_counts, num_merges):
    def cut(row):
        return [symbol for word in row for symbol in marked(word)]

    return counting_anew(cut)({tuple(word_counts): 1}, num_merges)


def words_used_up(word_counts, num_merges):
    actual = counting_anew()(word_counts, num_merges)
    word_counts.clear()
    return actual


def with_counts(word_counts, num_merges):
    table = {}

    def best(counts):
        pair = first_of_equals(counts)
        table[pair] = counts[pair]
        return pair

    return [(pair, table[pair]) for pair in counting_anew(best=best)(word_counts, num_merges)]
