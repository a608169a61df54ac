import pytest
import torch
from torch import nn

from course_lib.model.grouped_query import GroupedQueryAttention
from course_lib.model.language_model import LanguageModel
from course_lib.model.layers import LayerNorm
from course_lib.model.multi_head import CrossAttention, MultiheadAttention
from course_lib.model.predictor import TransformerPredictor
from course_lib.training.engine.fast_dropout import fast_dropout
from course_lib.training.engine.fast_path import fast_path

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
    with fast_path(model):
        assert "forward" in vars(model.output_net[1])
        quick = outputs_and_gradients(model, x, mask)
    torch.testing.assert_close(quick, written)


def test_the_attention_is_given_when_asked_for():
    torch.manual_seed(0)
    layer, x = MultiheadAttention(7, 6, 2), torch.randn(3, 5, 7)
    written = outputs_and_gradients(layer, x, return_attention=True)
    with fast_path(layer):
        torch.testing.assert_close(outputs_and_gradients(layer, x, return_attention=True), written)


@pytest.mark.parametrize("mask", [None, torch.ones(5, 4).tril(), torch.ones(5, 4).tril(-1)], ids=["no", "some", "row"])
@pytest.mark.parametrize("is_causal", [False, True])
def test_attention_to_a_memory_gives_the_outputs_and_gradients_of_the_layer_as_written(mask, is_causal):
    torch.manual_seed(0)
    layer = CrossAttention(query_dim=7, key_dim=3, value_dim=9, embed_dim=6, num_heads=2).double()
    inputs = [torch.randn(3, *size, dtype=torch.float64) for size in ((5, 7), (4, 3), (4, 9))]
    written = outputs_and_gradients(layer, *inputs, mask, is_causal)
    with fast_path(layer):
        assert "forward" in vars(layer)
        torch.testing.assert_close(outputs_and_gradients(layer, *inputs, mask, is_causal), written)


@pytest.mark.parametrize("groups", [1, 2, 6])
def test_a_language_model_gives_the_outputs_gradients_and_caches_of_the_layers_as_written(groups):
    torch.manual_seed(0)
    model = LanguageModel(11, 24, 6, groups, num_layers=2, hidden_dim=7, base=100.0, eps=0.3).double()
    for parameter in model.parameters():
        nn.init.normal_(parameter)
    tokens = torch.randint(11, (3, 5))
    written, (_, caches) = outputs_and_gradients(model, tokens), model.step(tokens)
    with fast_path(model):
        assert sum("forward" in vars(layer) for layer in model.modules()) == 2 * 4 + 1
        torch.testing.assert_close(outputs_and_gradients(model, tokens), written, rtol=0, atol=1e-9)
        torch.testing.assert_close(model.step(tokens)[1], caches, rtol=0, atol=1e-9)
        piece = model.step(tokens[:, 3:], model.step(tokens[:, :3])[1])[0]
    torch.testing.assert_close(piece, written[0][:, 3:], rtol=0, atol=1e-9)


def test_a_base_for_each_pair_is_rotated_as_written():
    torch.manual_seed(0)
    layer, x = GroupedQueryAttention(12, 3, 1, base=torch.tensor([100.0, 400.0])), torch.randn(2, 5, 12)
    written = layer(x)[0]
    with fast_path(layer):
        torch.testing.assert_close(layer(x)[0], written, rtol=0, atol=0)


def test_the_norm_and_the_attention_are_one_operation_each():
    model, x = make_model(num_layers=1), torch.randn(3, 5, 7)
    with torch.profiler.profile() as written:
        model(x)
    with fast_path(model), torch.profiler.profile() as quick:
        model(x)
    counts = [{event.key: event.count for event in run.key_averages()} for run in (written, quick)]
    assert [count.get("aten::native_layer_norm", 0) for count in counts] == [0, 3]
    assert [count.get("aten::scaled_dot_product_attention", 0) for count in counts] == [0, 1]


def test_afterwards_also_after_an_error_the_layers_are_as_written():
    model = make_model(dropout=0.3)
    with pytest.raises(RuntimeError, match="on purpose"), fast_path(model):
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
    with fast_path(model):
        torch.testing.assert_close(model(x), expected)
    assert replaced.forward is mine


def test_a_class_that_somebody_changed_runs_as_changed(monkeypatch):
    layer, x = LayerNorm(6), torch.randn(5, 6)
    monkeypatch.setattr(LayerNorm, "forward", lambda self, x: x + 1)
    with fast_path(layer):
        assert torch.equal(layer(x), x + 1)


def test_a_dropout_that_does_not_drop_is_left_to_torch():
    x = torch.randn(5, 6)
    for layer in (nn.Dropout(0.0), nn.Dropout(0.3).eval()):
        with fast_path(layer):
            assert torch.equal(layer(x), x)
    with fast_path(all_dropped := nn.Dropout(1.0)):
        assert not all_dropped(x).any()
    with fast_path(in_place := nn.Dropout(0.3, inplace=True)):
        assert in_place(x) is x


def test_a_dropout_that_drops_does_it_with_few_random_bits():
    layer, x = nn.Dropout(0.3), torch.randn(5, 6)
    torch.manual_seed(0)
    expected = fast_dropout(x, 0.3)
    torch.manual_seed(0)
    with fast_path(layer):
        assert torch.equal(layer(x), expected)


@pytest.mark.skipif(not torch.backends.mkldnn.is_available(), reason="this torch has no oneDNN")
@pytest.mark.parametrize(
    ("gain", "layers"), [("onednn.is_zen_5_or_later", [True, True]), ("bf16_linear.multiplies_bfloat16", [False, True])]
)
def test_linear_layers_have_their_own_product_on_a_processor_that_gains(monkeypatch, gain, layers):
    for engine in ("onednn.is_zen_5_or_later", "bf16_linear.multiplies_bfloat16"):
        monkeypatch.setattr(f"course_lib.training.engine.{engine}", lambda gains=engine == gain: gains)
    model = nn.Sequential(narrow := nn.Linear(31, 263), wide := nn.Linear(263, 257))
    with fast_path(model):
        assert [("forward" in vars(layer)) for layer in (narrow, wide)] == layers
