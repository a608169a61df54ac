import pytest
import torch
from torch.nn import functional as F

from course_lib.training.engine import onednn
from course_lib.training.engine.onednn import is_quicker_here, onednn_linear, onednn_pays

needs_onednn = pytest.mark.skipif(not torch.backends.mkldnn.is_available(), reason="this torch has no oneDNN")


@needs_onednn
@pytest.mark.parametrize("has_bias", [True, False])
def test_outputs_and_gradients_are_those_of_torchs_own_product(has_bias):
    generator = torch.Generator().manual_seed(0)
    shapes = [(2, 3, 17), (11, 17), *([(11,)] if has_bias else [])]
    given = [torch.randn(shape, generator=generator, requires_grad=True) for shape in shapes]
    x, weight, bias = given if has_bias else (*given, None)
    results = []
    for multiply in (F.linear, onednn_linear):
        output = multiply(x, weight, bias)
        results.append([output, *torch.autograd.grad(output.square().sum(), given)])
    torch.testing.assert_close(*results)


@needs_onednn
def test_it_pays_for_a_wide_layer_in_float32_where_the_processor_gains(monkeypatch):
    wide = torch.zeros(257, 263)
    monkeypatch.setattr(onednn, "is_quicker_here", lambda: True)
    assert onednn_pays(wide)
    assert not onednn_pays(wide[:101])
    assert not onednn_pays(wide.double())
    monkeypatch.setattr(onednn, "is_quicker_here", lambda: False)
    assert not onednn_pays(wide)


@pytest.mark.parametrize(("slower", "quicker"), [(2.2, True), (1.1, False), (0.5, False)])
def test_the_processor_gains_when_the_trial_says_so_clearly(monkeypatch, slower, quicker):
    now = 0.0

    def product_that_takes(seconds):
        def multiply(x, weight, bias):
            nonlocal now
            now += seconds

        return multiply

    monkeypatch.setattr(onednn.time, "perf_counter", lambda: now)
    monkeypatch.setattr(onednn.F, "linear", product_that_takes(slower))
    monkeypatch.setattr(onednn, "onednn_linear", product_that_takes(1.0))
    assert is_quicker_here.__wrapped__() is quicker
