from functools import cache

import pytest
import torch

from course_lib.model.predictor import TransformerPredictor
from course_lib.tasks.checkpoint import (
    SHIPPED,
    TASKS,
    load_pretrained,
    make_checkpoint,
    pretrained_details,
    save_checkpoint,
)
from course_lib.tasks.task import accuracy_on_test
from course_lib.training.recipe import Recipe


@pytest.fixture(autouse=True)
def _on_the_cpu(monkeypatch):
    monkeypatch.setenv("COURSE_DEVICE", "cpu")


@cache
def task(name):
    """Made once: that of the captions takes seconds."""
    return TASKS[name]()


@pytest.mark.parametrize(("name", "at_least"), [("reverse", 0.999), ("digits", 0.98), ("captions", 0.97)])
def test_a_shipped_model_is_as_accurate_as_it_says(name, at_least):
    claimed = pretrained_details(name)["test_accuracy"]
    assert claimed >= at_least
    assert accuracy_on_test(task(name), load_pretrained(name)) == pytest.approx(claimed, abs=5e-3)


@pytest.mark.parametrize("name", TASKS)
def test_a_shipped_model_says_what_made_it(name):
    details = pretrained_details(name)
    assert details["task"] == name
    assert type(task(name).recipe)(**details["recipe"]).max_steps >= details["best_step"]
    assert details["recipe"]["seed"] == 0


@pytest.mark.parametrize("name", TASKS)
def test_a_shipped_file_is_smaller_than_a_megabyte(name):
    assert (SHIPPED / f"{name}.safetensors").stat().st_size < 1_000_000


def test_a_shipped_model_comes_ready_to_use():
    assert not load_pretrained("reverse").training
    assert {weight.dtype for weight in load_pretrained("captions").parameters()} == {torch.float32}


def test_the_weights_fit_a_class_of_the_students_own():
    class Mine(TransformerPredictor):
        pass

    assert isinstance(load_pretrained("reverse", Mine), Mine)


def test_an_unknown_name_is_told_which_there_are():
    with pytest.raises(ValueError, match="one of reverse, digits, captions, shakespeare; there is none called 'cats'"):
        load_pretrained("cats")


def test_the_reverse_models_attention_lies_on_the_anti_diagonal():
    model = load_pretrained("reverse")
    tokens = torch.randint(10, (31, 16), generator=torch.Generator().manual_seed(0))
    attention = model.get_attention_maps(torch.nn.functional.one_hot(tokens, 10).float())[0]  # [31, 1, 16, 16]
    assert attention.mean(dim=(0, 1)).argmax(dim=-1).tolist() == list(range(15, -1, -1))


def test_the_same_recipe_writes_the_same_bytes(tmp_path):
    recipe = Recipe(learning_rate=1e-3, batch_size=64, max_steps=3, validate_every=3)
    for file in ("first", "second"):
        make_checkpoint(TASKS["digits"](), tmp_path / file, recipe)
    assert (tmp_path / "first").read_bytes() == (tmp_path / "second").read_bytes()


def test_a_model_may_be_stored_in_half_precision(tmp_path):
    from safetensors.torch import load_file

    model = TransformerPredictor(5, 6, 3, num_heads=2, num_layers=1)
    save_checkpoint(tmp_path / "model", model, {"task": "none"}, torch.float16)
    stored = load_file(tmp_path / "model")
    assert {weight.dtype for weight in stored.values()} == {torch.float16}
    model.load_state_dict(stored)
    assert {weight.dtype for weight in model.parameters()} == {torch.float32}


def test_a_saved_model_holds_its_weights_and_its_details(tmp_path):
    from safetensors.torch import load_file

    model = TransformerPredictor(5, 6, 3, num_heads=2, num_layers=1)
    save_checkpoint(tmp_path / "model", model, {"task": "none"})
    stored = load_file(tmp_path / "model")
    assert stored.keys() == model.state_dict().keys()
    assert all(torch.equal(stored[name], weight) for name, weight in model.state_dict().items())
