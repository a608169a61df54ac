"""AttentiveDecoder(vocab_size, model_dim, memory_dim): before each step its state asks the memory."""

import numpy as np
import torch

import course_lib.model.attentive as reference
from autograder.catalogue.checks import (
    either,
    finite,
    forgets,
    matches,
    matches_expected_of,
    moved,
    same_alone,
    same_in_training,
    unmoved,
    where,
)
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise, common_criterion
from autograder.catalogue.gradients import gradients_flow
from autograder.catalogue.origins.attentive_decoder_mistakes import FIRST, GUESS, MEAN, MISTAKES
from autograder.catalogue.origins.attentive_decoder_promises_mistakes import PARAMETERS_AND_PROMISES
from autograder.catalogue.weights import drawn, linear

VOCABULARY, MODEL, MEMORY = 13, 5, 7  # widths
B, T, S = 3, 4, 11
LENGTHS = (8, 11, 1)  # of what is seen
BLIND = 2  # the sample that sees nothing
PLACE = 1  # of the token that is moved
ARGUMENTS = {"vocab_size": VOCABULARY, "model_dim": MODEL, "memory_dim": MEMORY}
SIZES = (
    {"embedding.weight": (VOCABULARY, MODEL)}
    | linear("start", MEMORY, MODEL)
    | {
        "attention.query_proj.weight": (MODEL, MODEL),
        "attention.key_proj.weight": (MODEL, MEMORY),
        "attention.score.weight": (1, MODEL),
        "cell.weight_ih": (3 * MODEL, MODEL + MEMORY),
        "cell.weight_hh": (3 * MODEL, MODEL),
        "cell.bias_ih": (3 * MODEL,),
        "cell.bias_hh": (3 * MODEL,),
    }
    | linear("output", MODEL + MEMORY, VOCABULARY)
)


def decode(
    g, mask=None, padding=None, seen=None, token=None, blind=None, zeros=False, sample=None, steps=T, long=S, **settings
):
    """tokens [3, 4], memory [3, 11, 7]; with a mask of a dtype, other padding, other or less memory, another token."""
    weights = drawn(g, SIZES)
    weights["attention.score.weight"] *= 4  # so that the attention is far from even
    tokens, memory = torch.randint(VOCABULARY, (B, T), generator=g), torch.randn(B, S, MEMORY, generator=g)
    tokens[0, 0], tokens[1, 0] = 0, 1  # in other models special tokens: here they are like any other
    visible = torch.arange(S) < torch.tensor(LENGTHS)[:, None]
    visible[0, 1] = visible[1, 0] = False  # the padding may be anywhere
    other = 2 * torch.randn(B, S, MEMORY, generator=g)
    if padding:
        memory = torch.where(visible.unsqueeze(-1), memory, other)
    if seen:
        memory[:, 2] = other[:, 2]
    if token is not None:
        tokens[:, token] = (tokens[:, token] + 1) % VOCABULARY
    if blind is not None:
        visible[blind] = False
    if zeros:
        memory[blind] = 0.0
    inputs = {"tokens": tokens[:, :steps], "memory": memory[:, :long]}
    if mask is not None:
        inputs["mask"] = visible.to(mask)
    if sample is not None:
        inputs = {name: tensor[sample : sample + 1] for name, tensor in inputs.items()}
    return {"arguments": ARGUMENTS, "weights": weights} | inputs | settings


def up_to(place):
    return {"at": lambda array: array[:, : place + 1]}


def after(place):
    return {"at": lambda array: array[:, place + 1 :]}


OTHERS = {"at": lambda array: np.delete(array, BLIND, axis=0)}


class KeysOnce(reference.AttentiveDecoder):
    """The keys are projected once for all steps, and the steps are counted."""

    def forward(self, target, states, mask=None):
        keys = self.attention.key_proj(states)
        visible = torch.ones(states.shape[:2], dtype=torch.bool) if mask is None else mask.bool()
        count = visible.sum(1, keepdim=True)
        mean = torch.where(visible[..., None], states, 0.0).sum(1) / torch.where(count == 0, 1, count)
        h, steps = self.start(mean), []
        for t in range(target.shape[1]):
            energy = self.attention.score(torch.tanh(keys + self.attention.query_proj(h)[:, None])).squeeze(2)
            weights = torch.softmax(energy.masked_fill(~visible, -1e9), dim=1)
            context = torch.einsum("bs,bsm->bm", weights, states)
            h = self.cell(torch.cat((self.embedding(target[:, t]), context), 1), h)
            steps.append((self.output(torch.cat((h, context), 1)), weights))
        logits, attention = zip(*steps, strict=True)
        return torch.stack(logits, 1), torch.stack(attention, 1)


PARAMETERS, START = "parameters of the contract", "the first state is the mean of the memory"
SEEN, ASKS, LOGITS = (
    "padding does not affect the result",
    "the state before the step asks",
    "logits from state and context",
)
NO_NAN = "a memory of padding alone gives finite numbers"

ATTENTIVE_DECODER = Exercise(
    id="AttentiveDecoder",
    title="A decoder that attends",
    reference=reference.AttentiveDecoder,
    cases=(
        Case("parameters", lambda g: decode(g, ask="parameters")),
        Case("no mask", decode),
        Case("one step", lambda g: decode(g, steps=1), same_as="no mask"),
        Case("one sample of it", lambda g: decode(g, sample=1), same_as="no mask"),
        Case("a memory shorter than the text", lambda g: decode(g, long=3), same_as="no mask"),
        Case("another token", lambda g: decode(g, token=PLACE), same_as="no mask"),
        Case("in training", lambda g: decode(g, ask="training"), same_as="no mask"),
        Case("after another call", lambda g: decode(g, ask="afterwards"), same_as="no mask"),
        Case("masked", lambda g: decode(g, mask=torch.bool), same_as="no mask"),
        Case("other padding", lambda g: decode(g, mask=torch.bool, padding=True), same_as="no mask"),
        Case("other memory", lambda g: decode(g, mask=torch.bool, seen=True), same_as="no mask"),
        Case("mask of integers", lambda g: decode(g, mask=torch.int64), same_as="no mask"),
        Case("mask of floats", lambda g: decode(g, mask=torch.float32), same_as="no mask"),
        Case("a memory of padding alone", lambda g: decode(g, mask=torch.bool, blind=BLIND), same_as="no mask"),
        Case(
            "a memory of padding of zeros",
            lambda g: decode(g, mask=torch.bool, blind=BLIND, zeros=True),
            same_as="no mask",
        ),
        Case("gradients", lambda g: decode(g, mask=torch.bool, ask="gradients")),
    ),
    criteria=(
        Criterion(PARAMETERS, 0.5, matches("parameters")),
        Criterion(START, 0.75, matches("one step", "attention")),
        Criterion(
            ASKS,
            1,
            unmoved(
                "no mask",
                "another token",
                "attention",
                text="where step t looks depends on token t: the state before the step must be the query",
                **up_to(PLACE),
            ),
            moved(
                "no mask",
                "another token",
                "attention",
                text="where a step looks does not depend on the tokens before",
                **after(PLACE),
            ),
            where(matches("one step"), matches("no mask", "attention")),
        ),
        Criterion(
            LOGITS,
            1,
            matches("one step", "logits"),
            unmoved("no mask", "another token", "logits", text="a step sees the token after it", **up_to(PLACE - 1)),
            moved(
                "no mask", "another token", "logits", text="another token does not change its step", **after(PLACE - 1)
            ),
            where(matches("no mask", "attention"), matches("no mask")),
            where(matches("no mask"), matches("a memory shorter than the text")),
            same_alone("no mask", "one sample of it", 1),
            same_in_training("no mask"),
        ),
        Criterion(
            SEEN,
            0.75,
            unmoved("masked", "other padding", text="other numbers in the padding change something"),
            moved("masked", "other memory", text="another memory changes nothing"),
            where(matches("no mask"), matches("masked")),
            unmoved("masked", "mask of integers", text="the same mask as integers gives different numbers"),
            unmoved("masked", "mask of floats", text="the same mask as floats gives different numbers"),
        ),
        Criterion(
            NO_NAN,
            0.25,
            finite("a memory of padding alone", text="a memory of padding alone gives NaN"),
            unmoved("masked", "a memory of padding alone", text="a blind sample changes what the others get", **OTHERS),
            where(  # what the attention makes of it may be its mean, or zeros
                matches("masked"),
                either(
                    matches("a memory of padding alone", "logits"),
                    matches_expected_of("a memory of padding of zeros", "a memory of padding alone", "logits"),
                ),
            ),
        ),
        gradients_flow(0.25, SIZES, ("memory",), matches("masked")),
        common_criterion(0.5, forgets("no mask")),
    ),
    mistakes=MISTAKES + PARAMETERS_AND_PROMISES,
    right_variants=(
        KeysOnce,
        right(
            "padding set to 0 as well",
            {
                "        seen = ": "        memory = memory if mask is None else "
                "memory.masked_fill(mask.logical_not().unsqueeze(-1), 0.0)\n        seen = "
            },
        ),
        right(
            "mean by a matrix product",
            {MEAN: "(seen.unsqueeze(1) @ memory).squeeze(1) / seen.sum(1, True).clamp(min=1)"},
        ),
        right(
            "a mean of zeros where nothing is seen",
            {FIRST: f"self.start(({MEAN.replace('.clamp(min=1)', '')}).nan_to_num())"},
        ),
        right(
            "output in two parts",
            {
                GUESS: "state @ self.output.weight[:, : state.shape[1]].T"
                " + context @ self.output.weight[:, state.shape[1] :].T + self.output.bias"
            },
        ),
    ),
)
