"""next_token_loss(logits, tokens, mask=None): mean cross-entropy of each token after the first."""

import torch
from torch.nn import functional as F

import course_lib.text.next_token as reference
from autograder.catalogue.checks import finite, is_true, matches, moved, unmoved, where
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise, common_criterion
from autograder.catalogue.language_model.next_token_loss_mistakes import LOSSES, MEAN, MISTAKES

VOCABULARY, T = 11, 7


def texts(g, batch=3, length=T, scale=1.5, **settings):
    """Logits [B, T, V] and tokens [B, T], 0 a token like any other."""
    tokens = torch.randint(VOCABULARY, (batch, length), generator=g)
    if length > 2:
        tokens[:, 2] = 0
    return {"logits": scale * torch.randn(batch, length, VOCABULARY, generator=g), "tokens": tokens} | settings


def padded(g, lengths=(7, 2, 4), before=(0, 0, 0), moved=False, **settings):
    """Texts of these lengths in rows of 7, some with padding `before` them; other logits where nothing counts."""
    inputs, places = texts(g), torch.arange(T)
    start = torch.tensor(before)[:, None]
    mask = (places >= start) & (places < torch.tensor(lengths)[:, None] + start)
    if moved:
        nowhere = torch.cat([~mask[:, 1:], torch.ones(3, 1, dtype=torch.bool)], dim=1)
        inputs["logits"][nowhere] = torch.randn(int(nowhere.sum()), VOCABULARY, generator=g)
    return inputs | {"mask": mask} | settings


def without_mask(g):
    inputs = padded(g)
    del inputs["mask"]
    return inputs


def sure(g):
    """Logits of ±1,000: right about some tokens, wrong about others."""
    inputs = texts(g)
    picked = F.one_hot(inputs["tokens"].roll(-1, 1), VOCABULARY)
    picked[1] = picked[1].roll(1, -1)
    return inputs | {"logits": 1000.0 * (2.0 * picked - 1)}


def nothing_real(g):
    inputs = texts(g)
    return inputs | {"mask": torch.zeros(3, T, dtype=torch.bool), "gradient": True}


def by_log_softmax(logits, tokens, mask=None):
    chosen = logits.log_softmax(-1)[:, :-1].gather(2, tokens[:, 1:, None])[..., 0]
    if mask is None:
        mask = torch.ones_like(tokens)
    real = mask[:, 1:].to(chosen.dtype)
    return -(chosen * real).sum() / real.sum().clamp(min=1)


SHIFTED = matches("one text", "loss"), matches("three texts", "loss")
NEXT, PADDING, ZERO = "each token predicts the next one", "only real targets count", "0 if there is nothing to predict"
STABLE = "finite for logits of 1,000"

NEXT_TOKEN_LOSS = Exercise(
    id="next_token_loss",
    title="The loss of a language model",
    reference=reference.next_token_loss,
    cases=(
        Case("three texts", texts),
        Case("one text", lambda g: texts(g, batch=1, length=5)),
        Case("two tokens", lambda g: texts(g, batch=2, length=2)),
        Case("one target", lambda g: texts(g, batch=1, length=2)),
        Case("all real", lambda g: padded(g, lengths=(7, 7, 7))),
        Case("padding", padded),
        Case("padding again", padded, same_as="padding"),
        Case("padding, and no mask", without_mask, same_as="padding"),
        Case("padding in every text", lambda g: padded(g, lengths=(5, 2, 4))),
        Case("padding first", lambda g: padded(g, lengths=(7, 3, 5), before=(0, 4, 1))),
        Case("other logits where nothing counts", lambda g: padded(g, moved=True), same_as="padding"),
        Case("one token", lambda g: texts(g, length=1, gradient=True)),
        Case("nothing real", nothing_real),
        Case("sure of itself", sure),
        Case("gradient", lambda g: texts(g, gradient=True)),
    ),
    criteria=(
        Criterion(
            NEXT,
            1,
            *SHIFTED,
            matches("two tokens", "loss"),
            matches("one target", "loss"),
            matches("gradient", "gradient"),
        ),
        Criterion(
            PADDING,
            0.75,
            unmoved("padding", "padding again", "loss", text="the same inputs give different numbers in each call"),
            moved("padding", "padding, and no mask", "loss", text="the mask changes nothing"),
            where(
                SHIFTED[1],
                unmoved(
                    "padding",
                    "other logits where nothing counts",
                    "loss",
                    text="logits whose target is padding change the loss",
                ),
                *(matches(case, "loss") for case in ("all real", "padding", "padding in every text", "padding first")),
            ),
        ),
        Criterion(
            ZERO,
            0.5,
            *(
                is_true(
                    case,
                    ["loss", "has_graph"],
                    lambda loss, graph: loss == 0 and graph,
                    "no 0 that can be backpropagated",
                )
                for case in ("one token", "nothing real")
            ),
            finite("nothing real", "gradient", text="the gradient of nothing is NaN"),
        ),
        Criterion(
            STABLE,
            0.25,
            finite("sure of itself", "loss", text="logits of 1,000 give NaN or infinity"),
            is_true("sure of itself", ["loss"], lambda loss: loss > 100, "a confident mistake costs too little"),
            where(SHIFTED[1], matches("sure of itself", "loss")),
        ),
        common_criterion(0.5),
    ),
    mistakes=MISTAKES,
    right_variants=(
        by_log_softmax,
        right(
            "by ignore_index",
            {
                LOSSES: "logits[:, :-1].flatten(0, 1)\n"
                "    targets = tokens[:, 1:] if mask is None else tokens[:, 1:].masked_fill(~mask[:, 1:], -100)",
                "    if mask is not None:\n        losses = losses[mask[:, 1:].bool()]  # [N]\n": "",
                MEAN: 'F.cross_entropy(losses, targets.flatten(), reduction="sum") / (targets != '
                "-100).sum().clamp(min=1)",
            },
        ),
    ),
)
