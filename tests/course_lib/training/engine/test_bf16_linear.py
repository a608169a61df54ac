import pytest
import torch
from torch.nn import functional as F

from course_lib.training.engine import bf16_linear as engine
from course_lib.training.engine.bf16_linear import bf16_linear, bf16_pays, multiplies_bfloat16, multiplies_tiles

needs_bfloat16 = pytest.mark.skipif(not multiplies_bfloat16(), reason="this processor, or this torch, has no bfloat16")
ONE_MORE_ROUNDING = 2**-8  # of a sum, where the processor has no AMX


def factors(has_bias=True):
    generator = torch.Generator().manual_seed(0)
    shapes = [(2, 3, 257), (263, 257), *([(263,)] if has_bias else [])]
    return [torch.randn(shape, generator=generator, requires_grad=True) for shape in shapes]


def output_and_gradients(linear, given):
    output = linear(*given, *([] if len(given) == 3 else [None]))
    upstream = torch.randn(output.shape, generator=torch.Generator().manual_seed(1))
    return [output, *torch.autograd.grad(output, given, upstream)]


@needs_bfloat16
@pytest.mark.parametrize("has_bias", [True, False])
def test_it_is_the_product_of_the_factors_rounded_to_bfloat16(has_bias):
    given = factors(has_bias)
    x, weight, *bias = (tensor.detach() for tensor in given)
    rounded = F.linear(x.bfloat16().float(), weight.bfloat16().float())
    expected = (rounded if multiplies_tiles() else rounded.bfloat16().float()) + (bias[0] if bias else 0)
    output = output_and_gradients(bf16_linear, given)[0]
    difference = (output - expected).abs()
    assert (difference > 1e-4).float().mean() < 0.01  # a sum in another order may be rounded to the neighbour
    assert (difference <= ONE_MORE_ROUNDING * rounded.abs() + 1e-4).all()
    assert not torch.equal(output, F.linear(x, weight, *bias))


@needs_bfloat16
@pytest.mark.parametrize("has_bias", [True, False])
def test_outputs_and_gradients_are_near_those_in_float32(has_bias):
    given = factors(has_bias)
    in_bfloat16, in_float32 = (output_and_gradients(linear, given) for linear in (bf16_linear, F.linear))
    for ours, exact in zip(in_bfloat16, in_float32, strict=True):
        assert (ours - exact).norm() < 2**-8 * exact.norm()  # the rounding of one factor


def test_what_is_frozen_gets_no_gradient():
    x, weight, bias = factors()
    bf16_linear(x, weight.detach(), bias.detach()).sum().backward()
    assert x.grad is not None


@pytest.mark.parametrize("has_bias", [True, False])
def test_a_gradient_has_a_gradient_as_in_float32(has_bias):
    def second(linear):
        given = factors(has_bias)
        output = linear(*given, *([] if has_bias else [None]))
        gradients = torch.autograd.grad(output.square().sum(), given[:2], create_graph=True)
        return torch.autograd.grad(sum(gradient.square().sum() for gradient in gradients), given[:2])

    for ours, exact in zip(second(bf16_linear), second(F.linear), strict=True):
        assert (ours - exact).norm() < 2**-7 * exact.norm()


@pytest.mark.parametrize("x", [torch.zeros(3, 258), torch.zeros(3, 257).double()], ids=["shape", "dtype"])
def test_what_does_not_fit_is_an_error(x):
    with pytest.raises(RuntimeError):
        bf16_linear(x, torch.zeros(263, 257), None)


def test_autocast_decides_what_a_product_is_computed_in():
    with torch.autocast("cpu", torch.bfloat16):
        assert bf16_linear(torch.zeros(3, 257), torch.zeros(263, 257), None).dtype == torch.bfloat16


@needs_bfloat16
def test_other_products_stay_in_float32():
    x, weight, bias = (tensor.detach() for tensor in factors())
    before = x @ weight.T
    bf16_linear(x, weight, bias)
    with pytest.raises(RuntimeError):
        bf16_linear(x, weight.T, bias)
    assert torch.equal(x @ weight.T, before)


def test_it_pays_for_a_wide_layer_in_float32_where_the_processor_gains(monkeypatch):
    wide = torch.zeros(257, 263)
    for gains in (True, False):
        monkeypatch.setattr(engine, "multiplies_bfloat16", lambda gains=gains: gains)
        assert bf16_pays(wide) is gains
        assert not bf16_pays(wide[:101])
        assert not bf16_pays(wide.double())
