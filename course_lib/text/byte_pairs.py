"""Byte-pair encoding: words in pieces that were learned from how often they meet."""

from collections import Counter, defaultdict
from itertools import pairwise

from course_lib.text.expect import expect


def learn_bpe(word_counts: dict[str, int], num_merges: int) -> list[tuple[str, str]]:
    """Learn which neighbouring symbols to join, the most frequent pair first.

    Args:
        word_counts: word → how often it occurs. A word is its characters, the last one with `</w>` at its end.
        num_merges: how many pairs to learn at most.

    Returns:
        The pairs in the order in which they were learned. Each round counts every two neighbours inside the words,
        overlapping ones too, as often as the word occurs; the most frequent pair, of equal ones the alphabetically
        first, becomes one symbol in all words. A count of 1 is enough; it ends early when no pair is left.

    Source: Sennrich et al. 2016, "Neural Machine Translation of Rare Words with Subword Units", section 3.2.

    >>> learn_bpe({"low": 5, "lowest": 2, "newest": 6}, 4)
    [('e', 's'), ('es', 't</w>'), ('w', 'est</w>'), ('l', 'o')]
    """
    # BEGIN SOLUTION
    #: Hold each word as a list of symbols, beside its count. A round is: count all pairs, find the best, merge it.
    #: `min` or `sorted` with the key (−count, pair) finds the most frequent, and of equal ones the first.
    #: Merge from left to right; a merged symbol is not merged again in the same round.
    #: Recounting in each round is slow but correct: start with that.
    expect(word_counts, dict, "word_counts must be a dict, word → how often")
    words = [[*word[:-1], *(last + "</w>" for last in word[-1:])] for word in word_counts]
    counts = list(word_counts.values())
    frequency, places = Counter(), defaultdict(set)  # pair → how often, and in which words: only these change
    for i, symbols in enumerate(words):
        for pair in pairwise(symbols):
            frequency[pair] += counts[i]
            places[pair].add(i)
    merges = []
    while frequency and len(merges) < num_merges:
        highest = max(frequency.values())
        best = min(pair for pair, count in frequency.items() if count == highest)
        merges.append(best)
        for i in places.pop(best):
            symbols, k = words[i], 0
            for pair in pairwise(symbols):
                frequency[pair] -= counts[i]
                if not frequency[pair]:
                    del frequency[pair]
            while k < len(symbols) - 1:
                if (symbols[k], symbols[k + 1]) == best:
                    symbols[k : k + 2] = ["".join(best)]
                k += 1
            for pair in pairwise(symbols):
                frequency[pair] += counts[i]
                places[pair].add(i)
    return merges
    # END SOLUTION


def apply_bpe(word: str, merges: list[tuple[str, str]]) -> list[str]:
    """Cut a word into symbols by learned merges.

    Args:
        word: any word, even one that isn't in the text. Its last character gets `</w>`.
        merges: from `learn_bpe`. One pass: each merge in the order in which it was learned, wherever it fits, from
            left to right.

    Returns:
        The symbols; joined, they are the word and `</w>`. Characters that no merge knows stay single; a word without
        characters has no symbols.

    Source: Sennrich et al. 2016, section 3.2.

    >>> apply_bpe("lowest", [("w", "e"), ("l", "o"), ("s", "t</w>"), ("we", "st</w>")])
    ['lo', 'west</w>']
    """
    # BEGIN SOLUTION
    #: Begin as `learn_bpe` does: a list of characters, `</w>` at the end of the last.
    #: For each merge, walk along the list: where the two stand side by side, one symbol takes their place.
    expect(word, str, "a word must be a string")
    symbols = [*word[:-1], *(last + "</w>" for last in word[-1:])]
    for pair in merges:
        k = 0
        while k < len(symbols) - 1:
            if (symbols[k], symbols[k + 1]) == pair:
                symbols[k : k + 2] = ["".join(pair)]
            k += 1
    return symbols
    # END SOLUTION
