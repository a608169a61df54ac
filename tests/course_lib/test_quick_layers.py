import pytest
import torch
from torch import nn

from course_lib.layers import LayerNorm
from course_lib.multi_head import MultiheadAttention
from course_lib.predictor import TransformerPredictor
from course_lib.quick_layers import quick_layers

HIDDEN_ROW = torch.ones(5, 5).tril(-1)  # the first query sees no key


def make_model(**changes):
    torch.manual_seed(0)
    sizes = dict(input_dim=7, model_dim=6, num_classes=3, num_heads=2, num_layers=2) | changes
    model = TransformerPredictor(**sizes)
    for parameter in model.parameters():  # a layer norm starts with weight 1 and bias 0, which would hide a mix-up
        nn.init.normal_(parameter)
    return model


def outputs_and_gradients(model, x, *args, **kwargs):
    results = model(x, *args, **kwargs)
    results = results if isinstance(results, tuple) else (results,)
    gradients = torch.autograd.grad(sum(result.square().sum() for result in results), list(model.parameters()))
    return [*results, *gradients]


@pytest.mark.parametrize("mask", [None, torch.ones(5, 5).tril(), HIDDEN_ROW], ids=["no mask", "causal", "hidden row"])
def test_outputs_and_gradients_are_those_of_the_layers_as_written(mask):
    model, x = make_model().double(), torch.randn(3, 5, 7, dtype=torch.float64)
    written = outputs_and_gradients(model, x, mask)
    with quick_layers(model):
        assert "forward" in vars(model.output_net[1])
        quick = outputs_and_gradients(model, x, mask)
    torch.testing.assert_close(quick, written)


def test_the_attention_is_given_when_asked_for():
    torch.manual_seed(0)
    layer, x = MultiheadAttention(7, 6, 2), torch.randn(3, 5, 7)
    written = outputs_and_gradients(layer, x, return_attention=True)
    with quick_layers(layer):
        torch.testing.assert_close(outputs_and_gradients(layer, x, return_attention=True), written)


def test_the_norm_and_the_softmax_are_one_operation_each():
    model, x = make_model(num_layers=1), torch.randn(3, 5, 7)
    with torch.profiler.profile() as written:
        model(x)
    with quick_layers(model), torch.profiler.profile() as quick:
        model(x)
    counts = [{event.key: event.count for event in run.key_averages()} for run in (written, quick)]
    assert [count.get("aten::native_layer_norm", 0) for count in counts] == [0, 3]
    assert [count.get("aten::_softmax", 0) for count in counts] == [0, 1]


def test_afterwards_also_after_an_error_the_layers_are_as_written():
    model = make_model(dropout=0.3)
    with pytest.raises(RuntimeError, match="on purpose"), quick_layers(model):
        raise RuntimeError("on purpose")
    assert not [layer for layer in model.modules() if "forward" in vars(layer)]


def test_what_somebody_else_wrote_runs_as_written():
    class Doubled(LayerNorm):
        def forward(self, x):
            return 2 * super().forward(x)

    subclass, replaced = Doubled(6), LayerNorm(6)
    replaced.forward = mine = lambda x: x + 1
    model = nn.Sequential(subclass, replaced)
    x = torch.randn(5, 6)
    expected = model(x)
    with quick_layers(model):
        torch.testing.assert_close(model(x), expected)
    assert replaced.forward is mine


def test_a_class_that_somebody_changed_runs_as_changed(monkeypatch):
    layer, x = LayerNorm(6), torch.randn(5, 6)
    monkeypatch.setattr(LayerNorm, "forward", lambda self, x: x + 1)
    with quick_layers(layer):
        assert torch.equal(layer(x), x + 1)


def test_a_dropout_that_does_not_drop_is_left_to_torch():
    x = torch.randn(5, 6)
    for layer in (nn.Dropout(0.0), nn.Dropout(0.3).eval()):
        with quick_layers(layer):
            assert torch.equal(layer(x), x)
    with quick_layers(all_dropped := nn.Dropout(1.0)):
        assert not all_dropped(x).any()
    with quick_layers(in_place := nn.Dropout(0.3, inplace=True)):
        assert in_place(x) is x


@pytest.mark.skipif(not torch.backends.mkldnn.is_available(), reason="this torch has no oneDNN")
def test_in_a_wide_model_on_a_processor_that_gains_linear_layers_go_through_onednn(monkeypatch):
    monkeypatch.setattr("course_lib.onednn.is_quicker_here", lambda: True)
    narrow, wide = nn.Linear(31, 37), nn.Linear(1009, 997)
    for layer in (narrow, wide):
        with quick_layers(layer):
            assert ("forward" in vars(layer)) == (layer is wide)
