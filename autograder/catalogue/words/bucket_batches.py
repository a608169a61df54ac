"""bucket_batches(lengths, max_tokens, generator) → batches of places. No order is the right one: rules are judged."""

import operator
import random

import torch

import course_lib.text.batches as reference
from autograder.catalogue.checks import either, same_again, where
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise, asked_again, common_criterion
from autograder.catalogue.words import bucket_batches_mistakes as told
from autograder.catalogue.words.bucket_batches_mistakes import MISTAKES, PLACES, RETURN, SORTED_PLACES
from autograder.catalogue.words.bucket_batches_rules import (
    TOO_LARGE,
    TOO_SMALL,
    each_once,
    filled_by,
    full,
    has_room,
    little_padding,
    none_is_empty,
    not_all_alone,
    not_of_sorted,
    well_shuffled,
)
from autograder.catalogue.words.shared import below, holds, same

ONCE, ROOM, CLOSE = "every index exactly once", "rows × longest is at most max_tokens", "sequences of like length"
FULL, ORDER, COMPANY = "a batch ends where no more fits", "batches in random order", "equal lengths meet at random"
SOURCE, FORM = "the generator alone decides", "lists of ints"
LIMITS = "lengths", "max_tokens"
MANY_BATCHES = 10  # so many are not in the same order twice by chance
ALL_LONG = "all longer than max_tokens"
MANY, LONG, EQUAL, DISTINCT = "many sentences", "some longer than max_tokens", "equal lengths", "no two lengths alike"


def sentences(g, lengths, max_tokens, compare=False):
    lengths = [int(lengths[i]) for i in torch.randperm(len(lengths), generator=g)]
    return {"lengths": lengths, "max_tokens": max_tokens, "seed": below(g, 10**6)} | (
        {"compare": True} if compare else {}
    )


def some_longer(g):
    return sentences(g, [*range(2, 17), *range(2, 17), 41, 53, 67], 36)


def not_filled_by(case, rules):
    """A check for each wrong rule: the batches of this case are others than those that it makes."""

    def other_than(holds):
        rule = filled_by(holds)
        return lambda *given: not rule(*given)

    once = of_batches(case, each_once, told.MISSING, "lengths")
    return (where(once, of_batches(case, other_than(holds), text, *LIMITS)) for text, holds in rules.items())


def are_shuffled(first, other, lengths):
    """One of two draws looks random: that both don't by chance is rarer than once in a million times."""
    return well_shuffled(first, lengths) or well_shuffled(other, lengths)


def as_sets(batches):
    return [frozenset(batch) for batch in batches]


def are_places(first):
    return all(isinstance(place, int) for batch in first for place in batch)


def not_sorted(first, lengths):
    """The batches don't come from short to long; asked where no two lengths are alike."""
    longest = [max(lengths[i] for i in batch) for batch in first]
    return len(first) < 4 or longest != sorted(longest)  # few batches may be sorted by chance


def not_backwards(first, lengths):
    return not_sorted(first[::-1], lengths)


def same_order(first, again):
    return as_sets(first) == as_sets(again)


def same_company(first, again):
    return not other_company(first, again)


def other_order(first, other):
    return as_sets(first) != as_sets(other)


def other_company(first, other):
    return {*as_sets(first)} != {*as_sets(other)}


def goes_on(first, second, other):
    return first != second or first == other


def of_batches(case, rule, text, *given):
    return holds(case, ("batches",), rule, text, given)


def of_draws(case, rule, text, *draws):
    return holds(case, draws, rule, text)


TWICE = "first", "again"
ENOUGH = of_draws(DISTINCT, lambda first: len(first) >= MANY_BATCHES, "there are few batches", "first")
PLACED = of_draws(DISTINCT, are_places, "a batch contains something else than ints", "first")


def is_full(case):
    """The batches of this case are full; asked where no index is lost and no batch too large."""
    fills = (*not_filled_by(case, TOO_SMALL), of_batches(case, full, told.NO_MORE, *LIMITS))
    asked = where(of_batches(case, has_room, told.WIDE, *LIMITS), *fills)
    return where(of_batches(case, each_once, told.MISSING, "lengths"), asked)


def from_the_longest_down(lengths, max_tokens, generator):
    """Other draws: from Python's generator, seeded by torch's."""
    rng = random.Random(torch.randint(2**31, (1,), generator=generator).item())
    order = sorted(range(len(lengths)), key=lambda i: (-lengths[i], rng.random()))
    batches, batch = [], []
    for index in order:
        if batch and lengths[batch[0]] * (len(batch) + 1) > max_tokens:
            batches.append(batch)
            batch = []
        batch.append(index)
    if batch:
        batches.append(batch)
    rng.shuffle(batches)
    return batches


BUCKET_BATCHES = Exercise(
    id="bucket_batches",
    title="Batches of like length",
    reference=reference.bucket_batches,
    cases=(
        Case(MANY, lambda g: sentences(g, torch.randint(1, 30, (331,), generator=g), 96)),
        Case(LONG, some_longer),
        Case(ALL_LONG, lambda g: sentences(g, [41, 53, 67, 47], 36)),
        Case(EQUAL, lambda g: sentences(g, [3] * 29 + [5] * 31 + [8] * 23, 41, compare=True)),
        Case(DISTINCT, lambda g: sentences(g, range(1, 38), 53, compare=True)),
        *asked_again("one sentence", lambda g: sentences(g, [5], 11)),
    ),
    criteria=(
        Criterion(
            ONCE,
            0.5,
            *(of_batches(case, none_is_empty, told.EMPTY) for case in (MANY, LONG, "one sentence")),
            of_batches(ALL_LONG, none_is_empty, told.EMPTY_BEFORE_LONG),
            *(of_batches(case, each_once, told.MISSING, "lengths") for case in (MANY, LONG, ALL_LONG, "one sentence")),
        ),
        Criterion(
            ROOM,
            0.75,
            of_batches(MANY, not_of_sorted, told.SORTED_INDICES, *LIMITS),
            *not_filled_by(MANY, TOO_LARGE),
            *(of_batches(case, has_room, told.WIDE, *LIMITS) for case in (MANY, LONG)),
        ),
        Criterion(
            CLOSE,
            0.75,
            of_batches(MANY, not_all_alone, told.ALONE, "lengths"),
            of_batches(MANY, little_padding, told.PADDED, "lengths"),
        ),
        Criterion(FULL, 0.5, is_full(MANY), is_full(LONG)),
        Criterion(
            ORDER,
            0.5,
            PLACED,
            where(
                holds(DISTINCT, ("first",), each_once, told.MISSING, ("lengths",)),
                holds(DISTINCT, ("first",), not_sorted, told.UPWARDS, ("lengths",)),
                holds(DISTINCT, ("first",), not_backwards, told.DOWNWARDS, ("lengths",)),
            ),
            where(ENOUGH, of_draws(DISTINCT, other_order, told.SAME_ORDER, "first", "other")),
            where(ENOUGH, holds(DISTINCT, ("first", "other"), are_shuffled, told.HARDLY, ("lengths",))),
        ),
        Criterion(COMPANY, 0.25, PLACED, of_draws(EQUAL, other_company, told.SAME_COMPANY, "first", "other")),
        Criterion(
            SOURCE,
            0.25,
            either(
                of_draws(EQUAL, same_company, told.AGAIN, *TWICE), of_draws(DISTINCT, same_order, told.AGAIN, *TWICE)
            ),
            of_draws(EQUAL, same_company, told.OTHER_COMPANY, *TWICE),
            of_draws(DISTINCT, same_order, told.OTHER_ORDER, *TWICE),
            *(of_draws(case, operator.eq, told.OTHER_INSIDE, *TWICE) for case in (EQUAL, DISTINCT)),
            of_draws(DISTINCT, goes_on, told.TWICE, "first", "second", "other"),
        ),
        Criterion(FORM, 0.25, same(MANY, "form")),
        common_criterion(0.25, same_again("one sentence", "batches")),
    ),
    mistakes=MISTAKES,
    right_variants=(
        from_the_longest_down,
        right(
            "sorted by two keys, shuffled by argsort",
            {
                PLACES: "keys = torch.rand(len(lengths), generator=generator).tolist()",
                SORTED_PLACES: "sorted(range(len(keys)), key=lambda i: (lengths[i], keys[i]))",
                RETURN: "return [batches[i] for i in torch.rand(len(batches), generator=generator).argsort().tolist()]",
            },
        ),
        right(
            "the longest by max",
            {"* lengths[place] <=": "* max([lengths[place], *map(lengths.__getitem__, batches[-1])]) <="},
        ),
    ),
)
