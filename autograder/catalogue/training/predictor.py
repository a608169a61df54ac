"""TransformerPredictor(input_dim, model_dim, num_classes, num_heads, num_layers, …), with injected weights."""

import numpy as np
import torch

import course_lib.model.predictor as reference
from autograder.catalogue.checks import (
    every,
    in_words,
    is_true,
    matches,
    moved,
    same_alone,
    shaped_as_expected,
    unmoved,
    where,
)
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise, common_criterion
from autograder.catalogue.training.predictor_mistakes import MAPS, MISTAKES
from autograder.catalogue.training.predictor_parts_mistakes import OF_PARTS
from autograder.catalogue.weights import drawn, encoder_block, linear, norm, stack

B, T, WIDTH, DIM, CLASSES, HEADS, LAYERS = 2, 5, 7, 6, 4, 3, 2
HIDDEN, VISIBLE = 3, 1  # a token that nobody may see, and one that everybody may


def weights(g):
    """Under the published names."""
    sizes = linear("input_net.1", WIDTH, DIM) | stack("transformer.layers", LAYERS, encoder_block(DIM, 2 * DIM))
    sizes |= linear("output_net.0", DIM, DIM) | norm("output_net.1", DIM) | linear("output_net.4", DIM, CLASSES)
    return drawn(g, sizes)


SIZES = {"input_dim": WIDTH, "model_dim": DIM, "num_classes": CLASSES, "num_heads": HEADS, "num_layers": LAYERS}
TRAINING_OPTIONS = {"lr": 0.003, "warmup": 11, "max_iters": 170, "dropout": 0.0, "input_dropout": 0.0}
NO_POSITIONS = {"add_positional_encoding": False}
VALUES, POSITIONS = "values, with the published parameters", "positions only if requested"
MASK, OF_FORWARD = "the mask reaches every layer", "attention maps are those of the forward pass"


def tokens(g, ask="output", training=False, rows=slice(None), backwards=False, **hyper_parameters):
    """A model and x [2, 5, 7]."""
    case = {"arguments": SIZES | hyper_parameters, "weights": weights(g), "ask": ask, "training": training}
    x = torch.randn(B, T, WIDTH, generator=g)[rows]
    return case | {"x": x.flip(1) if backwards else x}


def masked(g, moved=None, positions=True, ask="output"):
    """A mask [5, 5] that hides a token from all, also from itself; the one at `moved` is another."""
    case = tokens(g, ask)
    mask = torch.rand(T, T, generator=g) < 0.6
    mask[:, VISIBLE], mask[:, HIDDEN] = True, False
    if moved is not None:
        case["x"][:, moved] = torch.randn(B, WIDTH, generator=g)
    return case | {"mask": mask, "add_positional_encoding": positions}


SEEN = [token for token in range(T) if token != HIDDEN]
LISTENS = moved("masked", "visible token moved", "output", at=lambda a: a[:, 4], text="no token listens to another")

PREDICTOR = Exercise(
    id="TransformerPredictor",
    title="The predictor of the tasks",
    reference=reference.TransformerPredictor,
    cases=(
        Case("parameters", lambda g: tokens(g, "published", **TRAINING_OPTIONS), same_as="values"),
        Case("values", tokens),
        Case("positions asked for", lambda g: tokens(g) | {"add_positional_encoding": True}, same_as="values"),
        Case("no positions", lambda g: tokens(g) | NO_POSITIONS, same_as="values"),
        Case("backwards", lambda g: tokens(g, backwards=True), same_as="values"),
        Case("backwards, no positions", lambda g: tokens(g, backwards=True) | NO_POSITIONS, same_as="values"),
        Case("one sample alone", lambda g: tokens(g, rows=slice(1, 2)), same_as="values"),
        Case("masked", masked),
        Case("hidden token moved", lambda g: masked(g, HIDDEN), same_as="masked"),
        Case("visible token moved", lambda g: masked(g, VISIBLE), same_as="masked"),
        Case("maps", lambda g: tokens(g, "maps"), same_as="values"),
        Case("maps, masked", lambda g: masked(g, ask="maps"), same_as="masked"),
        Case("maps, no positions", lambda g: masked(g, positions=False, ask="maps"), same_as="masked"),
        Case("dropout, evaluated", lambda g: tokens(g, "twice", dropout=0.5, input_dropout=0.5), same_as="values"),
        Case("dropout, training", lambda g: tokens(g, "random", training=True, dropout=0.5), same_as="values"),
        Case(
            "input dropout, training", lambda g: tokens(g, "random", training=True, input_dropout=0.5), same_as="values"
        ),
        Case("everything dropped", lambda g: tokens(g, "dropped", training=True, dropout=1.0), same_as="values"),
        Case("whole input dropped", lambda g: tokens(g, "twice", training=True, input_dropout=1.0), same_as="values"),
        Case("no dropout, training", lambda g: tokens(g, training=True), same_as="values"),
        Case("gradients", lambda g: tokens(g, "gradients"), same_as="values"),
        Case("maps, training", lambda g: tokens(g, "maps", training=True), same_as="values"),
        Case(
            "all arguments",
            lambda g: tokens(g, "hyper_parameters", **TRAINING_OPTIONS | {"dropout": 0.2, "input_dropout": 0.1}),
        ),
    ),
    criteria=(
        Criterion(VALUES, 1.25, matches("parameters", "output")),
        Criterion(
            POSITIONS,
            0.75,
            unmoved("values", "positions asked for", "output", text="positions are not added by default"),
            moved("values", "backwards", "output", at=lambda a: a.sum(axis=1), text="the order makes no difference"),
            unmoved(
                "no positions",
                "backwards, no positions",
                "output",
                at_other=lambda a: a[:, ::-1],
                text="without positions, a set in another order gives a different result",
            ),
            moved("no positions", "values", "output", text="positions make no difference"),
        ),
        Criterion(
            MASK,
            1.25,
            unmoved(
                "masked",
                "hidden token moved",
                "output",
                at=lambda a: a[:, SEEN],
                text="changing a hidden token changes the others' outputs",
            ),
            LISTENS,
        ),
        Criterion(
            OF_FORWARD,
            0.75,
            where(
                matches("values", "output"),
                *(matches(case, "maps") for case in ("maps", "maps, masked", "maps, no positions")),
            ),
            is_true(
                "maps, masked",
                ["maps"],
                lambda maps: maps.shape == (LAYERS, B, HEADS, T, T),
                "there is not one map [B, h, T, T] for each layer",
            ),
            is_true(
                "maps, masked",
                ["maps"],
                lambda maps: abs(maps[..., HIDDEN]).max() < 1e-6 and abs(maps.sum(-1) - 1).max() < 1e-4,
                "the maps give weight to a hidden token, or their rows do not sum to 1",
            ),
        ),
        Criterion("samples do not mix", 0.5, LISTENS, same_alone("values", "one sample alone", 1, "output")),
        Criterion(
            "dropout while training, and only then",
            0.5,
            unmoved("values", "dropout, evaluated", "output", text="dropout still acts in eval mode"),
            *(
                is_true(f"{name}, training", ["random"], bool, f"with {name}, two calls while training are the same")
                for name in ("dropout", "input dropout")
            ),
            is_true(
                "dropout, evaluated",
                ["dropouts"],
                lambda probabilities: (probabilities == 0.5).all(),
                "some part of the model has another dropout than the one asked for",
            ),
            unmoved("values", "no dropout, training", "output", text="without dropout, training differs"),
            *(
                where(matches("values", "output"), matches(case, "output"))
                for case in ("everything dropped", "whole input dropped")
            ),
            where(
                every(matches("values", "output"), shaped_as_expected("everything dropped", "read")),
                in_words("dropout acts outside the encoder and output_net", matches("everything dropped", "read")),
            ),
        ),
        Criterion(
            "gradients reach every parameter",
            0.25,
            is_true("gradients", ["unreached"], lambda n: n == 0, "some parameters get no gradient"),
        ),
        Criterion("hyper_parameters holds every argument", 0.25, matches("all arguments", "hyper_parameters")),
        common_criterion(0.5, is_true("values", ["output"], np.size, "nothing came back")),
    ),
    mistakes=MISTAKES + OF_PARTS,
    forbidden=("transformer", "multihead_attention"),
    right_variants=(
        right(
            "as the tutorial declares it",  # the rate and its schedule must be given
            {
                "lr: float = 5e-4": "lr: float",
                "warmup: int = 50": "warmup: int",
                "max_iters: int = 1000": "max_iters: int",
                MAPS: f"[attention.detach().numpy() for attention in {MAPS}]",
            },
        ),
        right(
            "modules of torch",
            {
                "            LayerNorm(": "            nn.LayerNorm(",
                "nn.ReLU()": "nn.ReLU(inplace=True)",
                "    def get_attention_maps": "    @torch.no_grad()\n    def get_attention_maps",
            },
        ),
        right(
            "hyper-parameters by name",
            {
                "lr: float = 5e-4,\n        warmup: int = 50,\n        max_iters: int = 1000,": "",
                "input_dropout: float = 0.0,": "input_dropout: float = 0.0,\n        **others,",
                "lr=lr,\n            warmup=warmup,\n            max_iters=max_iters,": "**others,",
            },
        ),
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
    ),
)
