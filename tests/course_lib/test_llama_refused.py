"""Directories that are no Llama, or a damaged one: one sentence with key and value, before any weight is read."""

import json
import re

import pytest
import torch
from safetensors.torch import save_file
from torch import nn

from course_lib import llama
from course_lib.llama import load_llama
from course_lib.model.language_model import LanguageModel

CONFIG = dict(
    model_type="llama",
    vocab_size=31,
    hidden_size=24,
    intermediate_size=20,
    num_hidden_layers=2,
    num_attention_heads=6,
    num_key_value_heads=2,
    rms_norm_eps=1e-5,
    rope_parameters=dict(rope_type="default", rope_theta=1e4),
    tie_word_embeddings=False,
)
LLAMA3 = dict(
    rope_type="llama3",
    factor=8.0,
    low_freq_factor=1.0,
    high_freq_factor=4.0,
    original_max_position_embeddings=64,
    rope_theta=5e5,
)
SHARDS = ["model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"]
TABLE, LAST = "model.embed_tokens.weight", "model.layers.1.mlp.down_proj.weight"


def weights(**more):
    """The tensors of a Llama of these sizes under Hugging Face's names."""
    d, inner, kv = CONFIG["hidden_size"], CONFIG["intermediate_size"], 8
    shapes = {TABLE: (31, d), "model.norm.weight": (d,), "lm_head.weight": (31, d)}
    for i in range(2):
        shapes |= {
            f"model.layers.{i}.{name}.weight": shape
            for name, shape in {
                "input_layernorm": (d,),
                "post_attention_layernorm": (d,),
                "self_attn.q_proj": (d, d),
                "self_attn.k_proj": (kv, d),
                "self_attn.v_proj": (kv, d),
                "self_attn.o_proj": (d, d),
                "mlp.gate_proj": (inner, d),
                "mlp.up_proj": (inner, d),
                "mlp.down_proj": (d, inner),
            }.items()
        }
    made = {name: torch.full(shape, 0.1) for name, shape in shapes.items()} | more
    return {name: tensor for name, tensor in made.items() if tensor is not None}


def written(path, config=(), tensors=None, text=None):
    """A directory with this config (None takes a key away), in one file."""
    keys = {key: value for key, value in (CONFIG | dict(config)).items() if value != "gone"}
    (path / "config.json").write_text(json.dumps(keys) if text is None else text)
    save_file(weights() if tensors is None else tensors, path / "model.safetensors")
    return path


def sharded(path, **changed):
    """The same in two shards; `changed` are entries of the index."""
    (written(path) / "model.safetensors").unlink()
    tensors = sorted(weights().items())
    index = {}
    for shard, part in zip(SHARDS, (tensors[:9], tensors[9:]), strict=True):
        save_file(dict(part), path / shard)
        index |= {name: shard for name, _ in part}
    (path / "model.safetensors.index.json").write_text(json.dumps({"weight_map": index | changed}))
    return path


@pytest.fixture
def read(monkeypatch):
    """The names of the weights that were read."""
    names, as_written = [], llama._read
    monkeypatch.setattr(llama, "_read", lambda file, name: names.append(name) or as_written(file, name))
    return names


def refused(path, *said):
    with pytest.raises(ValueError, match=".*".join(map(re.escape, said))) as caught:
        load_llama(path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("make", [written, sharded])
def test_the_directories_below_are_sound_until_they_are_changed(tmp_path, read, make):
    with torch.no_grad():
        assert load_llama(make(tmp_path))(torch.tensor([[3, 1, 4]])).isfinite().all()
    assert len(read) == len(weights())


@pytest.mark.parametrize("rope", [LLAMA3, CONFIG["rope_parameters"]], ids=["scaled", "plain"])
def test_positions_may_be_under_either_key(tmp_path, rope):
    theta = rope["rope_theta"]
    scaling = {key: value for key, value in rope.items() if key != "rope_theta"}
    older = dict(rope_parameters="gone", rope_theta=theta, rope_scaling=scaling)
    with torch.no_grad():
        logits = [
            load_llama(written(tmp_path, keys))(torch.arange(31)[None]) for keys in (dict(rope_parameters=rope), older)
        ]
    assert torch.equal(*logits)


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"model_type": "mistral"}, "model_type = 'mistral'"),
        ({"model_type": "gone"}, "model_type = None"),
        ({"attention_bias": True}, "attention_bias = True"),
        ({"mlp_bias": True}, "mlp_bias = True"),
        ({"hidden_act": "gelu"}, "hidden_act = 'gelu'"),
        ({"quantization_config": {"bits": 4}}, "quantization_config = {'bits': 4}"),
        ({"head_dim": 10}, "head_dim = 10"),
        *(({key: "gone"}, f"has no {key}") for key in ("vocab_size", "hidden_size", "num_hidden_layers")),
        ({"intermediate_size": "gone", "num_attention_heads": "gone"}, "has no num_attention_heads, intermediate_size"),
        ({"hidden_size": "24"}, "hidden_size = '24'"),
        ({"hidden_size": 24.0}, "hidden_size = 24.0"),
        ({"num_hidden_layers": 0}, "num_hidden_layers = 0"),
        ({"num_hidden_layers": True}, "num_hidden_layers = True"),
        ({"vocab_size": -31}, "vocab_size = -31"),
        ({"num_attention_heads": 5}, "hidden_size = 24, which num_attention_heads = 5"),
        ({"num_key_value_heads": 4}, "num_attention_heads = 6, which num_key_value_heads = 4"),
        ({"num_key_value_heads": 0}, "num_key_value_heads = 0"),
        ({"num_attention_heads": 8, "num_key_value_heads": 8}, "heads are 3 wide"),
        ({"rms_norm_eps": "small"}, "rms_norm_eps = 'small'"),
        ({"rms_norm_eps": 0}, "rms_norm_eps = 0"),
        ({"tie_word_embeddings": "yes"}, "tie_word_embeddings = 'yes'"),
        ({"rope_theta": -1}, "rope_theta = -1"),
        ({"rope_theta": float("nan")}, "rope_theta = nan"),
        ({"rope_scaling": "llama3"}, "rope_scaling = 'llama3'"),
        ({"rope_scaling": {"rope_type": "yarn", "factor": 2.0}}, "rope_type = 'yarn'"),
        ({"rope_scaling": {"type": "linear", "factor": 2.0}, "rope_parameters": None}, "type = 'linear'"),
        ({"rope_parameters": {"rope_theta": 1e4, "partial_rotary_factor": 0.5}}, "partial_rotary_factor = 0.5"),
        ({"rope_parameters": {"rope_type": "llama3", "factor": 8.0}}, "no low_freq_factor, high_freq_factor, orig"),
        ({"rope_parameters": LLAMA3 | {"factor": 0}}, "factor = 0"),
        ({"rope_parameters": LLAMA3 | {"low_freq_factor": 4}}, "low_freq_factor = 4"),
        (
            {"rope_parameters": LLAMA3 | {"original_max_position_embeddings": 25}},
            "original_max_position_embeddings = 25",
        ),
    ],
    ids=str,
)
def test_a_config_of_something_else_is_refused_by_key_and_value(tmp_path, read, keys, said):
    refused(written(tmp_path, keys), "config.json", said)
    assert not read


@pytest.mark.parametrize(
    ("text", "said"),
    [("", "not JSON"), ("{", "not JSON"), ("[1]", "holds a list"), ("\udcff", "not JSON"), ("[" * 99_999, "not JSON")],
    ids=["empty", "cut off", "a list", "not UTF-8", "too deep"],
)
def test_a_config_that_is_no_json_object_is_refused(tmp_path, read, text, said):
    written(tmp_path)
    (tmp_path / "config.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    refused(tmp_path, "config.json", said)
    assert not read


@pytest.mark.parametrize(
    ("keys", "tensors", "said"),
    [
        ({}, {LAST: torch.ones(24, 21)}, (LAST, "expected [24, 20], came [24, 21]")),
        ({}, {LAST: torch.ones(24)}, (LAST, "expected [24, 20], came [24]")),
        ({}, {LAST: None}, (LAST, "came nothing")),
        ({}, {"model.layers.1.mlp.bias": torch.ones(3)}, ("model.layers.1.mlp.bias", "expected nothing, came [3]")),
        ({}, {LAST: torch.ones(24, 20, dtype=torch.int8)}, (LAST, "came I8")),
        ({}, {LAST: torch.ones(24, 20).bfloat16()}, ("one dtype", LAST, "BF16")),
        ({}, {"lm_head.weight": None}, ("lm_head.weight", "came nothing")),
        ({"vocab_size": 32}, {}, (TABLE, "expected [32, 24], came [31, 24]")),
        ({"intermediate_size": 21}, {}, ("model.layers.0.mlp.gate_proj.weight", "expected [21, 24], came [20, 24]")),
        ({"num_hidden_layers": 3}, {}, ("model.layers.2",)),
        ({"num_hidden_layers": 1}, {}, ("model.layers.1", "expected nothing")),
        ({"num_key_value_heads": 3}, {}, ("k_proj.weight", "expected [12, 24], came [8, 24]")),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_weights_that_do_not_fit_are_refused_by_name_and_shape(tmp_path, read, keys, tensors, said):
    refused(written(tmp_path, keys, weights(**tensors)), *said)
    assert not read


@pytest.mark.parametrize("head", [None, torch.ones(31, 24)], ids=["alone", "with a second copy"])
def test_a_tied_table_is_one_parameter(tmp_path, head):
    model = load_llama(written(tmp_path, {"tie_word_embeddings": True}, weights(**{"lm_head.weight": head})))
    assert model.output.weight is model.embedding.weight
    assert float(model.output.weight[0, 0].detach()) == pytest.approx(0.1)


def test_missing_and_damaged_shards_are_named(tmp_path, read):
    sharded(tmp_path)
    whole = (tmp_path / SHARDS[1]).read_bytes()
    for damaged in (whole[:-100], whole[:7], b""):
        (tmp_path / SHARDS[1]).write_bytes(damaged)
        refused(tmp_path, SHARDS[1], "not a whole safetensors file")
    (tmp_path / SHARDS[1]).unlink()
    refused(tmp_path, "index.json", f"= '{SHARDS[1]}'", "no such file")
    assert not read


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("../model.safetensors", "'../model.safetensors'"),
        (7, "= 7"),
        ("", "= ''"),
        ("gone.safetensors", "'gone.safeten"),
    ],
)
def test_an_index_names_files_next_to_it(tmp_path, read, value, said):
    refused(sharded(tmp_path, **{TABLE: value}), "index.json", TABLE, said)
    assert not read


@pytest.mark.parametrize("index", [{}, {"weight_map": {}}, {"weight_map": [SHARDS[0]]}], ids=str)
def test_an_index_without_a_map_is_refused(tmp_path, read, index):
    sharded(tmp_path)
    (tmp_path / "model.safetensors.index.json").write_text(json.dumps(index))
    refused(tmp_path, "weight_map")
    assert not read


def test_a_directory_without_config_or_weights_is_another_error(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"config\.json"):
        load_llama(tmp_path / "nowhere")
    (written(tmp_path) / "model.safetensors").unlink()
    with pytest.raises(FileNotFoundError, match=r"model\.safetensors"):
        load_llama(tmp_path)


def test_a_class_with_other_parameters_is_refused(tmp_path, read):
    class Renamed(LanguageModel):
        def __init__(self, **sizes):
            super().__init__(**sizes)
            self.last_norm = self._modules.pop("norm")

    class WithBias(LanguageModel):
        def __init__(self, **sizes):
            super().__init__(**sizes)
            self.output.bias = nn.Parameter(torch.zeros(sizes["vocab_size"]))

    written(tmp_path)
    with pytest.raises(ValueError, match=r"Renamed cannot hold a Llama: it has no parameter norm\.weight"):
        load_llama(tmp_path, Renamed)
    with pytest.raises(ValueError, match=r"a parameter output\.bias of its own"):
        load_llama(tmp_path, WithBias)
    with pytest.raises(ValueError, match="makes no Linear"):
        load_llama(tmp_path, nn.Linear)
    assert not read
