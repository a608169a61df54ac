"""TransformerEncoder(num_layers, *, rngs, **block_args) as a flax module: the stack, and its attention maps."""

import jax
import numpy as np
from flax import nnx

import course_lib.jax.model as reference
from autograder.catalogue.checks import forgets, is_true, matches, moved, same_in_training, unmoved, where
from autograder.catalogue.common_jax_mistakes import GUESSED, NO_KEY
from autograder.catalogue.encoder.transformer_encoder import LAYERS, TRANSFORMER_ENCODER, encoder, masked
from autograder.catalogue.exercise import Case, Criterion, Exercise, common_criterion
from autograder.catalogue.jax_model.module_checks import (
    DRAWS,
    JIT,
    KEYS,
    OWN_KEYS,
    STATE,
    in_flax,
    keyed,
    state,
    traced,
)
from autograder.catalogue.jax_model.transformer_encoder_mistakes import ALIKE_AT_FIRST, MISTAKES, NOISY_MAPS, SAME_KEY
from course_lib.jax.model import EncoderBlock

CHECKS = {share.name: share.checks for share in TRANSFORMER_ENCODER.criteria}
NOT_SHARED = ("maps in training",)  # here the maps are always those of the deterministic forward pass
OWN = "each layer begins with numbers of its own"
MASK, MAPS = "the mask reaches every layer", "one attention map for each layer"
MAPS_MASKED = "under a mask too, the maps of the forward pass"


def without_weights(g, **settings):
    """A stack whose numbers nobody looks at: a question may hold a thousand tensors."""
    return {name: value for name, value in encoder(g, **settings).items() if name != "weights"}


def differ(drawn):
    """No two layers draw the same."""
    return len(set(drawn.round(4))) == drawn.size == LAYERS


def all_told(number):
    return abs(number - LAYERS) < 1e-3


def unlike(kernels):
    """No two layers begin alike."""
    flat = kernels.reshape(len(kernels), -1).astype(np.float64)
    apart = np.abs(flat[:, None] - flat).max(-1) + np.eye(len(flat))
    return len(flat) == LAYERS and (apart > 1e-3).all() and (flat.std(1) > 1e-3).all()


class OneTensorOfMaps(nnx.Module):
    """Keywords throughout, layers appended one by one, maps stacked."""

    def __init__(self, num_layers, *, rngs, **block_args):
        self.layers = nnx.List([])
        for _ in range(num_layers):
            self.layers.append(EncoderBlock(rngs=rngs, **block_args))

    def __call__(self, src, src_mask=None, *, deterministic=True, rngs=None):
        for place in range(len(self.layers)):
            src = self.layers[place](src, mask=src_mask, deterministic=deterministic, rngs=rngs)
        return src

    def get_attention_maps(self, src, src_mask=None):
        maps = []
        for layer in self.layers:
            maps.append(layer.self_attn(src, mask=src_mask, return_attention=True)[1])
            src = layer(src, mask=src_mask, deterministic=True)
        return jax.numpy.stack(maps)


class MapsOfTheCall(nnx.Module):
    """One loop for the call and for the maps."""

    def __init__(self, num_layers, *, rngs, **block_args):
        self.layers = nnx.List([EncoderBlock(rngs=rngs, **block_args) for _ in range(num_layers)])

    def run(self, x, mask, **noise):
        maps = []
        for layer in self.layers:
            maps.append(layer.self_attn(x, mask, return_attention=True)[1])
            x = layer(x, mask, **noise)
        return x, maps

    def __call__(self, x, mask=None, *, deterministic=True, rngs=None):
        return self.run(x, mask, deterministic=deterministic, rngs=rngs)[0]

    def get_attention_maps(self, x, mask=None):
        return self.run(x, mask)[1]


JAX_TRANSFORMER_ENCODER = Exercise(
    id="jax_TransformerEncoder",
    title="The encoder as a flax module",
    reference=reference.TransformerEncoder,
    answer_key_of=TRANSFORMER_ENCODER,
    cases=(
        *(case for case in TRANSFORMER_ENCODER.cases if case.name not in NOT_SHARED),
        Case("traced", lambda g: encoder(g, ask="jit"), same_as="values"),
        Case("masked, traced", lambda g: masked(g) | {"ask": "jit"}, same_as="masked"),
        Case("draws", lambda g: without_weights(g, ask="draws")),
        Case("start", lambda g: without_weights(g, ask="start")),
        Case("dropout, nobody trains", lambda g: encoder(g, 0.5), same_as="values"),
        Case("told to train", lambda g: without_weights(g, training=True, ask="told")),
        Case("keys of the layers", lambda g: without_weights(g, training=True, ask="keys of layers")),
        Case("maps, nobody trains", lambda g: encoder(g, 0.5, ask="maps"), same_as="values"),
        *keyed(encoder),
    ),
    criteria=(
        Criterion(STATE, 0.5, *CHECKS["parameters of the contract, new ones for each layer"], state("parameters")[1]),
        Criterion(OWN, 0.25, is_true("start", ["kernels"], unlike, ALIKE_AT_FIRST), *DRAWS),
        Criterion("one block after the other", 0.5, *CHECKS["one block after the other"]),
        Criterion("values, with your own blocks", 0.25, matches("values"), same_in_training("values")),
        Criterion(MASK, 0.5, *CHECKS[MASK]),
        Criterion(MAPS, 0.5, CHECKS[MAPS][0], where(matches("values"), matches("maps"))),
        Criterion(
            MAPS_MASKED, 0.25, *CHECKS[MAPS_MASKED], unmoved("maps", "maps, nobody trains", "maps", text=NOISY_MAPS)
        ),
        Criterion(
            KEYS,
            0.5,
            *CHECKS["the arguments reach the blocks"],
            unmoved("values", "dropout, nobody trains", "output", text="something drops although nobody trains"),
            where(
                matches("values"),
                is_true("told to train", ["told"], all_told, "not every layer is told to train"),
                is_true("keys of the layers", ["drawn"], np.all, "a layer gets no keys"),
                is_true("keys of the layers", ["drawn"], differ, SAME_KEY),
            ),
            OWN_KEYS,
            unmoved("dropped", "dropped again", text=NO_KEY),
            moved("dropped", "dropped, another key", text="another key drops the same entries"),
            is_true("told to train", ["guessed"], lambda guessed: not guessed, GUESSED),
        ),
        Criterion(JIT, 0.25, traced(), traced("masked", "masked, traced")),
        common_criterion(0.25, forgets("values"), forgets("maps", "maps after another call")),
        Criterion("gradients reach every parameter", 0.25, *in_flax(*CHECKS["gradients reach every parameter"])),
    ),
    mistakes=MISTAKES,
    forbidden=("MultiHeadAttention", "dot_product_attention", "MultiHeadDotProductAttention", "SelfAttention"),
    right_variants=(OneTensorOfMaps, MapsOfTheCall),
)
