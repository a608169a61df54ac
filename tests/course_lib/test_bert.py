import json

import pytest
import torch
from safetensors.torch import save_file
from torch import nn

from course_lib.bert import load_masked_lm
from course_lib.tasks.bias import candidate_odds

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "today", "she", "he", "is", "reading", "cook", "##ing", "."]
H, D, HIDDEN, LAYERS = 3, 12, 17, 2
CONFIG = dict(model_type="bert", hidden_act="gelu", hidden_size=D, num_attention_heads=H, num_hidden_layers=LAYERS)
CONFIG |= dict(intermediate_size=HIDDEN, max_position_embeddings=11, type_vocab_size=2, vocab_size=len(WORDS))
CONFIG |= dict(layer_norm_eps=1e-3)


class Oracle(nn.Module):
    """The same model from torch's own layers."""

    def __init__(self):
        super().__init__()
        self.words, self.places, self.segments = nn.Embedding(len(WORDS), D), nn.Embedding(11, D), nn.Embedding(2, D)
        self.norm = nn.LayerNorm(D, eps=1e-3)
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(D, H, HIDDEN, 0.0, activation="gelu", batch_first=True, layer_norm_eps=1e-3)
            for _ in range(LAYERS)
        )
        self.head = nn.Sequential(nn.Linear(D, D), nn.GELU(), nn.LayerNorm(D, eps=1e-3))
        self.bias = nn.Parameter(torch.randn(len(WORDS)))

    def forward(self, tokens, mask):
        x = self.norm(self.words(tokens) + self.places(torch.arange(tokens.shape[1])) + self.segments.weight[0])
        for layer in self.layers:
            x = layer(x, src_key_padding_mask=~mask)
        return self.head(x) @ self.words.weight.T + self.bias

    def published(self, norm=("weight", "bias")):
        """The weights under the names of published files."""
        found = {
            "bert.embeddings.word_embeddings.weight": self.words.weight,
            "bert.embeddings.position_embeddings.weight": self.places.weight,
            "bert.embeddings.token_type_embeddings.weight": self.segments.weight,
            "cls.predictions.bias": self.bias,
            "bert.pooler.dense.weight": torch.zeros(D, D),
        }

        def add(name, module, kinds=("weight", "bias")):
            found.update({f"{name}.{kinds[0]}": module.weight, f"{name}.{kinds[1]}": module.bias})

        add("bert.embeddings.LayerNorm", self.norm, norm)
        add("cls.predictions.transform.dense", self.head[0])
        add("cls.predictions.transform.LayerNorm", self.head[2], norm)
        for i, layer in enumerate(self.layers):
            name = f"bert.encoder.layer.{i}"
            for part, weight, bias in zip(
                ("query", "key", "value"),
                layer.self_attn.in_proj_weight.chunk(3),
                layer.self_attn.in_proj_bias.chunk(3),
                strict=True,
            ):
                found |= {f"{name}.attention.self.{part}.weight": weight, f"{name}.attention.self.{part}.bias": bias}
            add(f"{name}.attention.output.dense", layer.self_attn.out_proj)
            add(f"{name}.attention.output.LayerNorm", layer.norm1, norm)
            add(f"{name}.intermediate.dense", layer.linear1)
            add(f"{name}.output.dense", layer.linear2)
            add(f"{name}.output.LayerNorm", layer.norm2, norm)
        return {name: weight.detach().clone().contiguous() for name, weight in found.items()}


@pytest.fixture
def oracle():
    torch.manual_seed(5)
    model = Oracle().eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.randn(parameter.shape) * 0.5)
    return model


@pytest.fixture
def folder(tmp_path, oracle):
    (tmp_path / "config.json").write_text(json.dumps(CONFIG))
    (tmp_path / "vocab.txt").write_text("\n".join(WORDS))
    save_file(oracle.published(), tmp_path / "model.safetensors")
    return tmp_path


def test_it_computes_what_torchs_own_layers_compute(folder, oracle):
    tokens = torch.randint(5, len(WORDS), (2, 7))
    mask = torch.arange(7) < torch.tensor([[7], [4]])
    ours = load_masked_lm(folder).model(tokens, mask)
    torch.testing.assert_close(ours[mask], oracle(tokens, mask)[mask], rtol=0, atol=1e-4)


def test_older_files_with_gamma_and_beta_are_read_too(folder, oracle):
    tokens, mask = torch.tensor([[5, 6, 8]]), torch.ones(1, 3, dtype=torch.bool)
    save_file(oracle.published(norm=("gamma", "beta")), folder / "model.safetensors")
    torch.testing.assert_close(load_masked_lm(folder).model(tokens), oracle(tokens, mask), rtol=0, atol=1e-4)


def test_the_probe_of_stage_11_runs_on_it(folder, oracle):
    bert = load_masked_lm(folder)
    tokens, place = bert.read_blank("Today _ is cooking.")
    assert [WORDS[i] for i in tokens[0]] == ["[CLS]", "today", "[MASK]", "is", "cook", "##ing", ".", "[SEP]"]
    assert place == 2
    odds = candidate_odds(bert.model, tokens, place, *bert.ids("she", "he"), bert.mask_id)
    logits = oracle(tokens, torch.ones_like(tokens, dtype=torch.bool))[0, 2]
    assert odds == pytest.approx((logits[6] - logits[7]).item(), abs=1e-4)


def test_a_word_that_is_cut_is_no_candidate(folder):
    with pytest.raises(ValueError, match="'cooking' is not a single piece"):
        load_masked_lm(folder).ids("she", "cooking")


@pytest.mark.parametrize("text", ["she is reading", "_ is _"])
def test_a_sentence_needs_one_blank(folder, text):
    with pytest.raises(ValueError, match="needs one blank"):
        load_masked_lm(folder).read_blank(text)


@pytest.mark.parametrize("name", ["config.json", "model.safetensors", "vocab.txt"])
def test_a_missing_file_is_named(folder, name):
    (folder / name).unlink()
    with pytest.raises(FileNotFoundError, match=name):
        load_masked_lm(folder)


@pytest.mark.parametrize("change", [{"model_type": "roberta"}, {"hidden_act": "relu"}])
def test_a_model_of_another_kind_is_refused(folder, change):
    (folder / "config.json").write_text(json.dumps(CONFIG | change))
    with pytest.raises(ValueError, match="only bert with gelu can be read"):
        load_masked_lm(folder)


def test_a_model_without_the_head_is_refused(folder, oracle):
    weights = {name: weight for name, weight in oracle.published().items() if not name.startswith("cls")}
    save_file(weights, folder / "model.safetensors")
    with pytest.raises(ValueError, match="have no 'cls.predictions.bias'"):
        load_masked_lm(folder)
