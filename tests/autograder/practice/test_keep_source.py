"""What is right is kept in `my_transformer/`, as it can be imported; the rest is not."""

import os

import numpy as np
import pytest
import torch

import course_lib
from autograder.practice.keep_source import keep_source
from course_lib.notebook import my_transformer

SOFTMAX = """
import torch
def shifted(x, dim):
    return x - x.amax(dim, keepdim=True)

def softmax(logits, dim=-1):
    x = shifted(logits, dim).exp()  # mine
    return x / x.sum(dim, keepdim=True)
"""
PRODUCT = "def scaled_dot_product(q, k, v, mask=None):\n    return softmax(q @ k.mT) @ v"
MASK = "def split_heads(x, num_heads):\n    return softmax(x), causal_mask(3), math.pi"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("COURSE_MY_TRANSFORMER", str(tmp_path / "my_transformer"))
    monkeypatch.delenv("COURSE_PICTURES", raising=False)
    return tmp_path / "my_transformer"


def right(_):
    return True


def test_a_right_answer_is_kept_with_its_helpers_and_imports(folder):
    said = keep_source("softmax", ["x = 5", SOFTMAX, "softmax(torch.ones(3))"], right)
    my_transformer.forget()
    assert "my_transformer/attention.py" in said
    assert torch.equal(my_transformer.load("attention", "softmax")(torch.zeros(4)), torch.full((4,), 0.25))
    text = (folder / "attention.py").read_text()
    assert "# mine" in text
    assert "x = 5" not in text


def test_it_is_judged_as_it_is_kept(folder):
    judged = []
    keep_source("softmax", [SOFTMAX], lambda kept: judged.append(kept.__module__) or False)
    assert judged == ["my_transformer.attention"]
    assert not (folder / "attention.py").exists()


def test_what_was_kept_stays_when_something_new_is_not_right(folder):
    keep_source("softmax", [SOFTMAX], right)
    before = (folder / "attention.py").read_text()
    keep_source("scaled_dot_product", [SOFTMAX, PRODUCT], lambda kept: False)
    assert (folder / "attention.py").read_text() == before


def test_a_second_part_calls_the_first_which_is_kept_once(folder):
    keep_source("softmax", [SOFTMAX], right)
    assert keep_source("scaled_dot_product", [SOFTMAX, PRODUCT], right) is None
    text = (folder / "attention.py").read_text()
    assert text.count("def softmax") == text.count("def scaled_dot_product") == 1


def test_what_is_kept_in_another_topic_is_imported_from_there_and_the_rest_from_the_course(folder):
    keep_source("softmax", [SOFTMAX], right)
    keep_source("split_heads", ["import math", SOFTMAX, MASK], right)
    lines = (folder / "multi_head.py").read_text().splitlines()
    assert {"import math", "from .attention import softmax", "from course_lib import causal_mask"} <= set(lines)


JAX_PRODUCT = "import jax\ndef scaled_dot_product(q, k, v, mask=None):\n    return jax.nn.softmax(q @ k.mT) @ v, None"
JAX_HEADS = (
    "def multihead_attention(params, x, num_heads, mask=None):\n    return scaled_dot_product(x, x, expand_mask(x))"
)
JAX_BLOCK = (
    "class EncoderBlock(nnx.Module):\n    def __init__(self):\n        self.self_attn = MultiheadAttention(3, 4, 2)"
)
FROM_THE_PAGE = "from flax import nnx\nfrom course_lib.jax.layers import MultiheadAttention\n"


def test_an_answer_in_jax_is_kept_beside_the_one_of_the_same_name_in_torch(folder):
    keep_source("scaled_dot_product", [SOFTMAX, PRODUCT], right)
    said = keep_source("jax_scaled_dot_product", [JAX_PRODUCT], right)
    assert said == "Saved in my_transformer/jax/attention.py for the stages that build on it."
    assert "jax.nn.softmax" in (folder / "jax" / "attention.py").read_text()
    assert "jax" not in (folder / "attention.py").read_text()
    kept = my_transformer.load("attention", "scaled_dot_product", "course_lib.jax")
    assert kept.__module__ == "my_transformer.jax.attention"
    values, _ = kept(*np.eye(2, dtype=np.float32)[None].repeat(3, 0))
    assert values.shape == (2, 2)


def test_what_is_missing_in_jax_comes_from_the_courses_jax_and_what_is_given_from_where_the_page_had_it(folder):
    keep_source("scaled_dot_product", [SOFTMAX, PRODUCT], right)
    keep_source("jax_multihead_attention", [JAX_HEADS], right)
    lines = (folder / "jax" / "attention.py").read_text().splitlines()
    assert {f"from course_lib.jax import {name}" for name in ("expand_mask", "scaled_dot_product")} <= set(lines)
    keep_source("jax_EncoderBlock", [FROM_THE_PAGE + JAX_BLOCK], right)
    lines = (folder / "jax" / "model.py").read_text().splitlines()
    assert set(FROM_THE_PAGE.splitlines()) <= set(lines)


def test_the_last_definition_counts_and_magics_do_not_disturb(folder):
    keep_source("softmax", ["%matplotlib inline", SOFTMAX.replace("mine", "old"), "!ls", SOFTMAX, "pool?"], right)
    assert "# old" not in (folder / "attention.py").read_text()


@pytest.mark.parametrize("damage", ["def softmax(:", "x = 1\n", "# %% softmax: right, 00000000\ndef softmax(:\n"])
def test_a_file_that_is_not_ours_any_more_is_left_alone_and_named(folder, damage):
    folder.mkdir()
    (folder / "attention.py").write_text(damage)
    assert "attention.py has been edited" in keep_source("softmax", [SOFTMAX], right)
    assert (folder / "attention.py").read_text() == damage


def test_where_nothing_can_be_written_nothing_is_said(folder):
    folder.write_text("a file")
    assert keep_source("softmax", [SOFTMAX], right) is None


@pytest.mark.parametrize("name", ["COURSE_MY_TRANSFORMER", "COURSE_PICTURES"])
def test_nothing_is_kept_where_it_is_not_wanted_and_where_submissions_are_graded(folder, monkeypatch, name):
    monkeypatch.setenv(name, "off")
    assert keep_source("softmax", [SOFTMAX], right) is None
    assert not folder.exists()


@pytest.mark.parametrize("kind", ["pipe", "device", "folder", "huge", "deep", "bytes"])
def test_a_folder_from_somebody_else_stops_nothing(folder, kind):
    path = folder / "attention.py"
    folder.mkdir()
    huge, deep = b"# %% softmax: right, 3f2a9c41\n" + b"x = 1\n" * (1 << 20), b"(" * 5000
    make = {
        "pipe": lambda: os.mkfifo(path),
        "device": lambda: path.symlink_to("/dev/zero"),
        "folder": path.mkdir,
        "huge": lambda: path.write_bytes(huge),
        "deep": lambda: path.write_bytes(b"# %% softmax: right, 3f2a9c41\n" + deep),
        "bytes": lambda: path.write_bytes(b"\xff\xfe\x00"),
    }
    make[kind]()
    said = keep_source("softmax", [SOFTMAX], right)
    assert said is None or "has been edited; rename or delete it" in said
    my_transformer.use_mine(page={"softmax": course_lib.softmax})


def test_what_is_kept_replaces_a_link_and_not_what_it_leads_to(folder, tmp_path):
    folder.mkdir()
    (tmp_path / "mine.txt").write_text("mine")
    (folder / "attention.py").symlink_to(tmp_path / "mine.txt")
    keep_source("softmax", [SOFTMAX], right)
    assert (tmp_path / "mine.txt").read_text() == "mine"


def test_a_part_that_somebody_changed_is_not_run(folder, tmp_path):
    keep_source("softmax", [SOFTMAX], right)
    path = folder / "attention.py"
    path.write_text(path.read_text().replace("def softmax", f"open({str(tmp_path / 'run')!r}, 'w')\ndef softmax"))
    my_transformer.forget()
    with pytest.raises(ImportError, match="softmax of attention is not used"):
        my_transformer.load("attention", "softmax")
    assert not (tmp_path / "run").exists()
