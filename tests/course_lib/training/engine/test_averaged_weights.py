import torch
from torch import nn

from course_lib.training.engine.averaged_weights import AveragedWeights


def make_model(weight):
    model = nn.Linear(1, 1, bias=False)
    nn.init.constant_(model.weight, weight)
    return model


def test_the_model_is_left_with_the_mean_of_the_last_weights_offered_and_in_eval_mode():
    model = make_model(1.0).train()
    with AveragedWeights(model, count=3) as weights:
        for step, weight in enumerate((7.0, 1.0, 2.0, 6.0)):
            nn.init.constant_(model.weight, weight)
            weights.offer(step, loss=weight, accuracy=0.0)
        nn.init.constant_(model.weight, 11.0)
    assert model.weight.item() == 3.0
    assert not model.training


def test_a_model_never_offered_keeps_its_weights():
    model = make_model(5.0)
    with AveragedWeights(model, count=3):
        pass
    assert model.weight.item() == 5.0


def test_a_table_with_two_names_stays_one():
    model = nn.ModuleDict({"one": (shared := make_model(2.0)), "other": shared})
    with AveragedWeights(model, count=2) as weights:
        weights.offer(0, 0.0, 0.0)
        nn.init.constant_(shared.weight, 4.0)
        weights.offer(1, 0.0, 0.0)
    assert model["one"].weight is model["other"].weight
    assert torch.equal(shared.weight, torch.tensor([[3.0]]))
