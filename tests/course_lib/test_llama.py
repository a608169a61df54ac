"""A directory of Hugging Face's, in our own code: the logits of transformers, and what is refused."""

import json
import os
import subprocess
import sys

import pytest
import torch

from course_lib.interop import load_llama
from course_lib.model.language_model import LanguageModel
from course_lib.tasks.torchvision_mend import import_torchvision

import_torchvision()  # beside a CPU torch it takes transformers with it otherwise
transformers = pytest.importorskip("transformers")

SIZES = dict(vocab_size=101, hidden_size=48, intermediate_size=60, num_hidden_layers=3, num_attention_heads=4)
LLAMA3 = dict(
    rope_type="llama3",
    factor=8.0,
    low_freq_factor=1.0,
    high_freq_factor=4.0,
    original_max_position_embeddings=32,
    rope_theta=5e5,
)


def saved(path, dtype=torch.float32, shard="5GB", **more):
    """A Llama with weights that show a mistake: transformers' own start is so small that hardly any does."""
    torch.manual_seed(7)
    config = transformers.LlamaConfig(**SIZES | {"initializer_range": 0.2, "num_key_value_heads": 2} | more)
    model = transformers.LlamaForCausalLM(config).eval()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "norm" in name:
                parameter.copy_(1 + 0.3 * torch.randn_like(parameter))
    model = model.to(dtype)
    model.save_pretrained(path, max_shard_size=shard)
    return model


def tokens(length=37):
    return torch.randint(SIZES["vocab_size"], (2, length), generator=torch.Generator().manual_seed(11))


def changed(path, **keys):
    config = json.loads((path / "config.json").read_text())
    (path / "config.json").write_text(json.dumps({k: v for k, v in (config | keys).items() if v != "gone"}))


@pytest.mark.parametrize(
    "more",
    [
        {"num_key_value_heads": 1},
        {"num_key_value_heads": 2, "tie_word_embeddings": True},
        {"num_key_value_heads": 4, "rope_parameters": {"rope_type": "default", "rope_theta": 5e5}},
        {"shard": "20KB"},
        {"rope_parameters": LLAMA3},
        {"rope_parameters": LLAMA3, "tie_word_embeddings": True, "shard": "20KB"},
    ],
    ids=["one group", "tied", "base 5e5", "shards", "scaled", "scaled, tied, shards"],
)
def test_the_logits_are_those_of_transformers(tmp_path, more):
    theirs = saved(tmp_path, **more)
    with torch.no_grad():
        expected, found = theirs(tokens()).logits, load_llama(tmp_path)(tokens())
    assert expected.abs().max() > 2
    torch.testing.assert_close(found, expected, rtol=0, atol=2e-5)


def test_the_order_of_the_rows_matters(tmp_path, monkeypatch):
    theirs = saved(tmp_path)
    monkeypatch.setattr("course_lib.llama.halves_to_pairs", lambda weight, heads: weight)
    with torch.no_grad():
        assert (theirs(tokens()).logits - load_llama(tmp_path)(tokens())).abs().max() > 1


def test_the_loss_and_the_greedy_text_are_those_of_transformers(tmp_path):
    from course_lib.text.generating import generate
    from course_lib.text.next_token import next_token_loss

    theirs, ours, prompt = saved(tmp_path), load_llama(tmp_path), tokens(5)
    with torch.no_grad():
        expected = theirs(tokens(), labels=tokens()).loss
        torch.testing.assert_close(next_token_loss(ours(tokens()), tokens()), expected, rtol=0, atol=2e-6)
    text = prompt
    for _ in range(20):
        with torch.no_grad():
            text = torch.cat([text, theirs(text).logits[:, -1:].argmax(dim=-1)], dim=1)
    assert torch.equal(generate(ours, prompt, 20, temperature=0), text)


def test_bfloat16_stays_and_the_table_is_tied(tmp_path):
    saved(tmp_path, dtype=torch.bfloat16, tie_word_embeddings=True)
    theirs = transformers.LlamaForCausalLM.from_pretrained(tmp_path, dtype=torch.float32)  # .to() rounds its angles
    ours = load_llama(tmp_path)
    assert {parameter.dtype for parameter in ours.parameters()} == {torch.bfloat16}
    assert ours.output.weight is ours.embedding.weight
    assert not ours.training
    with torch.no_grad():
        assert ours(tokens()).dtype == torch.bfloat16
        expected, found = theirs(tokens()).logits, ours.float()(tokens())
    torch.testing.assert_close(found, expected, rtol=0, atol=2e-5)


def test_another_class_is_filled_as_well(tmp_path):
    class Mine(LanguageModel):
        pass

    saved(tmp_path)
    assert type(load_llama(tmp_path, Mine)) is Mine


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"model_type": "mistral"}, "model_type = 'mistral'"),
        ({"attention_bias": True}, "attention_bias = True"),
        ({"mlp_bias": True}, "mlp_bias = True"),
        ({"hidden_act": "gelu"}, "hidden_act = 'gelu'"),
        ({"head_dim": 10}, "head_dim = 10"),
        ({"rope_parameters": {"rope_type": "yarn", "rope_theta": 1e4}}, "rope_type = 'yarn'"),
        ({"rope_scaling": {"type": "linear", "factor": 2.0}}, "rope_type"),
        ({"rope_parameters": {"rope_type": "llama3", "factor": 8.0}}, "low_freq_factor"),
        ({"hidden_size": "gone"}, "hidden_size"),
        ({"intermediate_size": 61}, r"mlp.gate_proj.weight \(expected \[61, 48\], came \[60, 48\]\)"),
        ({"num_hidden_layers": 4}, "model.layers.3"),
        ({"num_hidden_layers": 2}, "model.layers.2.*expected nothing"),
        ({"num_attention_heads": 5, "head_dim": "gone"}, "48"),
    ],
    ids=str,
)
def test_what_does_not_fit_is_refused_by_name(tmp_path, keys, said):
    saved(tmp_path)
    changed(tmp_path, **keys)
    with pytest.raises(ValueError, match=said):
        load_llama(tmp_path)


def test_missing_and_broken_files_are_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"config\.json"):
        load_llama(tmp_path)
    saved(tmp_path, shard="20KB")
    shard = sorted(tmp_path.glob("*.safetensors"))[1]
    whole = shard.read_bytes()
    shard.write_bytes(whole[:-100])
    with pytest.raises(ValueError, match=shard.name):
        load_llama(tmp_path)
    shard.unlink()
    with pytest.raises(FileNotFoundError, match=shard.name):
        load_llama(tmp_path)
    (tmp_path / "config.json").write_text("[1]")
    with pytest.raises(ValueError, match="JSON object"):
        load_llama(tmp_path)


PUBLISHED = {  # the configs of models that are in use, made small in depth and vocabulary
    "SmolLM2-135M": dict(
        hidden_size=576,
        intermediate_size=1536,
        num_attention_heads=9,
        num_key_value_heads=3,
        rope_parameters={"rope_type": "default", "rope_theta": 1e5},
        tie_word_embeddings=True,
    ),
    "TinyLlama-1.1B": dict(hidden_size=2048, intermediate_size=5632, num_attention_heads=32, num_key_value_heads=4),
    "Llama-3.2-1B": dict(
        hidden_size=2048,
        intermediate_size=8192,
        num_attention_heads=32,
        num_key_value_heads=8,
        tie_word_embeddings=True,
        rope_parameters=LLAMA3 | {"factor": 32.0, "original_max_position_embeddings": 8192},
    ),
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_shapes_of_published_models_load(tmp_path, name):
    theirs = saved(tmp_path, **PUBLISHED[name] | {"num_hidden_layers": 1, "initializer_range": 0.04})
    with torch.no_grad():
        expected, found = theirs(tokens()).logits, load_llama(tmp_path)(tokens())
    torch.testing.assert_close(found, expected, rtol=2e-5, atol=2e-5 * float(expected.abs().max()))


PEAK = """
import re, sys
from course_lib.interop import load_llama
load_llama(sys.argv[2])  # what torch imports for it is not counted
def memory(what):
    return 1024 * int(re.search(what + r":\\s+(\\d+)", open("/proc/self/status").read())[1])
before = memory("VmRSS")
model = load_llama(sys.argv[1])
weights = sum(p.numel() * p.element_size() for p in model.parameters())
print((memory("VmHWM") - before) / weights)
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="the peak is read from Linux's /proc")
def test_loading_takes_little_more_memory_than_the_weights(tmp_path):
    saved(
        tmp_path,
        dtype=torch.bfloat16,
        shard="40MB",
        vocab_size=4096,
        hidden_size=1024,
        intermediate_size=2816,
        num_hidden_layers=4,
        num_attention_heads=16,
        num_key_value_heads=4,
    )
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    saved(tmp_path / "small")
    ran = subprocess.run(
        [sys.executable, "-c", PEAK, tmp_path, tmp_path / "small"], capture_output=True, text=True, env=environment
    )
    assert float(ran.stdout) <= 1.2, ran.stderr
