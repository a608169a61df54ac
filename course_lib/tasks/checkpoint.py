"""Trained models as files: safetensors, with the recipe, the seed and the accuracy that belong to them.

`python -m course_lib.tasks.checkpoint` trains the default tasks and writes the checkpoints that ship with the package;
the same machine writes the same bytes again. What has names after it, `captions` for instance, makes those alone.
"""

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

import torch
from torch import nn

from course_lib.model.language_model import LanguageModel
from course_lib.model.predictor import TransformerPredictor
from course_lib.model.translation import TranslationModel
from course_lib.tasks.language import TextTask, shakespeare_task, train_language_model
from course_lib.tasks.task import Task, digits_task, reverse_task, train
from course_lib.tasks.translation import caption_task
from course_lib.training.devices import device
from course_lib.training.recipe import Recipe

SHIPPED = Path(__file__).parent / "checkpoints"
TASKS = {"reverse": reverse_task, "digits": digits_task, "captions": caption_task, "shakespeare": shakespeare_task}
MODELS = {"captions": TranslationModel, "shakespeare": LanguageModel}  # all others: a TransformerPredictor
HALVED = {"captions", "shakespeare"}  # stored in half precision, which changes one sentence in a thousand, or none
SEED = 0
KEY = "course"  # one entry: the order of several would differ from file to file


def load_pretrained(name: str, model_class: type[nn.Module] | None = None) -> nn.Module:
    """A model that has been trained already, on `device()` and in eval mode.

    Args:
        name: "reverse" (stage 07), "digits" (stage 08), "captions" (stage 10) or "shakespeare" (stage 13).
        model_class: the class to load the weights into; your own `TransformerPredictor`, for instance. None: the
            reference's.

    Raises:
        ValueError: when there is no such checkpoint.
    """
    details = pretrained_details(name)
    model = (model_class or MODELS.get(name, TransformerPredictor))(**details["model"])
    model.load_state_dict(_read_weights(SHIPPED / f"{name}.safetensors"))
    return model.to(device()).eval()


def pretrained_details(name: str) -> dict:
    """What made a shipped checkpoint: task, model, recipe (with its seed), steps and test_accuracy.

    >>> pretrained_details("digits")["test_accuracy"] > 0.98
    True
    """
    if name not in TASKS:
        raise ValueError(f"a pretrained model is one of {', '.join(TASKS)}; there is none called {name!r}")
    return _read_details(SHIPPED / f"{name}.safetensors")


def save_checkpoint(path: Path, model: nn.Module, details: dict, dtype: torch.dtype = torch.float32) -> None:
    """Write a model's weights, and the details as JSON, to a safetensors file."""
    from safetensors.torch import save_file

    weights = {name: weight.detach().to("cpu", dtype).contiguous() for name, weight in model.state_dict().items()}
    save_file(weights, path, metadata={KEY: json.dumps(details, sort_keys=True)})


def make_checkpoint(task: Task, path: Path, recipe: Recipe | None = None) -> dict:
    """Train a task to the end of its recipe (past its target, for clearer attention maps) and save the model."""
    recipe = replace(recipe or task.recipe, target_accuracy=None)
    model, history = train(task, SEED, recipe)
    details = {
        "task": task.name,
        "model": task.model,
        "recipe": asdict(replace(recipe, seed=SEED)),
        "best_step": history.best.step,
        "test_accuracy": round(task.accuracy(model), 5),
    }
    save_checkpoint(path, model, details, torch.float16 if task.name in HALVED else torch.float32)
    return details


def make_language_checkpoint(task: TextTask, path: Path) -> dict:
    """Train a language model to the end of its recipe and save it; its test data are the validation text."""
    model, history = train_language_model(task, SEED)
    last = history.validations[-1]
    details = {
        "task": task.name,
        "model": task.model,
        "recipe": asdict(replace(task.recipe, seed=SEED)),
        "best_step": last.step,
        "validation_loss": round(last.loss, 5),
        "test_accuracy": round(last.accuracy, 5),
    }
    save_checkpoint(path, model, details, torch.float16)
    return details


def _read_weights(path: Path) -> dict[str, torch.Tensor]:
    from safetensors.torch import load_file

    return load_file(path)


def _read_details(path: Path) -> dict:
    from safetensors import safe_open

    with safe_open(path, framework="pt") as stored:
        return json.loads(stored.metadata()[KEY])


def main(names: Sequence[str]) -> None:
    """Make shipped checkpoints again."""
    SHIPPED.mkdir(exist_ok=True)
    for name in names or TASKS:
        make = make_language_checkpoint if name == "shakespeare" else make_checkpoint
        details = make(TASKS[name](), SHIPPED / f"{name}.safetensors")
        print(f"{name}: {details['test_accuracy']:.2%} on the test data, from step {details['best_step']}")


if __name__ == "__main__":
    main(sys.argv[1:])
