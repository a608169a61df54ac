"""What holds of every draw of `mask_tokens`, and of many."""

import math

import numpy as np

from autograder.catalogue.checks import evenly_spread

SPECIAL, MASK_ID, WORDS = 5, 2, 18  # ids below SPECIAL are no words; the mask's is not the last of them
B, T, DRAWS = 7, 17, 200
DEVIATIONS, NEAR = 5.5, 3.0  # from a chance: within the first it may be this one, within the second it probably is


def words(tokens, mask):
    return (mask != 0) & (tokens >= SPECIAL)


def often(count, tries, chance, deviations=DEVIATIONS):
    """Whether so many of these tries may be a matter of this chance."""
    return abs(count - tries * chance) <= deviations * math.sqrt(tries * chance * (1 - chance)) + 0.5


def noted(targets, tokens):
    chosen = targets != -100
    return targets.shape == tokens.shape and chosen.any() and (targets[chosen] == tokens[chosen]).all()


def no_special_token(targets, tokens, mask):
    return not (targets != -100)[(mask != 0) & (tokens < SPECIAL)].any()


def no_padding(targets, tokens, mask):
    return not (targets != -100)[mask == 0].any()


def none_but_words(targets, tokens, mask):
    return not (targets != -100)[~words(tokens, mask)].any()


def not_all_but_the_first(targets, tokens, mask):
    """If every word must be chosen, the first word of the vocabulary is chosen too."""
    can, chosen = words(tokens, mask), targets != -100
    first = can & (tokens == SPECIAL)
    return chosen[first].any() or not chosen[can & ~first].all()


def each_at_the_rate(chosen, tokens, mask, rate):
    can = words(tokens, mask)
    return often(chosen[can].sum(), DRAWS * can.sum(), rate)


def everywhere_alike(chosen, tokens, mask):
    """No place is chosen more than the others, whatever the rate."""
    there = chosen[words(tokens, mask)]
    return there.sum() > 0 and all(often(count, DRAWS, there.mean() / DRAWS) for count in there)


def rows_differ(targets, tokens, mask):
    """Not the same places in every sentence."""
    can, chosen = words(tokens, mask), targets != -100
    alike = [(chosen[i] == chosen[j])[can[i] & can[j]].all() for i in range(B) for j in range(i)]
    return not np.mean(alike) > 0.5


def something_is_hidden(hidden, tokens):
    """Where no mask token has been all along."""
    return hidden[tokens != MASK_ID].any()


def words_differ(targets, tokens, mask):
    """Not whole sentences: in most of them some words are chosen, and some are not."""
    chosen = [row[can] for row, can in zip(targets != -100, words(tokens, mask), strict=True)]
    return np.mean([row.all() or not row.any() for row in chosen]) <= 0.5


def hidden_as_due(chosen, hidden, tokens, mask):
    can = words(tokens, mask)
    return often(hidden[can].sum(), chosen[can].sum(), 0.8)


def not_all_hidden(chosen, hidden, tokens, mask):
    can = words(tokens, mask)
    return (hidden[can] < chosen[can]).any()


def left_at(share, deviations=DEVIATIONS):
    """Whether this share of the chosen words is left as it was; a random word may be the same one."""

    def rule(chosen, left_as_they_were, tokens, mask):
        can = words(tokens, mask)
        return often(left_as_they_were[can].sum(), chosen[can].sum(), share, deviations)

    return rule


def not_left_at(share):
    rule = left_at(share, NEAR)
    return lambda *given: not rule(*given)


def some_replaced(chosen, hidden, left_as_they_were):
    return (hidden + left_as_they_were < chosen).any()


def each_alone(spread):
    """Not one draw for several words: their variance is that of independent draws."""
    return spread.max() < 1.5


def others_vary(inputs, targets, tokens):
    """Not one and the same word wherever another one comes."""
    others = inputs[(targets != -100) & (inputs != MASK_ID) & (inputs != tokens)]
    return len(others) < 4 or len(np.unique(others)) > 1


def others_drawn(inputs, targets, tokens):
    """The words that come instead don't follow from those that were there."""
    steps = (inputs - tokens)[(targets != -100) & (inputs != MASK_ID) & (inputs != tokens)]
    return len(steps) < 4 or len(np.unique(steps)) > 1


def special_not_only_asked(inputs, targets, tokens, mask):
    """Not every special token has a target and stays as it is, while words are changed."""
    special = (mask != 0) & (tokens < SPECIAL)
    asked = (targets != -100)[special].all()
    return not asked or (inputs != tokens)[special].any() or not (inputs != tokens).any()


def none_below(targets, tokens, num_special):
    return not (targets != -100)[tokens < num_special].any()


def no_special(counts):
    return not counts[:SPECIAL].any()


def no_end_missing(counts):
    return counts[-2] or not counts[-3]


def no_start_missing(counts):
    return counts[SPECIAL] or not counts[SPECIAL + 1]


def all_words(counts):
    expected = counts[SPECIAL:-1]
    return not counts[-1] and (expected > 0).all() and evenly_spread(expected)
