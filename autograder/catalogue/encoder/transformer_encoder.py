"""TransformerEncoder(num_layers, **block_args): the stack, and its attention maps."""

import torch
from torch import nn

import course_lib.model.encoder as reference
from autograder.catalogue.checks import either, fits, forgets, is_true, matches, moved, same_in_training, where
from autograder.catalogue.encoder.block_cases import DIM, HIDDEN, VISIBLE, B, H, T, mask
from autograder.catalogue.encoder.block_checks import HIDDEN_IS_HIDDEN, SEEN_IS_SEEN, WIRING
from autograder.catalogue.encoder.transformer_encoder_mistakes import MISTAKES
from autograder.catalogue.exercise import Case, Criterion, Exercise, common_criterion
from autograder.catalogue.gradients import gradients_reach, gradients_whole
from autograder.catalogue.weights import drawn, encoder_block, stack

LAYERS, HIDDEN_DIM = 4, 7
SIZES = stack("layers", LAYERS, encoder_block(DIM, HIDDEN_DIM))


def encoder(g, dropout=None, **settings):
    """A stack with known weights, and x [B, T, DIM]."""
    given = {} if dropout is None else {"dropout": dropout}
    sizes = {"num_layers": LAYERS, "input_dim": DIM, "num_heads": H, "dim_feedforward": HIDDEN_DIM}
    return {"arguments": sizes | given, "weights": drawn(g, SIZES), "x": torch.randn(B, T, DIM, generator=g)} | settings


def wired(g, masked=False):
    """A stack whose blocks are stand-ins; it has no weights of its own."""
    inputs = encoder(g)
    del inputs["weights"]
    inputs["parts"] = {str(layer): 0.7 * torch.randn(DIM, DIM, generator=g) for layer in range(LAYERS)}
    return inputs | ({"mask": mask(g)} if masked else {})


def masked(g, moved=None, **settings):
    inputs = encoder(g, **settings)
    visible = mask(g)
    if moved is not None:
        inputs["x"][:, moved] = 2 * torch.randn(B, DIM, generator=g)
    return inputs | {"mask": visible}


def masks_of_samples(g):
    """A mask [B, T, T] that differs between the samples."""
    inputs = encoder(g)
    return inputs | {"mask": torch.stack([mask(g) for _ in range(B)])}


def hides_what_it_should(maps, mask):
    """However many maps there are: their number is asked elsewhere."""
    return maps.shape[-2:] == (T, T) and abs(maps[..., mask == 0]).max() < 1e-6


class StackedMaps(nn.Module):
    """One tensor of maps, and no gradient for them; keywords throughout; layers added one by one."""

    def __init__(self, num_layers: int, **block_args):
        super().__init__()
        self.num_layers, self.layers = num_layers, nn.ModuleList()
        for _ in range(num_layers):
            self.layers.append(reference.EncoderBlock(**block_args))

    def forward(self, src, src_mask=None, return_maps=False):
        maps = []
        for place in range(self.num_layers):
            maps.append(self.layers[place].self_attn(src, mask=src_mask, return_attention=True)[1])
            src = self.layers[place](src, mask=src_mask)
        return (src, torch.stack(maps)) if return_maps else src

    @torch.no_grad()
    def get_attention_maps(self, src, src_mask=None):
        mode = self.training
        maps = self.eval()(src, src_mask, return_maps=True)[1]
        self.train(mode)
        return maps


WHOLE_GRADIENTS = where(matches("values"), gradients_whole("gradients", tuple(SIZES)), matches("gradients", "of_x"))

TRANSFORMER_ENCODER = Exercise(
    id="TransformerEncoder",
    title="The encoder",
    reference=reference.TransformerEncoder,
    cases=(
        Case("parameters", lambda g: encoder(g, ask="distinct parameters")),
        Case("wiring", wired),
        Case("wiring, masked", lambda g: wired(g, masked=True)),
        Case("values", encoder),
        Case("in training", lambda g: encoder(g, training=True), same_as="values"),
        Case("after another call", lambda g: encoder(g, ask="afterwards"), same_as="values"),
        Case("masked", masked),
        Case("a mask for each sample", masks_of_samples),
        Case("hidden token moved", lambda g: masked(g, HIDDEN), same_as="masked"),
        Case("visible token moved", lambda g: masked(g, VISIBLE), same_as="masked"),
        Case("maps", lambda g: encoder(g, ask="maps"), same_as="values"),
        Case("maps in training", lambda g: encoder(g, ask="maps", training=True), same_as="values"),
        Case("maps after another call", lambda g: encoder(g, ask="maps afterwards"), same_as="values"),
        Case("maps, masked", lambda g: masked(g, ask="maps"), same_as="masked"),
        Case("training, dropout 1", lambda g: encoder(g, 1.0, training=True), same_as="values"),
        Case("gradients", lambda g: encoder(g, ask="gradients"), same_as="values"),
    ),
    criteria=(
        Criterion("parameters of the contract, new ones for each layer", 0.5, matches("parameters")),
        Criterion("one block after the other", 0.75, WIRING),
        Criterion("values, with your own blocks", 0.5, matches("values"), same_in_training("values")),
        Criterion(
            "the mask reaches every layer",
            1,
            HIDDEN_IS_HIDDEN,
            SEEN_IS_SEEN,
            where(WIRING, either(matches("wiring, masked"), matches("masked"))),
            where(matches("values"), where(matches("masked"), matches("a mask for each sample"))),
        ),
        Criterion(
            "one attention map for each layer",
            0.75,
            is_true(
                "maps",
                ["maps"],
                lambda maps: maps.shape == (LAYERS, B, H, T, T) and abs(maps.sum(-1) - 1).max() < 1e-4,
                "there is not one map [B, h, T, T] for each layer, with rows that sum to 1",
            ),
            same_in_training("maps", "maps in training"),
            where(matches("values"), matches("maps")),
        ),
        Criterion(
            "under a mask too, the maps of the forward pass",
            0.5,
            fits("maps, masked", ["maps"], ["mask"], hides_what_it_should, "a hidden token has weight in some map"),
            where(matches("masked"), where(matches("maps"), matches("maps, masked"))),
        ),
        Criterion(
            "the arguments reach the blocks",
            0.25,
            moved("values", "training, dropout 1", text="dropout=1 changes nothing in training"),
            is_true("maps", ["maps"], lambda maps: maps.shape[2] == H, "num_heads does not reach the blocks"),
        ),
        common_criterion(0.5, forgets("values"), forgets("maps", "maps after another call")),
        Criterion("gradients reach every parameter", 0.25, gradients_reach("gradients", tuple(SIZES)), WHOLE_GRADIENTS),
    ),
    mistakes=MISTAKES,
    forbidden=("transformer", "multihead_attention"),
    right_variants=(StackedMaps,),
)
