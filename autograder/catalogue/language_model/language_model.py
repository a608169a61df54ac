"""LanguageModel(vocab_size, model_dim, …): embedding, blocks, norm, and the embedding again."""

import torch

import course_lib.model.language_model as reference
from autograder.catalogue.checks import forgets, is_true, matches, moved, same_in_training, unmoved, where
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise, common_criterion
from autograder.catalogue.language_model.language_model_mistakes import MISTAKES, TIED
from autograder.catalogue.language_model.shared import bare
from autograder.catalogue.results import Check, Finding, Results
from autograder.catalogue.weights import drawn, stack
from autograder.shorten_list import shorten_list

V, DIM, HEADS, GROUPS, LAYERS, HIDDEN = 23, 24, 6, 2, 3, 7
B, T = 2, 7
BLOCK = (
    {"attention_norm.weight": (DIM,), "feed_forward_norm.weight": (DIM,)}
    | bare("attention.q_proj", DIM, DIM)
    | bare("attention.k_proj", DIM, GROUPS * DIM // HEADS)
    | bare("attention.v_proj", DIM, GROUPS * DIM // HEADS)
    | bare("attention.o_proj", DIM, DIM)
    | bare("feed_forward.gate_proj", DIM, HIDDEN)
    | bare("feed_forward.up_proj", DIM, HIDDEN)
    | bare("feed_forward.down_proj", HIDDEN, DIM)
)
MATRICES = ("down_proj", "embedding", "gate_proj", "k_proj", "o_proj", "output", "q_proj", "up_proj", "v_proj")
SIZES = {"embedding.weight": (V, DIM), **stack("blocks", LAYERS, BLOCK), "norm.weight": (DIM,)}


def model(g, tied=None, other_first=False, stand_ins=False, **settings):
    """A model with known weights, and tokens [B, T]; `stand_ins` replace its blocks and its last norm."""
    arguments = {"vocab_size": V, "model_dim": DIM, "num_heads": HEADS, "num_kv_heads": GROUPS}
    arguments |= {"num_layers": LAYERS, "hidden_dim": HIDDEN} | ({} if tied is None else {"tied": tied})
    weights = drawn(g, SIZES)
    table = 0.5 * torch.randn(V, DIM, generator=g)
    weights["output.weight"] = table if tied is False else weights["embedding.weight"]
    tokens = torch.randint(V, (B, T), generator=g)
    tokens[0, 1], tokens[1, 2] = 0, 1  # in other models special tokens: here they are like any other
    parts = {str(layer): 0.7 * torch.randn(DIM, DIM, generator=g) for layer in range(LAYERS)}
    parts = {"blocks": parts, "norm": 1 + 0.3 * torch.randn(DIM, generator=g)} if stand_ins else {}
    if other_first:
        tokens[:, 0] = (tokens[:, 0] + 5) % V
    return {"arguments": arguments | settings.pop("more", {}), "weights": weights, "tokens": tokens} | parts | settings


def softer(inputs):
    """The same with matrices half as large in the blocks: larger ones make float32 miss the answer under some seeds."""
    weights = {
        name: weight / 2 if name.startswith("blocks") and weight.ndim == 2 else weight
        for name, weight in inputs["weights"].items()
    }
    return inputs | {"weights": weights}


def by_default(g):
    """No base and no eps given, and tokens so faint that the usual eps is seen."""
    inputs = softer(model(g))
    inputs["weights"]["embedding.weight"] *= 3e-3
    return inputs


def fresh(g, **tied):
    """A model wide enough for its spread to be told, with random tokens."""
    sizes = {
        "vocab_size": 61,
        "model_dim": 32,
        "num_heads": 4,
        "num_kv_heads": 2,
        "num_layers": LAYERS,
        "hidden_dim": 43,
    }
    block = (
        {"attention_norm.weight": (32,), "feed_forward_norm.weight": (32,)}
        | bare("attention.q_proj", 32, 32)
        | bare("attention.k_proj", 32, 16)
        | bare("attention.v_proj", 32, 16)
        | bare("attention.o_proj", 32, 32)
        | bare("feed_forward.gate_proj", 32, 43)
        | bare("feed_forward.up_proj", 32, 43)
        | bare("feed_forward.down_proj", 43, 32)
    )
    names = {"embedding.weight": (61, 32), **stack("blocks", LAYERS, block), "norm.weight": (32,)}
    names["output.weight"] = (61, 32)
    weights = {name: torch.zeros(size) for name, size in names.items()}
    return {
        "arguments": sizes | tied,
        "weights": weights,
        "tokens": torch.randint(61, (5, 41), generator=g),
        "ask": "start",
    }


def spread_as_expected(case: str, where: str = "") -> Check:
    """Each kind of matrix starts as wide as it should; a finding names those that do not."""

    def check(results: Results) -> Finding | None:
        spread = results.output(case, "spread")
        wrong = [name for name, size in zip(MATRICES, spread, strict=True) if size != 1]
        return Finding(f"too wide or too narrow at the start{where}: {shorten_list(wrong, 4)}", case) if wrong else None

    return check


WIRED = matches("wiring", "logits")
FIRST_COUNTS = moved(
    "wiring",
    "another first token",
    "logits",
    at=lambda o: o[:, 4:],
    text="the first token changes nothing of what follows",
)
PIECES = ("in pieces of 3, 1, 3", "in pieces of 1, 6")
PARAMETERS, TIED_HOLDS, START = (
    "parameters of the contract",
    "tied: one parameter with both gradients",
    "a new model knows nothing",
)
WIRING, CACHES = "embedding, blocks in order, norm, output", "each block has its own cache"

LANGUAGE_MODEL = Exercise(
    id="LanguageModel",
    title="A decoder-only language model",
    reference=reference.LanguageModel,
    cases=(
        Case("parameters", lambda g: model(g, tied=True, ask="parameters")),
        Case("parameters, tied not given", lambda g: model(g, ask="parameters")),
        Case("parameters, not tied", lambda g: model(g, tied=False, ask="parameters")),
        Case("start", fresh),
        Case("start, not tied", lambda g: fresh(g, tied=False), same_as="start"),
        Case("wiring", lambda g: model(g, stand_ins=True)),
        Case("wiring, not tied", lambda g: model(g, tied=False, stand_ins=True)),
        Case("wiring again", lambda g: model(g, stand_ins=True, ask="training"), same_as="wiring"),
        Case("after another text", lambda g: model(g, stand_ins=True, ask="afterwards"), same_as="wiring"),
        Case("another first token", lambda g: model(g, stand_ins=True, other_first=True), same_as="wiring"),
        *(
            Case(
                name,
                lambda g, name=name: model(g, stand_ins=True, pieces=[int(n) for n in name[13:].split(", ")]),
                same_as="wiring",
            )
            for name in PIECES
        ),
        Case("your own blocks", lambda g: softer(model(g, more={"base": torch.tensor([50.0, 20.0]), "eps": 0.3}))),
        Case("your own blocks, base and eps not given", by_default),
        Case("tied gradient", lambda g: model(g, stand_ins=True, ask="tied gradient")),
    ),
    criteria=(
        Criterion(PARAMETERS, 0.5, matches("parameters, not tied")),
        Criterion(
            TIED_HOLDS,
            0.5,
            is_true("tied gradient", ["gradient"], lambda g: abs(g).max() > 1e-3, "no gradient reaches the table"),
            where(matches("parameters, not tied"), matches("parameters"), matches("parameters, tied not given")),
            where(WIRED, matches("tied gradient")),
        ),
        Criterion(
            START,
            0.75,
            spread_as_expected("start"),
            spread_as_expected("start, not tied", " if the output has its own weight"),
            is_true("start", ["norms"], lambda norms: norms == 0, "the norms do not start as ones"),
            is_true("start", ["normal"], bool, "the matrices are not all drawn from a normal distribution"),
            is_true("start", ["zeros"], lambda zeros: not zeros, "some numbers of the matrices start as 0"),
            is_true("start", ["copies"], lambda copies: not copies, "the blocks start as copies of each other"),
            is_true("start", ["excess"], lambda excess: excess == 0, "the loss of a new model is not about ln V"),
        ),
        Criterion(
            WIRING,
            1,
            is_true("wiring", ["alone"], bool, "forward returns several things, expected only the logits"),
            WIRED,
            where(matches("parameters, not tied"), matches("wiring, not tied", "logits")),
            same_in_training("wiring", "wiring again"),
            matches("your own blocks", "logits"),
            matches("your own blocks, base and eps not given", "logits"),
        ),
        Criterion(
            CACHES,
            0.75,
            FIRST_COUNTS,
            forgets("wiring", "after another text", "logits"),
            *(
                unmoved("wiring", name, "logits", text="a text in steps gives other logits than in one call")
                for name in PIECES
            ),
            *(
                is_true(name, ["caches"], lambda n: n == LAYERS, "there is not one cache for each block")
                for name in PIECES
            ),
        ),
        common_criterion(0.5),
    ),
    mistakes=MISTAKES,
    forbidden=("transformer",),
    right_variants=(
        right("the embedding tied to the output", {TIED: "self.embedding.weight = self.output.weight"}),
        right(
            "initialised by apply, the output first",
            {
                "        self.embedding = nn.Embedding(vocab_size, "
                "model_dim)\n": "        self.output = nn.Linear(model_dim, vocab_size, "
                "bias=False)\n"
                "        self.embedding = nn.Embedding(vocab_size, model_dim)\n",
                "        self.norm = RMSNorm(model_dim, eps)\n"
                "        self.output = nn.Linear(model_dim, vocab_size, "
                "bias=False)\n": "        self.norm = RMSNorm(model_dim, eps)\n",
            },
        ),
        right(
            "caches by number",
            {
                "for block, cache in zip(self.blocks, caches, "
                "strict=True):": "for number, block in enumerate(self.blocks):",
                "x, cache = block(x, cache)": "x, cache = block(x, cache=None if caches is None else caches[number])",
            },
        ),
    ),
)
