"""mask_tokens: no draw is the right one; judged is what holds of every draw, and how often what comes, over many."""

import numpy as np
import torch

import course_lib.tasks.masked_words as reference
from autograder.catalogue.checks import fits, is_true, where
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise, common_criterion
from autograder.catalogue.sentences.mask_tokens_mistakes import (
    ALL_HIDDEN,
    FATE_LINE,
    FIRST_NEVER,
    FIRST_NEVER_DRAWN,
    FIXED_NUMBER,
    FIXED_TOTAL,
    INPUTS,
    LAST_NEVER,
    LUCK,
    MISTAKES,
    NEIGHBOUR,
    NONE_LEFT,
    NONE_REPLACED,
    NOT_HIDDEN,
    NOT_LEFT,
    NUM_SPECIAL,
    PADDING_CHOSEN,
    RANDOM,
    SPECIAL_CHOSEN,
    SPECIAL_DRAWN,
    SPECIAL_TARGET,
    TENTH_OF_THE_REST,
    TOGETHER,
    TOGETHER_CHOSEN,
)
from autograder.catalogue.sentences.mask_tokens_rules import (
    DRAWS,
    MASK_ID,
    SPECIAL,
    WORDS,
    B,
    T,
    all_words,
    each_alone,
    each_at_the_rate,
    everywhere_alike,
    hidden_as_due,
    left_at,
    no_end_missing,
    no_padding,
    no_special,
    no_special_token,
    no_start_missing,
    none_below,
    none_but_words,
    not_all_but_the_first,
    not_all_hidden,
    not_left_at,
    noted,
    others_drawn,
    others_vary,
    rows_differ,
    some_replaced,
    something_is_hidden,
    special_not_only_asked,
    words,
    words_differ,
)


def sentences(g, rate=0.5, mask=torch.bool, **settings):
    """tokens [7, 17]: words, some special tokens among them, and padding of any id, words too."""
    tokens = torch.randint(SPECIAL, SPECIAL + WORDS, (B, T), generator=g)
    special = torch.randint(SPECIAL, (B, T), generator=g)
    tokens = torch.where(torch.rand(B, T, generator=g) < 0.2, special, tokens)
    tokens[0, :3] = torch.tensor([SPECIAL, SPECIAL + WORDS - 1, SPECIAL - 1])
    lengths = torch.randint(8, T + 1, (B, 1), generator=g)
    lengths[3] = 9
    seed = int(torch.randint(10**6, (1,), generator=g))
    given = {"tokens": tokens, "mask": (torch.arange(T) < lengths).to(mask), "mask_id": MASK_ID, "seed": seed}
    return given | {"vocab_size": SPECIAL + WORDS, "num_special": SPECIAL, "rate": rate} | settings


def word_by_word(ids, real, hide, size, first, share, rng):
    """A loop over the words, with one draw for each decision."""
    asked, answers = ids.clone(), torch.full_like(ids, -100)
    for b, t in torch.nonzero(real.bool() & (ids >= first)).tolist():
        if torch.rand(1, generator=rng).item() >= share:
            continue
        answers[b, t] = ids[b, t]
        kind = torch.rand(1, generator=rng).item()
        if kind < 0.8:
            asked[b, t] = hide
        elif kind < 0.9:
            asked[b, t] = torch.randint(first, size, (1,), generator=rng).item()
    return asked, answers


GIVEN, LEFT = ["tokens", "mask"], ["chosen", "left_as_they_were"]
NOTED, ONLY_WORDS = "targets are the chosen words, the rest stays", "only words are chosen"
RATE, FATES = "each word with probability rate", "80 % hidden, 10 % another word, 10 % left"
RANDOM_WORD, GENERATOR = "the other word is any word", "the generator decides"
SAID = is_true(
    "a batch",
    ["inputs", "targets"],
    lambda i, t: i.shape == t.shape == (B, T),
    "inputs and targets are not both [B, T]",
)
CAN_CHOOSE = is_true("many draws", ["chosen"], lambda chosen: chosen.sum() > 0, "nothing is ever chosen")
OTHER_DRAW = "a generator in the same state gives another draw"


def of_draws(one, other, same, text):
    def holds(*four):
        return (np.array_equal(four[0], four[1]) and np.array_equal(four[2], four[3])) == same

    return is_true(
        "generators", [f"{which}_{name}" for name in ("inputs", "targets") for which in (one, other)], holds, text
    )


MASK_TOKENS = Exercise(
    id="mask_tokens",
    title="Hide words",
    reference=reference.mask_tokens,
    cases=(
        Case("a batch", sentences),
        Case("every word", lambda g: sentences(g, rate=1.0)),
        Case("no word", lambda g: sentences(g, rate=0.0)),
        Case("a mask of integers", lambda g: sentences(g, rate=1.0, mask=torch.int64, num_special=SPECIAL + 2)),
        Case("many draws", lambda g: sentences(g, ask="count", draws=DRAWS)),
        Case("a low rate", lambda g: sentences(g, rate=0.15, ask="count", draws=DRAWS)),
        Case("generators", lambda g: sentences(g, ask="compare")),
    ),
    criteria=(
        Criterion(
            NOTED,
            1,
            SAID,
            fits("a batch", ["targets"], ["tokens"], noted, "a target is not the word that was chosen"),
            is_true("many draws", ["touched"], lambda n: n == 0, "a token that was not chosen is another one"),
        ),
        Criterion(
            ONLY_WORDS,
            1,
            CAN_CHOOSE,
            fits("every word", ["inputs", "targets"], GIVEN, special_not_only_asked, SPECIAL_TARGET),
            *(
                fits(case, ["targets"], GIVEN, rule, text)
                for rule, text in ((no_special_token, SPECIAL_CHOSEN), (no_padding, PADDING_CHOSEN))
                for case in ("a batch", "every word")
            ),
            fits(
                "a mask of integers", ["targets"], GIVEN, none_but_words, "with a mask of integers, padding is chosen"
            ),
            fits("a mask of integers", ["targets"], ["tokens", "num_special"], none_below, NUM_SPECIAL),
        ),
        Criterion(
            RATE,
            1,
            CAN_CHOOSE,
            fits("every word", ["targets"], GIVEN, not_all_but_the_first, FIRST_NEVER),
            fits(
                "every word",
                ["targets"],
                GIVEN,
                lambda targets, tokens, mask: (targets != -100)[words(tokens, mask)].all(),
                "with a rate of 1, some word is not chosen",
            ),
            is_true(
                "no word", ["targets"], lambda targets: (targets == -100).all(), "with a rate of 0, some is chosen"
            ),
            is_true("many draws", ["numbers_vary"], bool, FIXED_NUMBER),
            is_true("many draws", ["total_varies"], bool, FIXED_TOTAL),
            fits("many draws", ["chosen"], [*GIVEN, "rate"], each_at_the_rate, "the words are chosen at another rate"),
            fits("a low rate", ["chosen"], [*GIVEN, "rate"], each_at_the_rate, "the words are chosen at another rate"),
            fits("many draws", ["chosen"], GIVEN, everywhere_alike, "some places are chosen more often than others"),
            fits("a batch", ["targets"], GIVEN, rows_differ, "the same places are chosen in every sentence"),
            fits("a batch", ["targets"], GIVEN, words_differ, "all words of a sentence are chosen, or none"),
            is_true("many draws", ["spread_of_choice"], each_alone, TOGETHER_CHOSEN),
        ),
        Criterion(
            FATES,
            1,
            CAN_CHOOSE,
            fits("many draws", ["chosen", "hidden"], GIVEN, not_all_hidden, ALL_HIDDEN),
            fits("many draws", ["chosen", "hidden"], GIVEN, hidden_as_due, NOT_HIDDEN),
            is_true("many draws", ["chosen", "hidden", "left_as_they_were"], some_replaced, NONE_REPLACED),
            fits("many draws", LEFT, GIVEN, not_left_at(0.2 / WORDS), NONE_LEFT),
            fits("many draws", LEFT, GIVEN, not_left_at(0.18 + 0.02 / WORDS), TENTH_OF_THE_REST),
            fits("many draws", LEFT, GIVEN, left_at(0.1 + 0.1 / WORDS), NOT_LEFT),
            is_true("many draws", ["spread"], each_alone, TOGETHER),
        ),
        Criterion(
            RANDOM_WORD,
            0.5,
            fits("every word", ["inputs", "targets"], ["tokens"], others_drawn, NEIGHBOUR),
            where(
                is_true("many draws", ["words"], lambda counts: counts.sum() > DRAWS / 4, "no other words came"),
                is_true("many draws", ["words"], no_special, SPECIAL_DRAWN),
                is_true("many draws", ["words"], no_end_missing, LAST_NEVER),
                is_true("many draws", ["words"], no_start_missing, FIRST_NEVER_DRAWN),
                is_true("many draws", ["words"], all_words, "of the words that come instead, some come more often"),
            ),
            fits("many draws", ["hidden"], ["tokens"], something_is_hidden, "no word is hidden"),
            fits(
                "every word", ["inputs", "targets"], ["tokens"], others_vary, "the same word wherever another one comes"
            ),
        ),
        Criterion(
            GENERATOR,
            0.25,
            of_draws("first", "again", True, OTHER_DRAW),
            of_draws("first", "second", False, "one generator gives the same draw again and again"),
            of_draws("first", "other", False, "another generator gives the same draw"),
        ),
        common_criterion(0.25),
    ),
    mistakes=MISTAKES,
    right_variants=(
        word_by_word,
        right(
            "one number for both",
            {
                LUCK: "(luck := torch.rand(tokens.shape, generator=generator)) < rate",
                FATE_LINE: "fate = luck / max(rate, 1e-9)",
            },
        ),
        right(
            "the random words by hand",
            {
                RANDOM: "num_special\n    drawn = drawn + (torch.rand(tokens.shape, generator=generator) * "
                "(vocab_size - num_special)).long()"
            },
        ),
        right(
            "left, another, hidden",
            {
                INPUTS: "tokens.masked_fill(chosen & (fate >= 0.2), mask_id)",
                "(fate >= 0.8) & (fate < 0.9)": "(fate < 0.1)",
            },
        ),
    ),
)
