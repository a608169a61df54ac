"""TransformerEncoder(num_layers, **block_args): the stack, and its attention maps."""

import torch

import course_lib.model.encoder as reference
from autograder.catalogue.checks import (
    either,
    fits,
    gradients_reach,
    gradients_whole,
    is_true,
    matches,
    moved,
    unmoved,
    where,
)
from autograder.catalogue.encoder.block_cases import DIM, HIDDEN, VISIBLE, B, H, T
from autograder.catalogue.encoder.block_properties import ONE_IS_HIDDEN_AND_ONE_SEEN
from autograder.catalogue.encoder.transformer_misconceptions import MISCONCEPTIONS
from autograder.catalogue.encoder.transformer_shares import Share
from autograder.catalogue.encoder.transformer_variants import VARIANTS
from autograder.catalogue.exercise import Case, Exercise, Property
from autograder.catalogue.weights import drawn, encoder_block, stack

LAYERS, HIDDEN_DIM = 4, 7
SIZES = stack("layers", LAYERS, encoder_block(DIM, HIDDEN_DIM))


def encoder(g, dropout=None, **settings):
    """A stack with known weights, and x [B, T, DIM]."""
    given = {} if dropout is None else {"dropout": dropout}
    sizes = {"num_layers": LAYERS, "input_dim": DIM, "num_heads": H, "dim_feedforward": HIDDEN_DIM}
    return {
        "arguments": sizes | given,
        "weights": drawn(g, SIZES),
        "x": torch.randn(B, T, DIM, generator=g),
    } | settings


def wired(g, with_mask=False):
    """A stack whose blocks are stand-ins; it has no weights of its own."""
    inputs = encoder(g)
    del inputs["weights"]
    inputs["parts"] = {str(layer): 0.7 * torch.randn(DIM, DIM, generator=g) for layer in range(LAYERS)}
    return inputs | ({"mask": mask(g)} if with_mask else {})


def mask(g):
    """[T, T]"""
    visible = torch.rand(T, T, generator=g) < 0.6
    visible[:, VISIBLE], visible[:, HIDDEN] = True, False
    return visible


def masked(g, moved=None, **settings):
    inputs = encoder(g, **settings)
    visible = mask(g)
    if moved is not None:
        inputs["x"][:, moved] = 2 * torch.randn(B, DIM, generator=g)
    return inputs | {"mask": visible}


def hides_what_it_should(maps, mask):
    return maps.shape == (LAYERS, B, H, T, T) and abs(maps[..., mask == 0]).max() < 1e-6


WIRING_HOLDS = either(matches("wiring"), matches("values"))

WHOLE_GRADIENTS = where(matches("values"), gradients_whole("gradients", tuple(SIZES)), matches("gradients", "of_x"))

TRANSFORMER_ENCODER = Exercise(
    id="TransformerEncoder",
    title="The encoder",
    reference=reference.TransformerEncoder,
    cases=(
        Case("parameters", lambda g: encoder(g, ask="parameters")),
        Case("wiring", wired),
        Case("wiring, masked", lambda g: wired(g, with_mask=True)),
        Case("values", encoder),
        Case("in training", lambda g: encoder(g, training=True), like="values"),
        Case("after another call", lambda g: encoder(g, ask="afterwards"), like="values"),
        Case("masked", masked),
        Case("hidden token moved", lambda g: masked(g, HIDDEN), like="masked"),
        Case("visible token moved", lambda g: masked(g, VISIBLE), like="masked"),
        Case("maps", lambda g: encoder(g, ask="maps"), like="values"),
        Case("maps after another call", lambda g: encoder(g, ask="maps afterwards"), like="values"),
        Case("maps, masked", lambda g: masked(g, ask="maps"), like="masked"),
        Case("training, dropout 1", lambda g: encoder(g, 1.0, training=True), like="values"),
        Case("gradients", lambda g: encoder(g, ask="gradients"), like="values"),
    ),
    properties=(
        Property(Share.PARAMETERS, 0.5, matches("parameters")),
        Property(Share.WIRING, 1, WIRING_HOLDS),
        Property(
            Share.VALUES,
            0.5,
            matches("values"),
            unmoved("values", "in training", text="without dropout given, training changes the output"),
            unmoved("values", "after another call", text="what an earlier call has seen changes the output"),
        ),
        Property(
            Share.MASK,
            0.5,
            *ONE_IS_HIDDEN_AND_ONE_SEEN,
            either(where(matches("wiring"), matches("wiring, masked")), where(matches("values"), matches("masked"))),
        ),
        Property(
            Share.MAPS,
            1,
            is_true(
                "maps",
                ["maps"],
                lambda maps: maps.shape == (LAYERS, B, H, T, T) and abs(maps.sum(-1) - 1).max() < 1e-4,
                "there is not one map [B, h, T, T] for each layer, with rows that sum to 1",
            ),
            unmoved("maps", "maps after another call", text="what an earlier call has seen changes the maps"),
            where(matches("values"), matches("maps")),
        ),
        Property(
            Share.MASKED_MAPS,
            0.5,
            fits("maps, masked", ["maps"], ["mask"], hides_what_it_should, "a hidden token has weight in some map"),
            where(matches("masked"), where(matches("maps"), matches("maps, masked"))),
        ),
        Property(
            Share.ARGUMENTS,
            0.5,
            moved("values", "training, dropout 1", text="dropout=1 changes nothing in training"),
            is_true("maps", ["maps"], lambda maps: maps.shape[2] == H, "num_heads does not reach the blocks"),
        ),
        Property(Share.GRADIENTS, 0.5, gradients_reach("gradients", tuple(SIZES)), WHOLE_GRADIENTS),
    ),
    mistakes=MISCONCEPTIONS,
    forbidden=("TransformerEncoderLayer", "TransformerEncoder", "MultiheadAttention", "multi_head_attention_forward"),
    hints=(
        "nn.ModuleList holds the blocks; make a new one for every layer, from **block_args.",
        "x = layer(x, mask), for every layer: what one gives, the next one takes.",
        "For the maps go the same way, and ask layer.self_attn before each step.",
    ),
    right_variants=VARIANTS,
)
