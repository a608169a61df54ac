import pytest
import torch
from torch import nn

from course_lib.training.schedule import CosineWarmupScheduler
from course_lib.training.step import train_step

BATCH = torch.randn(11, 5, generator=torch.Generator().manual_seed(79))


def make_run():
    torch.manual_seed(83)
    model = nn.Linear(5, 3)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5, momentum=0.9)
    return model, optimizer, CosineWarmupScheduler(optimizer, 0, max_iters=17)


def squares(model, batch):
    output = model(batch)
    return output.square().sum(), (output > 0).float().mean()


def weights(model):
    return torch.cat([p.detach().flatten() for p in model.parameters()])


@pytest.mark.parametrize("max_norm", [0.1, 1e6])
def test_two_steps_are_zero_backward_clip_step_schedule(max_norm):
    model, optimizer, scheduler = make_run()
    reference, velocity = make_run()[0], 0.0
    for factor in (1.0, 0.5 * (1 + torch.cos(torch.tensor(torch.pi / 17)).item())):
        loss, accuracy = squares(reference, BATCH)
        gradient = torch.cat([g.flatten() for g in torch.autograd.grad(loss, reference.parameters())])
        gradient *= min(1.0, max_norm / (gradient.norm().item() + 1e-6))
        velocity = 0.9 * velocity + gradient
        nn.utils.vector_to_parameters(weights(reference) - 0.5 * factor * velocity, reference.parameters())
        got = train_step(model, BATCH, squares, optimizer, scheduler, max_norm)
        torch.testing.assert_close(weights(model), weights(reference))
        torch.testing.assert_close(torch.stack(got), torch.stack([loss, accuracy]).detach())


def test_an_accuracy_may_be_a_plain_number():
    model, optimizer, scheduler = make_run()
    loss_fn = lambda model, batch: (model(batch).mean(), 0.75)  # noqa: E731
    assert train_step(model, BATCH, loss_fn, optimizer, scheduler, 1.0)[1].item() == 0.75
