"""equivariance_error(model, sets, permutation) → float: the largest change of any logit."""

import torch

import course_lib.tasks.anomaly as reference
from autograder.catalogue.anomaly.equivariance_mistakes import CHANGE, MISCONCEPTIONS, NUMBER, PLACES, ZERO
from autograder.catalogue.checks import is_true, matches, unmoved
from autograder.catalogue.exercise import Case, Exercise, Property
from autograder.probes.torch.stand_in import StandIn, stand_in_weights

BATCH, SET, WIDTH = 7, 5, 3


def model_of_sets(g, places=0.0, sees_places=False, inverse=False):
    """Five images a set; the permutation leaves none in its place and does not undo itself."""
    sets = torch.randn(BATCH, SET, WIDTH, generator=g)
    permutation = torch.tensor([2, 3, 1, 4, 0])
    weights = stand_in_weights(g, WIDTH, 1, places)
    model = StandIn(weights, sees_places).eval()
    change = torch.stack([torch.tensor(reference.equivariance_error(model, one[None], permutation)) for one in sets])
    sets = sets[change.argsort().roll(3)]  # the set that changes most is neither the first nor the last
    if inverse:  # the same changes, with the opposite sign
        sets, permutation = sets[:, permutation], permutation.argsort()
    return {"sets": sets, "permutation": permutation, "weights": weights, "sees_places": sees_places}


def put_back(model, sets, permutation):
    """The other way round: what the permuted set gave, put back in its order."""
    before = model(sets, add_positional_encoding=False).squeeze(-1)
    after = model(sets[:, permutation], add_positional_encoding=False).squeeze(-1)
    return float((after[:, torch.argsort(permutation)] - before).abs().amax().detach())


def by_index_select(model, x, perm):
    model.eval()
    with torch.inference_mode():
        one = model(x.index_select(1, perm), None, False).double()
        other = torch.stack([model(x, None, False)[:, place].double() for place in perm.tolist()], dim=1)
    return torch.linalg.vector_norm(one - other, ord=torch.inf).tolist()


EQUIVARIANCE_ERROR = Exercise(
    id="equivariance_error",
    title="How far from a model of sets?",
    reference=reference.equivariance_error,
    cases=(
        Case("a model of sets", model_of_sets),
        Case("with a positional encoding", lambda g: model_of_sets(g, places=1.0), like="a model of sets"),
        Case("a model that sees places", lambda g: model_of_sets(g, places=1.0, sees_places=True)),
        Case(
            "the inverse permutation",
            lambda g: model_of_sets(g, places=1.0, sees_places=True, inverse=True),
            like="a model that sees places",
        ),
    ),
    properties=(
        Property(
            ZERO,
            1,
            matches("a model of sets", "error"),
            is_true("a model of sets", ["mode_kept"], bool, "the model is no longer in eval mode"),
        ),
        Property(CHANGE, 1, matches("a model that sees places", "error"), matches("the inverse permutation", "error")),
        Property(
            PLACES,
            0.5,
            unmoved(
                "a model of sets",
                "with a positional encoding",
                "error",
                text="the positional encoding of the model changes the error",
            ),
        ),
        Property(
            NUMBER,
            0.5,
            is_true("a model that sees places", ["is_number"], bool, "the error is not a Python float"),
        ),
    ),
    mistakes=MISCONCEPTIONS,
    hints=(
        "Permute the sets and call the model; call the model and permute its logits. Compare.",
        "The images of a set are axis 1: `sets[:, permutation]`.",
        "`.abs().max().item()` is the largest change, as a Python number.",
    ),
    right_variants=(put_back, by_index_select),
)
