import math

import pytest
import torch

from course_lib.training.schedule import CosineWarmupScheduler


def make_scheduler(warmup=7, max_iters=31):
    groups = [{"params": [torch.nn.Parameter(torch.zeros(3))], "lr": lr} for lr in (0.5, 0.02)]
    optimizer = torch.optim.SGD(groups)
    return optimizer, CosineWarmupScheduler(optimizer, warmup, max_iters)


def run(optimizer, scheduler, steps):
    """The rates of both groups, at the start and after every step."""
    rates = [[group["lr"] for group in optimizer.param_groups]]
    for _ in range(steps):
        optimizer.step()
        scheduler.step()
        rates.append([group["lr"] for group in optimizer.param_groups])
    return rates


@pytest.mark.parametrize(("warmup", "max_iters"), [(7, 31), (1, 29), (0, 37), (31, 31)])
def test_each_group_follows_the_formula_from_its_own_base_rate(warmup, max_iters):
    def factor(t):
        cosine = 0.5 * (1 + math.cos(math.pi * t / max_iters))
        return cosine * t / warmup if warmup > 0 and t <= warmup else cosine

    rates = run(*make_scheduler(warmup, max_iters), steps=max_iters)
    assert rates == [pytest.approx([0.5 * factor(t), 0.02 * factor(t)]) for t in range(max_iters + 1)]


def test_a_saved_schedule_goes_on_where_it_stopped():
    rates = run(*make_scheduler(), steps=23)
    optimizer, scheduler = make_scheduler()
    run(optimizer, scheduler, steps=11)
    state, other = scheduler.state_dict(), make_scheduler(warmup=3, max_iters=5)
    other[0].load_state_dict(optimizer.state_dict())
    other[1].load_state_dict(state)
    assert run(*other, steps=12) == rates[11:]
