"""Texts to learn from: Shakespeare's, yours, and what is no text to learn from."""

import math
from dataclasses import replace

import pytest
import torch

from course_lib.tasks.language import Blocks, shakespeare_task, text_task, train_language_model
from course_lib.text.text_tokens import BytePairs, Characters
from course_lib.training.language import LanguageRecipe
from course_lib.training.muon import orthogonalised

SMALL = LanguageRecipe(1e-2, batch_size=3, block=7, max_steps=30, warmup=3)
TEXT = "the cat sat on the mat, and the dog sat on the log. " * 20


@pytest.fixture(autouse=True)
def _on_the_cpu(monkeypatch):
    monkeypatch.setenv("COURSE_DEVICE", "cpu")


@pytest.mark.parametrize("make", [Characters, lambda text: BytePairs(text, num_merges=9)], ids=["characters", "pairs"])
def test_a_text_comes_back_without_loss(make):
    text = "  two spaces,\n\na line and\ttab " + TEXT
    tokens = make(text)
    assert tokens.decode(tokens.encode(text)) == text


@pytest.mark.parametrize("make", [Characters, lambda text: BytePairs(text, num_merges=9)], ids=["characters", "pairs"])
def test_unknown_characters_are_named(make):
    with pytest.raises(ValueError, match="'ß', 'é'"):
        make(TEXT).encode("éß")


def test_shakespeare_is_split_nine_to_one():
    task = shakespeare_task()
    assert (len(task.train_ids), len(task.validation_ids), len(task.tokens)) == (1_003_855, 111_539, 65)


def test_every_token_of_the_validation_text_is_predicted_once():
    rows = torch.cat([batch for (batch,) in shakespeare_task().validation(128)])
    assert torch.equal(rows[:-1, -1], rows[1:, 0])


def test_bits_per_character_are_nats_of_characters():
    assert shakespeare_task().bits_per_character(math.log(2)) == pytest.approx(1)


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"", "empty"), (b"a", "at least"), (TEXT[:8].encode(), "at least"), (b"caf\xe9 " * 99, "UTF-8")],
    ids=["empty", "one character", "short", "latin-1"],
)
def test_what_is_no_text_to_learn_from_is_refused(tmp_path, content, said):
    (tmp_path / "text.txt").write_bytes(content)
    with pytest.raises(ValueError, match=said):
        text_task(tmp_path / "text.txt", recipe=SMALL)


def test_a_missing_text_and_a_block_that_is_too_long_are_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere"):
        text_task(tmp_path / "nowhere")
    with pytest.raises(ValueError, match="5 tokens is too short for blocks of 7"):
        Blocks(torch.arange(5), block=7, batch_size=2)


@pytest.mark.parametrize("muon", [True, False])
def test_training_lowers_the_loss_and_repeats_itself(tmp_path, muon):
    (tmp_path / "text.txt").write_text(TEXT)
    task = text_task(tmp_path / "text.txt", recipe=replace(SMALL, muon=muon))
    task = replace(task, model=task.model | {"model_dim": 16, "num_layers": 1, "hidden_dim": 24})
    runs = [train_language_model(task, seed=1, progress=False)[1] for _ in range(2)]
    assert runs[0].validations[-1].loss < runs[0].losses[0] - 0.3
    assert runs[0].losses == runs[1].losses


def test_orthogonalised_matrices_have_singular_values_near_one():
    values = torch.linalg.svdvals(orthogonalised(torch.randn(3, 5, 17, generator=torch.Generator().manual_seed(0))))
    assert values.min() > 0.6
    assert values.max() < 1.3
