"""A directory of Hugging Face's, in our own code: the logits of transformers, and the memory that loading takes."""

import json
import os
import subprocess
import sys

import pytest
import torch

from course_lib.interop import load_llama
from course_lib.model.language_model import LanguageModel
from course_lib.tasks.tiny_llama import TINY_LLAMA, transformers_logits
from course_lib.tasks.torchvision_mend import import_torchvision

import_torchvision()  # beside a CPU torch it takes transformers with it otherwise
transformers = pytest.importorskip("transformers")

SIZES = dict(vocab_size=101, hidden_size=48, intermediate_size=60, num_hidden_layers=3, num_attention_heads=4)
LLAMA3_1 = dict(rope_type="llama3", factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0)
LLAMA3 = dict(LLAMA3_1, original_max_position_embeddings=32, rope_theta=5e5)


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


def test_the_llama_of_page_13_has_the_logits_that_transformers_computes():
    given, expected = transformers_logits()
    theirs = transformers.LlamaForCausalLM.from_pretrained(TINY_LLAMA).eval()
    with torch.no_grad():
        torch.testing.assert_close(theirs(given).logits, expected, rtol=0, atol=1e-5)
        torch.testing.assert_close(load_llama(TINY_LLAMA)(given), expected, rtol=0, atol=2e-5)


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


MADE = dict(
    model_type="llama", attention_bias=False, hidden_act="silu", mlp_bias=False, pretraining_tp=1, rms_norm_eps=1e-5
)
PUBLISHED = {  # the config.json of models that are in use
    "SmolLM2-135M": dict(
        attention_dropout=0.0,
        hidden_size=576,
        intermediate_size=1536,
        is_llama_config=True,
        max_position_embeddings=8192,
        num_attention_heads=9,
        num_hidden_layers=30,
        num_key_value_heads=3,
        rope_interleaved=False,
        rope_scaling=None,
        rope_theta=100000,
        tie_word_embeddings=True,
        torch_dtype="bfloat16",
        vocab_size=49152,
    ),
    "TinyLlama-1.1B": dict(
        hidden_size=2048,
        intermediate_size=5632,
        max_position_embeddings=2048,
        num_attention_heads=32,
        num_hidden_layers=22,
        num_key_value_heads=4,
        rope_scaling=None,
        rope_theta=10000.0,
        tie_word_embeddings=False,
        torch_dtype="bfloat16",
        vocab_size=32000,
    ),
    "Llama-3.2-1B": dict(
        head_dim=64,
        hidden_size=2048,
        intermediate_size=8192,
        max_position_embeddings=131072,
        num_attention_heads=32,
        num_hidden_layers=16,
        num_key_value_heads=8,
        rope_scaling=dict(LLAMA3_1, factor=32.0, original_max_position_embeddings=8192),
        rope_theta=500000.0,
        tie_word_embeddings=True,
        torch_dtype="bfloat16",
        vocab_size=128256,
    ),
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_configs_load(tmp_path, name):
    """As they are on the hub, but for depth and vocabulary, with made weights; positions as far apart as they go."""
    config = MADE | PUBLISHED[name] | {"num_hidden_layers": 2, "vocab_size": SIZES["vocab_size"]}
    made = {key: value for key, value in config.items() if key not in ("torch_dtype", "model_type")}
    saved(tmp_path, **made, initializer_range=0.03)
    (tmp_path / "config.json").write_text(json.dumps(config))
    theirs = transformers.LlamaForCausalLM.from_pretrained(tmp_path, dtype=torch.float32)
    with torch.no_grad():
        expected, found = theirs(tokens()).logits, load_llama(tmp_path)(tokens())
    assert expected.abs().max() > 2
    torch.testing.assert_close(found, expected, rtol=0, atol=2e-5)


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
@pytest.mark.parametrize(
    "more",
    [{"shard": "40MB", "vocab_size": 4096}, {"tie_word_embeddings": True, "vocab_size": 32768}],
    ids=["shards", "one file, most of it the tied table"],
)
def test_loading_takes_little_more_memory_than_the_weights(tmp_path, more):
    sizes = dict(hidden_size=1024, intermediate_size=2816, num_hidden_layers=4, num_attention_heads=16)
    saved(tmp_path, dtype=torch.bfloat16, num_key_value_heads=4, **sizes, **more)
    saved(tmp_path / "small")
    ran = subprocess.run(
        [sys.executable, "-c", PEAK, tmp_path, tmp_path / "small"],
        capture_output=True,
        text=True,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
    )
    print(f"peak memory: {ran.stdout.strip()} of the weights")
    assert float(ran.stdout) <= 1.2, ran.stderr
