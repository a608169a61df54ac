"""equivariance_error(model, sets, permutation) → float: the largest change of any logit."""

import torch

import course_lib.tasks.anomaly as reference
from autograder.catalogue.anomaly.equivariance_error_mistakes import MISTAKES
from autograder.catalogue.checks import COMMON, is_true, matches, nothing_else_changes, unmoved
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise
from autograder.probes.torch.stand_in import StandIn, stand_in_weights

BATCH, SET, WIDTH = 5, 5, 3  # as many sets as images in each, so that whole sets can be permuted too, without an error
PERMUTATION = torch.tensor([2, 3, 1, 4, 0])  # leaves no image in its place, and does not undo itself


def model_of_sets(g, places=0.0):
    """Sets of five images, and a model that is not told their places."""
    sets = torch.randn(BATCH, SET, WIDTH, generator=g)
    return {"sets": sets, "permutation": PERMUTATION, "weights": stand_in_weights(g, WIDTH, 1, places)}


def model_that_sees_places(g):
    """It always adds its positions. The set that changes most is neither the first nor the last.

    One set, the magnitudes of the logits, and the sorted logits change by other numbers.
    """
    while True:
        inputs = model_of_sets(g, places=1.0)
        model, sets = StandIn(inputs["weights"], sees_places=True).eval(), inputs["sets"]
        with torch.no_grad():
            before, after = model(sets[:, PERMUTATION]), model(sets)[:, PERMUTATION]
        change = (before - after).abs().amax(dim=(1, 2))  # [B]
        by_magnitude, in_order = before.abs() - after.abs(), before.sort(dim=1).values - after.sort(dim=1).values
        largest = torch.stack([*change, by_magnitude.abs().max(), in_order.abs().max()])
        if largest.sort().values.diff().min() > 0.02:
            return inputs | {"sets": sets[change.argsort().roll(3)], "sees_places": True}


def inverse_permutation(g):
    """The same changes, with the opposite sign."""
    inputs = model_that_sees_places(g)
    return inputs | {"sets": inputs["sets"][:, PERMUTATION], "permutation": PERMUTATION.argsort()}


def nothing_permuted(g):
    """An answer that uses another permutation than the given one sees a change."""
    return model_that_sees_places(g) | {"permutation": torch.arange(SET)}


def by_index_select(model, x, perm):
    model.eval()
    with torch.inference_mode():
        one = model(x.index_select(1, perm), None, False).double()
        other = torch.stack([model(x, None, False)[:, place].double() for place in perm.tolist()], dim=1)
    return torch.linalg.vector_norm(one - other, ord=torch.inf).tolist()


LARGEST, POSITIONS, NUMBER = "the largest change", "called without positions", "a Python number"

EQUIVARIANCE_ERROR = Exercise(
    id="equivariance_error",
    title="How far from a model of sets?",
    reference=reference.equivariance_error,
    cases=(
        Case("a model of sets", model_of_sets),
        Case("with a positional encoding", lambda g: model_of_sets(g, places=1.0), same_as="a model of sets"),
        Case("a model that sees places", model_that_sees_places),
        Case("the inverse permutation", inverse_permutation, same_as="a model that sees places"),
        Case("nothing permuted", nothing_permuted, same_as="a model that sees places"),
    ),
    criteria=(
        Criterion(
            LARGEST,
            1.25,
            is_true(
                "nothing permuted", ["error"], lambda e: abs(e) < 1e-5, "there is an error where nothing is permuted"
            ),
            matches("a model of sets", "error"),
            matches("a model that sees places", "error"),
            matches("the inverse permutation", "error"),
        ),
        Criterion(
            POSITIONS,
            0.75,
            unmoved(
                "a model of sets",
                "with a positional encoding",
                "error",
                text="the positional encoding of the model changes the error",
            ),
        ),
        Criterion(
            NUMBER, 0.5, is_true("a model that sees places", ["is_number"], bool, "the error is not a Python float")
        ),
        Criterion(
            COMMON,
            0.5,
            is_true("a model of sets", ["error"], lambda error: True, "nothing came back"),
            nothing_else_changes(),
        ),
    ),
    mistakes=MISTAKES,
    right_variants=(
        right(  # the other way round: what the permuted sets gave, put back in their order
            "put back",
            {
                "with torch.no_grad():": "if True:",
                ")[:, permutation]": ").squeeze(-1)",
                "(permuted_before -": "(permuted_before.squeeze(-1)[:, torch.argsort(permutation)] -",
                ".max().item()": ".amax().detach().item()",
            },
        ),
        by_index_select,
    ),
)
