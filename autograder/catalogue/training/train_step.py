"""train_step(model, batch, loss_fn, optimizer, scheduler, max_norm), judged by the weights that it leaves."""

import numpy as np
import torch

import course_lib.training.step as reference
from autograder.catalogue.checks import is_true, matches, moved, unmoved, where
from autograder.catalogue.exercise import Case, Criterion, Exercise, common_criterion
from autograder.catalogue.training.train_step_mistakes import MISTAKES
from autograder.catalogue.training.train_step_sometimes_mistakes import OF_CLIPPING, OF_CONDITIONS

B, WIDTH, HIDDEN = 7, 5, 3


def network(g):
    """The parameters of two layers, 5 → 3 → 1."""
    sizes = {"0.weight": (HIDDEN, WIDTH), "0.bias": (HIDDEN,), "1.weight": (1, HIDDEN), "1.bias": (1,)}
    return {name: torch.randn(size, generator=g) for name, size in sizes.items()}


def training(g, max_norm=1000.0, steps=1, stale=False, soft=False):
    """A network, a batch whose targets are far away, and a rate for each layer; gradients longer than 0.5."""
    case = {
        "weights": network(g),
        "x": torch.randn(B, WIDTH, generator=g),
        "y": 4 + torch.randn(B, generator=g),
        "rates": [0.05, 0.02],
        "max_norm": max_norm,
        "steps": steps,
        "soft_accuracy": soft,
    }
    case["y"][2] = -3.0
    return case | ({"stale": network(g)} if stale else {})


def clipped_by_hand(model, batch, loss_fn, optimizer, scheduler, max_norm):
    for parameter in model.parameters():
        parameter.grad = None
    loss, accuracy = loss_fn(model, batch)
    loss.backward()
    with torch.no_grad():
        norm = torch.sqrt(sum(parameter.grad.square().sum() for parameter in model.parameters()))
        for parameter in model.parameters():
            parameter.grad.mul_(torch.clamp(max_norm / norm, max=1.0))
    optimizer.step()
    scheduler.step()
    return loss.data, torch.tensor(float(accuracy))


CLIPPED, SCHEDULE = "gradients are clipped by their norm", "the schedule steps once an iteration"
LEARNS = moved("one step", "three steps", "weights", text="the weights stay where they are")

TRAIN_STEP = Exercise(
    id="train_step",
    title="One step of training",
    reference=reference.train_step,
    cases=(
        Case("one step", training),
        Case("three steps", lambda g: training(g, steps=3), same_as="one step"),
        Case("old gradients", lambda g: training(g, stale=True), same_as="one step"),
        Case("clipped", lambda g: training(g, max_norm=0.25), same_as="one step"),
        Case("an accuracy with a graph", lambda g: training(g, soft=True), same_as="one step"),
        Case("clipped a little", lambda g: training(g, max_norm=0.5)),
        Case("all right", lambda g: training(g, steps=2) | {"accuracy": 1.0}, same_as="one step"),
        Case("all wrong", lambda g: training(g, steps=2) | {"accuracy": 0.0}, same_as="one step"),
        Case("a loss of NaN", lambda g: training(g, steps=2) | {"nan": True}, same_as="one step"),
    ),
    criteria=(
        Criterion(
            "a step down the gradient",
            1.5,
            matches("one step", "weights"),
            where(
                matches("three steps", "weights"),
                *(where(matches(case, "rates"), matches(case, "weights")) for case in ("all right", "all wrong")),
            ),
        ),
        Criterion(
            "old gradients are emptied first",
            1,
            LEARNS,
            unmoved("one step", "old gradients", "weights", text="gradients left from before change the step"),
            where(
                matches("three steps", "rates"),
                where(matches("one step", "weights"), matches("three steps", "weights")),
            ),
        ),
        Criterion(
            CLIPPED,
            1,
            moved("one step", "clipped", "weights", text="max_norm makes no difference"),
            where(
                matches("one step", "weights"), matches("clipped", "weights"), matches("clipped a little", "weights")
            ),
        ),
        Criterion(
            SCHEDULE,
            1,
            *(matches(case, "rates") for case in ("three steps", "clipped", "all right", "all wrong", "a loss of NaN")),
        ),
        Criterion(
            "loss and accuracy, two detached tensors",
            1,
            matches("one step", "losses", "accuracies"),
            *(
                is_true(case, ["detached"], bool, "the returned tensors are still attached to the graph")
                for case in ("one step", "an accuracy with a graph")
            ),
            is_true("one step", ["are_tensors"], bool, "the loss or the accuracy is not a tensor"),
        ),
        common_criterion(0.5, is_true("one step", ["weights"], np.size, "nothing came back")),
    ),
    mistakes=MISTAKES + OF_CLIPPING + OF_CONDITIONS,
    right_variants=(clipped_by_hand,),
)
