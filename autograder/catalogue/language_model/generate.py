"""generate(model, tokens, max_new_tokens, …): continue a text, each token through the model once."""

import torch
from torch import nn

import course_lib.text.generating as reference
from autograder.catalogue.checks import is_true, matches, raises
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise, common_criterion
from autograder.catalogue.language_model.generate_mistakes import ALIKE, DRAWN, MISTAKES, STEP
from autograder.catalogue.modes import quiet

V, P = 13, 11
STOP = 7


def text(g, new=8, prompt=P, rows=3, ends=None, stop=STOP, **settings):
    """A counting model, a prompt [B, P], and after how many new tokens each row says stop."""
    words = torch.tensor([token for token in range(V) if token != stop])
    weights = {"words": words[torch.randperm(len(words), generator=g)], "noise": torch.rand(12, V, generator=g)}
    tokens = torch.randint(STOP, (rows, prompt), generator=g) + (stop == 0)
    ends = {} if ends is None else {"ends": torch.tensor(ends), "stop": stop}
    return {"tokens": tokens, "max_new_tokens": new, "temperature": 0, "weights": weights} | ends | settings


def stop_in_the_prompt(g):
    inputs = text(g, new=9, ends=(3, 1, 6))
    inputs["tokens"][0, 1] = STOP
    return inputs


def draws(g, spread=2.5, **settings):
    """Tokens for many rows, from the logits of their kind, [2, V]."""
    return {"logits": spread * torch.randn(2, V, generator=g), "temperature": 1.6, "ask": "draws"} | settings


def draws_by_default(g):
    inputs = draws(g)
    del inputs["temperature"]
    return inputs


@torch.no_grad()
def by_gumbel(model, tokens, max_new_tokens, generator=None, temperature=1.0, top_k=None, top_p=None, stop=None):
    """The largest of logits and Gumbel noise; the mode around the whole."""
    if tokens.size(1) == 0:
        raise ValueError("empty prompt")
    parts = {part: part.training for part in model.modules()} if isinstance(model, nn.Module) else {}
    done, seen, caches = [False] * len(tokens), 0, None
    try:
        for part in parts:
            part.training = False
        while max_new_tokens > 0 and not all(done):
            logits, caches = model.step(tokens=tokens[:, seen:], caches=caches)
            seen, max_new_tokens = tokens.shape[1], max_new_tokens - 1
            scores = reference.filter_logits(logits[:, -1], temperature, top_k, top_p)
            if temperature > 0:
                scores = scores - torch.rand(scores.shape, generator=generator).clamp(min=1e-30).log().neg().log()
            chosen = [stop if ended else int(row.argmax()) for row, ended in zip(scores, done, strict=True)]
            done = [ended or token == stop for ended, token in zip(done, chosen, strict=True)]
            tokens = torch.cat([tokens, torch.tensor(chosen).unsqueeze(1)], dim=1)
    finally:
        for part, mode in parts.items():
            part.training = mode
    return tokens


SAYS, ONCE, DRAWS = (
    "the prompt and what the model says next",
    "each token goes through the model once",
    "drawn with the generator, from the filtered logits",
)
STOPS = "stop: for each row, and the end when all have"

STOPPED = "rows stop", "token 0 stops them", "no row stops in time", "stop in the prompt"

GENERATE = Exercise(
    id="generate",
    title="Writing a text",
    reference=reference.generate,
    cases=(
        Case("greedy", text),
        Case("a prompt of one token", lambda g: text(g, prompt=1, rows=1, new=4)),
        Case("no new tokens", lambda g: text(g, new=0)),
        Case("an empty prompt", lambda g: text(g, prompt=0)),
        Case("rows stop", lambda g: text(g, new=9, ends=(3, 1, 6))),
        Case("token 0 stops them", lambda g: text(g, new=9, ends=(3, 1, 6), stop=0)),
        Case("no row stops in time", lambda g: text(g, new=4, ends=(7, 9, 8))),
        Case("stop in the prompt", stop_in_the_prompt),
        Case("modes", lambda g: text(g, ask="modes")),
        Case("an error", lambda g: text(g, ask="error")),
        Case("draws", draws, tolerance=0.03),
        Case("draws, no temperature given", draws_by_default, tolerance=0.03),
        Case("filtered draws", lambda g: draws(g, temperature=0.7, top_k=6, top_p=0.9), tolerance=0.03),
        Case(
            "filtered draws at temperature 1",
            lambda g: draws(g, spread=0.8, temperature=1.0, top_k=6, top_p=0.7),
            tolerance=0.03,
        ),
        Case("seeds", lambda g: draws(g, ask="seeds")),
    ),
    criteria=(
        Criterion(
            SAYS,
            0.5,
            *(matches(case, "tokens") for case in ("greedy", "a prompt of one token", "no new tokens")),
            raises("an empty prompt", "ValueError"),
        ),
        Criterion(
            ONCE,
            0.5,
            is_true(
                "greedy",
                ["read", "calls"],
                lambda read, calls: read == P + 7 and calls == 8,
                "the model does not read the prompt in one call, and then one token per call",
            ),
        ),
        Criterion(
            DRAWS,
            0.25,
            is_true("seeds", ["rows_differ"], bool, ALIKE),
            matches("draws", "frequencies"),
            matches("draws, no temperature given", "frequencies"),
            matches("filtered draws", "frequencies"),
            matches("filtered draws at temperature 1", "frequencies"),
            *(
                is_true("seeds", [name], bool, text)
                for name, text in (
                    ("same_again", "the same generator does not give the same text again"),
                    ("others_differ", "another seed of the generator gives the same text"),
                    ("advanced", "the generator is not drawn from"),
                    ("goes_on", "the same generator gives the same text again in the next call"),
                    ("global_left_alone", "torch's own random numbers are used, although there is a generator"),
                    ("cold_draws_nothing", "random numbers are drawn at temperature 0"),
                    ("own_goes_on", "without a generator every call gives the same text"),
                    ("own_same_again", "without a generator, torch.manual_seed does not give the same text again"),
                )
            ),
        ),
        Criterion(STOPS, 0.25, *(matches(case, "ended") for case in STOPPED)),
        quiet(0.25),
        common_criterion(0.25),
    ),
    mistakes=MISTAKES,
    right_variants=(
        by_gumbel,
        right("everything by name", {STEP: "logits, caches = model.step(tokens=new, caches=caches)"}),
        right(
            "by cumulated probabilities",
            {
                DRAWN: "cumulated = filtered.softmax(dim=-1).cumsum(dim=-1)\n"
                "                    number = torch.rand(len(tokens), 1, generator=generator)\n"
                "                    new = (cumulated < number).sum(dim=-1, "
                "keepdim=True).clamp(max=filtered.shape[-1] - 1)"
            },
        ),
    ),
)
