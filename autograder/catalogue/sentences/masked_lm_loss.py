"""masked_lm_loss(model, batch): cross-entropy and accuracy over what was asked, and 0 where nothing was."""

import torch

import course_lib.tasks.masked_words as reference
from autograder.catalogue.checks import finite, is_true, matches, unmoved, where
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise, common_criterion
from autograder.catalogue.reverse.reverse_loss import FINITE_WHEN_SURE
from autograder.catalogue.reverse.reverse_loss import SURE as SURE_OF_ITSELF
from autograder.catalogue.sentences.masked_lm_loss_mistakes import ACCURACY, LOSS, MISTAKES
from autograder.probes.torch.sentences import StandInForWords, stand_in_weights
from autograder.probes.torch.stand_in import SURE

WORDS, B, T = 13, 5, 11
CLEAR = 1e-3  # between the two largest logits: what the model guesses is the same on every machine


def sentences(g, asked=0.4, lengths=(T,) * B, padding=False, guessed=False, **settings):
    """inputs, targets, mask [5, 11]; of these lengths, other padding, or targets of which the model guesses most."""
    while True:
        weights = stand_in_weights(g, WORDS, T)
        inputs, other, targets = (torch.randint(1, WORDS, (B, T), generator=g) for _ in range(3))
        mask = torch.arange(T) < torch.tensor(lengths)[:, None]
        inputs = torch.where(mask, inputs, other if padding else 0)
        with torch.no_grad():
            logits = StandInForWords({name: weight.double() for name, weight in weights.items()})(inputs, mask)
        first, second = logits.topk(2).values.unbind(-1)
        if (first - second)[mask].min() > CLEAR:
            break
    chosen = (torch.rand(B, T, generator=g) < asked) & mask
    chosen[0, :3] = torch.tensor([True, False, False]) & (asked > 0)
    chosen[0, 1] = chosen.sum() > 1 and chosen.sum() % 2 == 1  # so that the number of several is even
    if guessed:
        missed = torch.rand(B, T, generator=g) < 0.3
        missed[0, :3] = torch.tensor([True, False, False])
        targets = torch.where(missed, (logits.argmax(-1) + 1) % WORDS, logits.argmax(-1))
    return {
        "weights": weights,
        "inputs": inputs,
        "targets": targets.masked_fill(~chosen, -100),
        "mask": mask,
    } | settings


def sure(g):
    """The same batch, and a model that is sure of itself: rightly or not."""
    inputs = sentences(g)
    return inputs | {"weights": {name: SURE * weight for name, weight in inputs["weights"].items()}}


def of_the_chosen(net, triple):
    """The chosen places picked out first; a sum of nothing is 0."""
    ids, answers, real = triple
    at = answers != -100
    scores, expected = net(ids, real)[at], answers[at]  # [N, V], [N]
    n = max(len(expected), 1)
    return -scores.log_softmax(-1).gather(1, expected[:, None]).sum() / n, (
        scores.argmax(1) == expected
    ).sum().item() / n


LOSS_IS, SHARE = "cross-entropy, the mean over what was asked", "accuracy over what was asked"
UNHEARD, NOTHING, GRADIENT = (
    "the model is told what is padding",
    "nothing asked gives 0",
    "a gradient reaches the model",
)
LEARNS = is_true("training", ["gradient"], lambda g: abs(g).max() > 1e-6, "no gradient reaches the model")
PADDED = (11, 7, 8, 4, 10)

MASKED_LM_LOSS = Exercise(
    id="masked_lm_loss",
    title="The loss of hidden words",
    reference=reference.masked_lm_loss,
    cases=(
        Case("a batch", sentences),
        Case("sure", sure, same_as="a batch"),
        Case("one word asked", lambda g: sentences(g, asked=0.001)),
        Case("mostly right", lambda g: sentences(g, guessed=True, asked=0.6)),
        Case("padded", lambda g: sentences(g, lengths=PADDED)),
        Case("other padding", lambda g: sentences(g, lengths=PADDED, padding=True), same_as="padded"),
        Case("nothing asked", lambda g: sentences(g, asked=0.0)),
        Case("nothing asked, training", lambda g: sentences(g, asked=0.0, training=True)),
        Case("training", lambda g: sentences(g, training=True)),
    ),
    criteria=(
        Criterion(LOSS_IS, 0.75, matches("a batch", "loss"), matches("one word asked", "loss")),
        Criterion(
            SURE_OF_ITSELF,
            0.25,
            FINITE_WHEN_SURE,
            is_true("sure", ["loss"], lambda loss: loss > 50, "a model that is sure and mostly wrong costs little"),
            where(matches("a batch", "loss"), matches("sure", "loss")),
        ),
        Criterion(SHARE, 0.5, matches("mostly right", "accuracy")),
        Criterion(
            UNHEARD, 0.5, unmoved("padded", "other padding", "loss", text="the content of the padding changes the loss")
        ),
        Criterion(
            NOTHING,
            0.5,
            finite("nothing asked", text="where nothing is asked, NaN comes back"),
            matches("nothing asked", "loss", "accuracy"),
            finite("nothing asked, training", "gradient", text="where nothing is asked, the gradient is NaN"),
            where(
                LEARNS,
                is_true(
                    "nothing asked, training",
                    ["loss_follows"],
                    bool,
                    "where nothing is asked, the loss has no gradient",
                ),
            ),
        ),
        Criterion(GRADIENT, 0.25, LEARNS),
        common_criterion(0.25, but=("accuracy",)),
    ),
    mistakes=MISTAKES,
    right_variants=(
        of_the_chosen,
        right("flattened", {LOSS: 'F.cross_entropy(logits.flatten(0, 1), targets.flatten(), reduction="sum") / count'}),
        right("a plain number", {ACCURACY: f"({ACCURACY}).item()"}),
    ),
)
