"""TransformerPredictor(input_dim, model_dim, num_classes, num_heads, num_layers, …, *, rngs) as a flax module."""

import numpy as np

import course_lib.jax.model as reference
from autograder.catalogue.checks import is_true, matches, moved, unmoved, where
from autograder.catalogue.common_jax_mistakes import GUESSED, NO_KEY
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise, common_criterion
from autograder.catalogue.jax_model.module_checks import (
    DRAWS,
    JIT,
    KEYS,
    OWN_KEYS,
    STATE,
    keyed,
    state,
    traced,
)
from autograder.catalogue.jax_model.predictor_mistakes import ENCODED, HIDDEN, MAPS, MISTAKES
from autograder.catalogue.jax_model.transformer_encoder_mistakes import NOISY_MAPS
from autograder.catalogue.of_torch import as_in
from autograder.catalogue.training.predictor import MASK, OF_FORWARD, POSITIONS, masked, tokens
from autograder.catalogue.training.predictor import PREDICTOR as OF_TORCH

# of what torch's cases ask besides: its dropouts by name, its modes, and what its optimiser is told
NOT_SHARED = ("dropout, training", "input dropout, training", "maps, training", "all arguments", "everything dropped")
ACTS = ("dropout acts", "input dropout acts")
DROPS = "dropout while training, and only then"


def dropping(g, rate, **settings):
    return tokens(g, dropout=rate, input_dropout=rate) | settings


def faint(g):
    """What output_norm gets varies as little as its epsilon, around 3: a variance from squares loses its digits."""
    case = tokens(g)
    small = {name: 2e-3 * x if name.startswith("output_net.0") else x for name, x in case["weights"].items()}
    return case | {"weights": small | {"output_net.0.bias": small["output_net.0.bias"] + 3}}


JAX_PREDICTOR = Exercise(
    id="jax_TransformerPredictor",
    title="The predictor as a flax module",
    reference=reference.TransformerPredictor,
    answer_key_of=OF_TORCH,
    cases=(
        *(case for case in OF_TORCH.cases if case.name not in NOT_SHARED),
        Case("everything dropped", lambda g: tokens(g, "twice", training=True, dropout=1.0), same_as="values"),
        Case("state", lambda g: tokens(g, "state"), same_as="values"),
        Case("traced", lambda g: tokens(g, "jit"), same_as="values"),
        Case("masked, traced", lambda g: masked(g, ask="jit"), same_as="masked"),
        Case("dropout acts", lambda g: tokens(g, "random", training=True, dropout=0.5), same_as="values"),
        Case("input dropout acts", lambda g: tokens(g, "random", training=True, input_dropout=0.5), same_as="values"),
        Case("encoder told", lambda g: tokens(g, "encoder told", training=True), same_as="values"),
        Case("encoder drops", lambda g: tokens(g, "encoder drops", training=True, dropout=0.5), same_as="values"),
        Case("maps, nobody trains", lambda g: tokens(g, "maps", dropout=0.5, input_dropout=0.5), same_as="values"),
        Case("draws", lambda g: {name: given for name, given in tokens(g, "draws").items() if name != "weights"}),
        Case("faint", faint, tolerance=1e-3),
        *keyed(dropping),
    ),
    criteria=(
        Criterion(
            STATE,
            0.5,
            matches("state", "number of parameters"),
            state("state")[1],
            *DRAWS,
        ),
        Criterion("values", 0.5, matches("values", "output"), where(matches("values", "output"), matches("faint"))),
        *as_in(OF_TORCH, {POSITIONS: 0.5}),
        Criterion(
            MASK,
            0.5,
            *as_in(OF_TORCH, {MASK: 0.5})[0].checks,
            where(matches("values", "output"), matches("masked", "output")),
        ),
        Criterion(
            OF_FORWARD,
            0.5,
            *as_in(OF_TORCH, {OF_FORWARD: 0.5})[0].checks,
            unmoved("maps", "maps, nobody trains", "maps", text=NOISY_MAPS),
        ),
        *as_in(OF_TORCH, {"samples do not mix": 0.25}),
        Criterion(
            DROPS,
            0.25,
            unmoved("values", "dropout, evaluated", "output", text="something drops although nobody trains"),
            is_true("dropout acts", ["random"], bool, "with dropout, a call that trains drops nothing"),
            is_true("input dropout acts", ["random"], bool, "with input_dropout, a call that trains drops nothing"),
            is_true("encoder told", ["told"], bool, "the transformer isn't told to train"),
            is_true("encoder drops", ["drops"], bool, "with dropout, nothing drops inside the transformer"),
            unmoved("values", "no dropout, training", "output", text="without dropout, training differs"),
            *(
                where(matches("values", "output"), matches(case, "output"))
                for case in ("everything dropped", "whole input dropped")
            ),
            *(is_true(case, ["guessed"], lambda guessed: not guessed, GUESSED) for case in ACTS),
        ),
        Criterion(
            KEYS,
            0.25,
            unmoved("dropped", "dropped again", "output", text=NO_KEY),
            moved("dropped", "dropped, another key", "output", text="another key drops the same entries"),
            OWN_KEYS,
        ),
        Criterion(JIT, 0.25, traced(), traced("masked", "masked, traced")),
        *as_in(OF_TORCH, {"gradients reach every parameter": 0.25}),
        common_criterion(0.25, is_true("values", ["output"], np.size, "nothing came back")),
    ),
    mistakes=MISTAKES,
    forbidden=("MultiHeadAttention", "dot_product_attention", "MultiHeadDotProductAttention", "SelfAttention"),
    right_variants=(
        right("relu of jax", {HIDDEN: HIDDEN.replace("nnx.relu", "jax.nn.relu")}),
        right(
            "maps by hand, a tuple",
            {
                f"return {MAPS}": """maps = ()
        for layer in self.transformer.layers:
            maps += (layer.self_attn(x, mask=mask, return_attention=True)[1],)
            x = layer(x, mask=mask)
        return maps"""
            },
        ),
        right(
            "layers one by one",
            {
                ENCODED: "x",
                "        hidden = nnx": "        for layer in self.transformer.layers:\n"
                "            x = layer(x, mask, **noise)\n        hidden = nnx",
            },
        ),
        right("flags by name", {ENCODED: "self.transformer(x, mask=mask, deterministic=deterministic, rngs=rngs)"}),
    ),
)
