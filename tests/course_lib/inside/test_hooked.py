"""Models that can be looked into compute what they compute without being looked at."""

import ast
from pathlib import Path

import pytest
import torch

from course_lib.inside import hooked
from course_lib.inside.hooked import AttentionOnly, Hooked
from course_lib.model.language_model import LanguageModel

PAGE = Path(__file__).parents[3] / "solutions" / "14_inside.py"
TOKENS = torch.tensor([[5, 4, 0, 7, 5], [7, 8, 9, 8, 8]])


@pytest.fixture
def model():
    torch.manual_seed(0)
    return AttentionOnly(13, model_dim=12, num_heads=3, num_layers=2).double()


def test_a_model_of_attention_alone_is_norms_attention_and_residuals(model):
    x = model.embedding(TOKENS)
    for block in model.blocks:
        x = x + block.attention(block.attention_norm(x))[0]
    torch.testing.assert_close(model(TOKENS), model.output(model.norm(x)), rtol=0, atol=1e-12)


def test_an_attention_may_keep_its_numbers_under_other_names():
    trained = LanguageModel(13, 24, 6, 2, num_layers=3, hidden_dim=7).double()
    logits = trained(TOKENS)
    for block in trained.blocks:
        for name in ("num_heads", "num_kv_heads", "base"):
            delattr(block.attention, name)
    torch.testing.assert_close(Hooked(trained)(TOKENS), logits, rtol=0, atol=1e-12)


@pytest.mark.parametrize("groups", [1, 2, 6])
def test_looking_changes_no_logit_of_a_language_model(groups):
    trained = LanguageModel(13, 24, 6, groups, num_layers=3, hidden_dim=7).double()
    logits, attention, states = Hooked(trained).look(TOKENS)
    torch.testing.assert_close(logits, trained(TOKENS), rtol=0, atol=1e-12)
    torch.testing.assert_close(trained.output(trained.norm(states[-1])), logits, rtol=0, atol=1e-12)
    assert (attention.shape, states.shape) == ((3, 2, 6, 5, 5), (4, 2, 5, 24))
    torch.testing.assert_close(attention.sum(dim=-1), torch.ones(3, 2, 6, 5).double())
    assert attention.triu(1).abs().max() == 0


def test_an_edit_is_called_once_a_layer_and_changes_what_the_heads_say(model):
    called = []

    def edit(layer, values):
        called.append((layer, tuple(values.shape)))
        return torch.zeros_like(values)

    changed = model(TOKENS, edit)
    assert called == [(0, (2, 3, 5, 4)), (1, (2, 3, 5, 4))]
    torch.testing.assert_close(changed, model.output(model.norm(model.embedding(TOKENS))))


def test_what_the_page_gives_is_what_the_package_has():
    def bodies(path):
        kinds = ast.FunctionDef | ast.ClassDef
        found = {node.name: node for node in ast.parse(path.read_text("utf-8")).body if isinstance(node, kinds)}
        for node in [inner for one in found.values() for inner in ast.walk(one) if isinstance(inner, kinds)]:
            node.body = node.body[1:] if ast.get_docstring(node) else node.body
        return {name: ast.dump(node) for name, node in found.items()}

    ours, given = bodies(Path(hooked.__file__)), bodies(PAGE)
    assert ours == {name: given[name] for name in ours}
