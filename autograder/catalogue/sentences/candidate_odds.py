"""candidate_odds: the same place of the same sentence, asked about two words."""

from contextlib import ExitStack

import numpy as np
import torch

import course_lib.tasks.bias as reference
from autograder.catalogue.checks import is_true, matches, unmoved, where
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise, common_criterion
from autograder.catalogue.sentences.candidate_odds_mistakes import AFTER_AN_ERROR, MISTAKES, ODDS
from autograder.probes.torch.sentences import stand_in_weights

WORDS, T, PLACE = 13, 7, 3
FIRST, SECOND, MASK = 9, 6, 2


def sentence(g, rows=None, other_word=False, hidden=False, place=PLACE, first=FIRST, second=SECOND, **settings):
    """tokens [7], or [1, 7], both words among them; with another word where it is asked."""
    tokens = torch.randint(5, WORDS, (T,), generator=g)
    tokens[0], tokens[-1] = FIRST, SECOND
    tokens[PLACE] = FIRST
    if other_word:
        tokens[PLACE] = SECOND
    if hidden:
        tokens[place] = MASK
    asked = {"position": place, "first": first, "second": second, "mask_id": MASK}
    return {"weights": stand_in_weights(g, WORDS, T), "tokens": tokens[None] if rows else tokens} | asked | settings


def of_logits(lm, ids, place, one, two, hide):
    """A difference of logits: the softmax subtracts the same of both. Other contexts for the mode, and a mask."""
    row = ids.flatten().tolist()
    row[place] = hide
    modes = [(part, part.training) for part in lm.modules()]
    lm.eval()
    with ExitStack() as at_the_end, torch.inference_mode():
        for part, mode in modes:
            at_the_end.callback(setattr, part, "training", mode)
        logits = lm(torch.tensor([row]), torch.ones(1, len(row), dtype=torch.bool))[0, place]
    return float(logits[one] - logits[two])


VALUE, HIDES, FORMS = "log-odds of the two words", "the word at the place is hidden", "tokens [T] or [1, T]"
HIDDEN = unmoved("a sentence", "another word there", "odds", text="the odds depend on the hidden word")
EVAL, NO_GRADIENT, NUMBER = "asked in eval mode", "asked without gradients", "a plain number"

CANDIDATE_ODDS = Exercise(
    id="candidate_odds",
    title="The odds of two words",
    reference=reference.candidate_odds,
    cases=(
        Case("a sentence", sentence),
        Case("another word there", lambda g: sentence(g, other_word=True), same_as="a sentence"),
        Case("a batch of one", lambda g: sentence(g, rows=1), same_as="a sentence"),
        Case("another place", lambda g: sentence(g, hidden=True, place=1, first=11, second=5)),
        Case("in eval mode", lambda g: sentence(g, mode="was_training")),
        Case("gradients", lambda g: sentence(g, mode="had_gradients")),
        Case("an error", lambda g: sentence(g, mode="an error")),
    ),
    criteria=(
        Criterion(VALUE, 1, matches("another place", "odds"), where(HIDDEN, matches("a sentence", "odds"))),
        Criterion(HIDES, 0.5, HIDDEN),
        Criterion(
            FORMS, 0.25, unmoved("a sentence", "a batch of one", "odds", text="[1, T] gives other odds than [T]")
        ),
        Criterion(
            EVAL,
            0.5,
            is_true("in eval mode", ["was_training"], np.logical_not, "the model was asked while in training mode"),
        ),
        Criterion(
            NO_GRADIENT,
            0.25,
            is_true("gradients", ["had_gradients"], np.logical_not, "the model was asked with gradients"),
        ),
        Criterion(NUMBER, 0.25, is_true("a sentence", ["is_number"], bool, "a tensor came back instead of a float")),
        common_criterion(0.25, is_true("an error", ["restored"], bool, AFTER_AN_ERROR), but=("odds",)),
    ),
    mistakes=MISTAKES,
    right_variants=(
        of_logits,
        right("the logarithm of a quotient", {ODDS: "(log_p[first].exp() / log_p[second].exp()).log().item()"}),
        right(
            "a loss each",
            {
                ODDS: "sum(sign * nn.functional.nll_loss(log_p, torch.tensor(word)).item() "
                "for sign, word in ((1, second), (-1, first)))"
            },
        ),
    ),
)
