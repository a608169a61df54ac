import pytest
import torch

from course_lib.tasks.task import accuracy_on_test, digits_task, make_model, reverse_task, train
from course_lib.training.recipe import Recipe

TASKS = {"reverse": reverse_task, "digits": digits_task}
SHORT = Recipe(learning_rate=1e-3, batch_size=64, max_steps=3, validate_every=3)


@pytest.fixture(autouse=True)
def _on_the_cpu(monkeypatch):
    monkeypatch.setenv("COURSE_DEVICE", "cpu")


@pytest.mark.parametrize("name", TASKS)
def test_a_few_steps_of_a_task_lower_its_loss_on_the_same_batch(name):
    task = TASKS[name]()
    recipe = Recipe(learning_rate=1e-2, batch_size=61, max_steps=8, warmup=2, validate_every=8)
    batch = task.validation[0]
    before = task.loss_fn(make_model(task, recipe).eval(), batch)[0].item()
    model, _ = train(task, recipe=recipe, progress=False)
    assert task.loss_fn(model, batch)[0].item() < before


@pytest.mark.parametrize("name", TASKS)
def test_the_same_seed_gives_the_same_model_and_another_seed_another(name):
    task = TASKS[name]()
    first, again, other = (train(task, seed, SHORT, progress=False)[0].output_net[-1].weight for seed in (0, 0, 1))
    assert torch.equal(first, again)
    assert not torch.equal(first, other)


def test_the_reverse_task_has_the_published_sizes():
    task = reverse_task()
    assert task.train(64).tensors[0].shape == (50_000, 16)
    assert sum(len(tokens) for tokens, _ in task.validation) == 1_000
    assert sum(len(tokens) for tokens, _ in task.test) == 10_000


def test_the_sequences_of_training_validation_and_test_differ():
    task = reverse_task()
    assert not torch.equal(task.train(64).tensors[0][:500], task.validation[0][0])
    assert not torch.equal(task.test[0][0], task.validation[0][0])


def test_an_untrained_model_finds_the_odd_digit_no_more_often_than_by_chance():
    task = digits_task()
    assert accuracy_on_test(task, make_model(task, SHORT).eval()) < 0.4


def test_another_image_of_a_set_reaches_every_logit_of_a_digits_model():
    task = digits_task()
    model = make_model(task, SHORT).eval()
    sets, _ = task.test[0]
    moved = sets[:3].clone()
    moved[:, 7] += 0.5
    change = model(moved, add_positional_encoding=False) - model(sets[:3], add_positional_encoding=False)
    assert (change.abs().squeeze(-1) > 1e-5).all()
