"""BLEU: how much a translation shares with another translation of the same text."""

import math
from collections import Counter
from collections.abc import Sequence


def bleu(hypotheses: Sequence[Sequence[str]], references: Sequence[Sequence[str]], max_n: int = 4) -> float:
    """BLEU of a corpus: which runs of 1 to max_n tokens it shares with the references, and whether it is long enough.

    Args:
        hypotheses: lists of tokens, what was said.
        references: lists of tokens, what a person said: one for each hypothesis, in the same order.
        max_n: the longest run that is counted.

    Returns:
        From 0 to 100. For each n the share p_n of the corpus's n-grams that the references hold, each counted no
        more often than it stands in its reference; their geometric mean; times exp(1 − r / h) where all hypotheses
        together, h tokens, are shorter than all references, r. 0 where an order has no match.

    Source: Papineni et al. 2002, "BLEU: a Method for Automatic Evaluation of Machine Translation", section 2.

    >>> said = ["the", "cat", "sat", "on", "a", "mat"]
    >>> round(bleu([said], [["the", "cat", "sat", "on", "the", "mat"]]), 2)
    53.73
    """

    # BEGIN SOLUTION
    #: A Counter of n-grams: zip(tokens, tokens[1:], …) gives them. `one & other` is the smaller count of each.
    #: Add up matches and n-grams over the whole corpus, then divide: one share for each n.
    #: The geometric mean is exp of the mean of the logarithms; a share of 0 makes it 0.
    def grams(tokens, n):
        return Counter(zip(*(tokens[start:] for start in range(n)), strict=False))

    logarithms = []
    for n in range(1, max_n + 1):
        matches = total = 0
        for hypothesis, reference in zip(hypotheses, references, strict=True):
            said = grams(hypothesis, n)
            matches += (said & grams(reference, n)).total()
            total += said.total()
        if matches == 0:
            return 0.0
        logarithms.append(math.log(matches / total))
    brevity = min(0.0, 1 - sum(map(len, references)) / sum(map(len, hypotheses)))
    return 100 * math.exp(brevity + sum(logarithms) / max_n)
    # END SOLUTION
