import pytest
import torch

from course_lib.training.engine.fast_dropout import fast_dropout

N = 1_000_003  # not a multiple of four


def dropped(p, seed=0, shape=(N,)):
    torch.manual_seed(seed)
    return fast_dropout(torch.ones(shape), p)


@pytest.mark.parametrize("p", [0.1, 0.5, 0.97])
def test_each_number_is_dropped_with_probability_p(p):
    share = (dropped(p) == 0).double().mean().item()
    assert share == pytest.approx(p, abs=5 * (p * (1 - p) / N) ** 0.5)  # five standard deviations


def test_every_place_among_four_neighbours_is_dropped_alike():
    """Four numbers come from one random integer; a bit that is always the same would show here."""
    shares = (dropped(0.1)[: N - 3].view(-1, 4) == 0).double().mean(0)
    assert shares == pytest.approx([0.1] * 4, abs=5 * (0.09 / (N / 4)) ** 0.5)


def test_neighbours_are_dropped_independently():
    is_dropped = (dropped(0.3) == 0).double()
    both = (is_dropped[1:] * is_dropped[:-1]).mean().item()
    assert both == pytest.approx(0.09, abs=5 * (0.09 * 0.91 / N) ** 0.5)


def test_what_is_kept_is_scaled_so_that_the_mean_stays():
    result = dropped(0.1)
    assert result.max().item() == pytest.approx(1 / 0.9, rel=1e-4)
    assert result.mean().item() == pytest.approx(1.0, abs=0.002)


@pytest.mark.parametrize("p", [1e-9, 1 - 1e-9])
def test_a_probability_close_to_an_end_stays_inside(p):
    assert dropped(p).isfinite().all()


@pytest.mark.parametrize("shape", [(), (0,), (3, 5, 7)])
def test_any_shape_and_dtype_keep_theirs(shape):
    for dtype in (torch.float32, torch.float64, torch.bfloat16):
        result = fast_dropout(torch.ones(shape, dtype=dtype), 0.1)
        assert result.shape == shape
        assert result.dtype == dtype


def test_the_gradient_is_dropped_where_the_number_is():
    x = torch.ones(101, requires_grad=True)
    result = fast_dropout(x, 0.5)
    result.sum().backward()
    assert torch.equal(x.grad, result.detach())


def test_a_seed_repeats_it_and_two_calls_differ():
    assert torch.equal(dropped(0.3, seed=1), dropped(0.3, seed=1))
    assert not torch.equal(dropped(0.3, seed=1), fast_dropout(torch.ones(N), 0.3))
