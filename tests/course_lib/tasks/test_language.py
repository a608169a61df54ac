"""Texts to learn from: Shakespeare's, yours, and files that aren't texts."""

import math
import re
from contextlib import nullcontext
from dataclasses import replace

import pytest
import torch

from course_lib.model.language_model import LanguageModel
from course_lib.tasks.checkpoint import load_pretrained
from course_lib.tasks.language import (
    Blocks,
    language_loss,
    shakespeare,
    shakespeare_on_a_gpu,
    shakespeare_task,
    text_task,
    train_language_model,
)
from course_lib.text.generating import generate
from course_lib.text.text_tokens import BytePairs, Characters
from course_lib.training.engine.fast_path import fast_path
from course_lib.training.language import LanguageRecipe, dropped
from course_lib.training.muon import orthogonalised

SMALL = LanguageRecipe(1e-2, batch_size=3, block=7, max_steps=30, warmup=3)
TEXT = "the cat sat on the mat, and the dog sat on the log. " * 20


def small(task):
    return replace(task, model=task.model | {"model_dim": 16, "num_layers": 1, "hidden_dim": 24})


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
    [
        (b"", "“text” is empty"),
        (b"\xef\xbb\xbf", "“text” is empty"),
        (b"a", "training part of “text” has 1 tokens, but at least 8"),
        (TEXT[:7].encode(), "training part of “text” has 7 tokens, but at least 8"),
        (TEXT[:19].encode(), "validation part of “text” has 1 tokens, but at least 2"),
        (b"caf\xe9 " * 99, "UTF-8 .byte 3"),
        (TEXT.encode("utf-16"), "UTF-8 .byte 0"),
        (bytes(range(256)), "UTF-8 .byte 128"),
    ],
    ids=[
        "empty",
        "a byte order mark",
        "one character",
        "short",
        "nothing to measure on",
        "latin-1",
        "utf-16",
        "binary",
    ],
)
@pytest.mark.parametrize("make", [Characters, lambda text: BytePairs(text, num_merges=0)], ids=["characters", "pairs"])
def test_what_is_no_text_to_learn_from_is_refused(tmp_path, content, said, make):
    (tmp_path / "text.txt").write_bytes(content)
    with pytest.raises(ValueError, match=said):
        text_task(tmp_path / "text.txt", make, recipe=SMALL)


def test_a_byte_order_mark_and_windows_line_ends_are_not_in_the_vocabulary(tmp_path):
    (tmp_path / "text.txt").write_bytes(b"\xef\xbb\xbf" + TEXT.replace(". ", ".\r\n").encode())
    tokens = text_task(tmp_path / "text.txt", recipe=SMALL).tokens.tokens
    assert "\ufeff" not in tokens
    assert "\r" not in tokens
    assert "\n" in tokens


def test_characters_that_only_the_validation_part_has_are_known_and_merges_are_not_learned_from_it(tmp_path):
    (tmp_path / "text.txt").write_text("ab " * 90 + "zß" * 15)
    task = text_task(tmp_path / "text.txt", lambda text: BytePairs(text, num_merges=9), recipe=SMALL)
    assert task.tokens.decode(task.validation_ids.tolist()) == "zß" * 15
    assert "zß" not in task.tokens.tokens
    assert " ab</w>" in task.tokens.tokens


def test_a_text_of_one_letter_is_learned_without_a_loss(tmp_path):
    (tmp_path / "text.txt").write_text("a" * 300)
    task = text_task(tmp_path / "text.txt", recipe=replace(SMALL, max_steps=3))
    _, history = train_language_model(small(task), progress=False)
    assert history.losses == [0, 0, 0]
    assert history.validations[-1].loss == 0


def test_a_missing_text_and_a_block_that_is_too_long_are_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere"):
        text_task(tmp_path / "nowhere")
    with pytest.raises(ValueError, match="5 tokens is too short for blocks of 7"):
        Blocks(torch.arange(5), block=7, batch_size=2)


@pytest.mark.parametrize(
    "changed", [{"muon": True}, {"muon": False}, {"dropout": 0.2}], ids=["Muon", "AdamW", "dropout"]
)
def test_training_lowers_the_loss_and_repeats_itself(tmp_path, changed):
    (tmp_path / "text.txt").write_text(TEXT)
    task = small(text_task(tmp_path / "text.txt", recipe=replace(SMALL, **changed)))
    runs = [train_language_model(task, seed=1, progress=False)[1] for _ in range(2)]
    assert runs[0].validations[-1].loss < runs[0].losses[0] - 0.3
    assert runs[0].losses == runs[1].losses


def test_dropout_is_in_training_alone_and_leaves_nothing_behind():
    model = LanguageModel(**small(shakespeare_task(characters=3_000)).model)
    tokens = torch.arange(12)[None]
    with torch.no_grad():
        plain = model(tokens)
        with dropped(model, 0.5):
            first, second, in_eval = model.train()(tokens), model(tokens), model.eval()(tokens)
        assert torch.equal(model.train()(tokens), plain)
    assert torch.equal(in_eval, plain)
    assert not torch.allclose(first, second)
    assert not any(module._forward_hooks for module in model.modules())


def test_the_recipe_for_a_gpu_runs_anywhere():
    task = shakespeare_on_a_gpu(characters=3_000)
    recipe = replace(task.recipe, max_steps=2, batch_size=2)
    model, history = train_language_model(task, recipe=recipe, progress=False)
    assert sum(parameter.numel() for parameter in model.parameters()) < 4.4e6
    assert history.validations[-1].loss < history.losses[0] + 0.1


@pytest.mark.parametrize(("limit", "steps"), [("3", 3), ("90", 30)])
def test_an_environment_variable_ends_the_training_early(monkeypatch, limit, steps):
    monkeypatch.setenv("COURSE_STEPS", limit)
    _, history = train_language_model(small(shakespeare_task(characters=3_000)), recipe=SMALL, progress=False)
    assert len(history.losses) == steps == history.validations[-1].step


@pytest.mark.parametrize("path", [fast_path, nullcontext], ids=["fast", "as written"])
def test_in_the_bfloat16_of_a_gpu_the_loss_is_nearly_the_same(path):
    task = shakespeare_task(characters=3_000)
    torch.manual_seed(0)
    model, (batch, *_) = LanguageModel(**task.model), task.validation()
    expected, _ = language_loss(model, batch)
    with path(model), torch.autocast("cpu", torch.bfloat16):
        found, _ = language_loss(model, batch)
    found.backward()
    assert abs(found.item() - expected.item()) < 0.01
    assert all(parameter.grad.isfinite().all() for parameter in model.parameters())


def test_a_context_longer_than_in_training_costs_no_error_but_more_and_more():
    """What page 13 says: half a nat in the next 64 characters, and soon more than twice the loss."""
    task, model = shakespeare_task(), load_pretrained("shakespeare").cpu()
    text = task.validation_ids[: 8 * 512 + 1].unfold(0, 513, 512)  # [8, 513]
    with torch.no_grad():
        logits = model(text)[:, :-1]
        assert torch.allclose(model(text[:, :128]), logits[:, :128], atol=1e-4)
    losses = torch.nn.functional.cross_entropy(logits.transpose(1, 2), text[:, 1:], reduction="none").mean(0)  # [512]
    within, after, late = losses[32:128].mean(), losses[128:192].mean(), losses[-64:].mean()
    assert after - within > 0.4
    assert late > 2 * within
    assert losses.isfinite().all()


@pytest.mark.parametrize("prompt", ["ROMEO: naïve 7", "\t"], ids=["letters and digits", "a tab"])
def test_a_prompt_with_characters_that_shakespeare_lacks_is_refused_by_name(prompt):
    lacking = sorted(set(prompt) - set(shakespeare()))
    with pytest.raises(ValueError, match=re.escape(", ".join(map(repr, lacking)))):
        shakespeare_task().tokens.encode(prompt)


def test_an_empty_prompt_is_refused():
    task = shakespeare_task(characters=3_000)
    with pytest.raises(ValueError, match="prompt is empty"):
        generate(LanguageModel(**task.model), torch.tensor([task.tokens.encode("")]), 3)


def test_orthogonalised_matrices_have_singular_values_near_one():
    values = torch.linalg.svdvals(orthogonalised(torch.randn(3, 5, 17, generator=torch.Generator().manual_seed(0))))
    assert values.min() > 0.6
    assert values.max() < 1.3
