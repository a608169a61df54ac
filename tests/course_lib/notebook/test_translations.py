from types import SimpleNamespace

import matplotlib.pyplot as plt
import pytest
import torch

from course_lib.model.multi_head import CrossAttention
from course_lib.model.translation import TranslationModel
from course_lib.notebook.translations import KINDS, aligned, alignment, cross_attention, kind_of_failure, pipeline
from course_lib.text.vocabulary import Vocabulary

SIZES = dict(model_dim=12, num_heads=3, num_layers=2, dim_feedforward=7, max_len=11)


def words(vocabulary):
    return SimpleNamespace(
        vocabulary=vocabulary, encode=lambda text: vocabulary.encode(text.split()), decode=vocabulary.decode
    )


def refuse_nothing(model, texts):
    assert all(texts)


@pytest.fixture
def task():
    english, german = Vocabulary([["the", "dog", "sleeps"]]), Vocabulary([["der", "Hund", "die", "schläft"]])
    sizes = SIZES | {"src_vocab": len(english), "tgt_vocab": len(german)}
    return SimpleNamespace(source=words(english), target=words(german), model=sizes, translate=refuse_nothing)


@pytest.fixture
def model(task):
    torch.manual_seed(3)
    return TranslationModel(**task.model)


def test_cross_attention_is_what_the_decoder_computes(model):
    src, tgt = torch.tensor([[4, 5, 6, 2], [4, 2, 0, 0]]), torch.tensor([[1, 5, 6], [1, 4, 7]])
    mask = src != 0
    maps = cross_attention(model, src, tgt, mask)
    assert maps.shape == (2, 2, 3, 3, 4)
    torch.testing.assert_close(maps.sum(dim=-1), torch.ones(2, 2, 3, 3))
    assert maps[:, 1, :, :, 2:].max() == 0
    outputs = []
    cross = model.decoder.layers[0].cross_attn
    cross.register_forward_hook(lambda layer, inputs, output: outputs.append((inputs, output)))
    model.eval()(src, tgt, mask)
    (_, keys, values, _), output = outputs[0]
    v = cross.v_proj(values).unflatten(-1, (3, -1)).transpose(1, 2)  # [B, h, S, d]
    torch.testing.assert_close(cross.out_proj((maps[0] @ v).transpose(1, 2).flatten(2)), output)


class Own(CrossAttention):
    """A student's layer, which keeps the number of its heads under another name."""

    def forward(self, queries, keys, values, mask=None, is_causal=False):
        return queries


def test_a_students_layer_may_call_its_heads_something_else(task, model):
    for block in model.decoder.layers:
        block.cross_attn.__class__ = Own
        del block.cross_attn.num_heads
    *_, weights = aligned(task, model, "the dog sleeps")
    assert weights.shape[:2] == (2, 3)


def test_no_hook_and_no_other_mode_is_left(model):
    model.train()
    cross_attention(model, torch.tensor([[4, 2]]), torch.tensor([[1]]))
    assert model.training
    assert not any(block.cross_attn._forward_pre_hooks for block in model.decoder.layers)


def test_words_stand_beside_the_attention(task, model):
    read, written, weights = aligned(task, model, "the dog sleeps")
    assert read == ["the", "dog", "sleeps", "eos"]
    assert written[-1] == "eos"
    assert weights.shape == (2, 3, len(written), len(read))
    figure, axes = plt.subplots()
    assert alignment(axes, task, model, "the dog sleeps") == written[:-1]
    plt.close(figure)


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("eine gute Frau sieht die Kinder", "right"),
        ("eine gute Frau die Kinder sieht", "other order"),
        ("eine guten Frau sieht die Kinder", "wrong ending"),
        ("einer gute Frau sieht den Kindern", "wrong ending"),
        ("eine Frau sieht die Kinder", "word left out"),
        ("eine gute alte Frau sieht die Kinder", "word too many"),
        ("eine gute Köchin sieht die Kinder", "wrong word"),
    ],
)
def test_failures_are_sorted(said, kind):
    assert kind_of_failure(said.split(), ["eine", "gute", "Frau", "sieht", "die", "Kinder"]) == kind
    assert kind in KINDS


def test_the_pipeline_goes_from_text_to_text():
    figure = pipeline()
    said = [text.get_text() for text in figure.axes[0].texts]
    plt.close(figure)
    assert [said.count(word) for word in ("text", "memory", "logits")] == [2, 1, 1]
