"""Stage 13: a text to be continued, Shakespeare's or your own, and what trains a language model on it."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import torch
from torch import nn

from course_lib.model.language_model import LanguageModel
from course_lib.text.next_token import next_token_loss
from course_lib.text.text_tokens import Characters
from course_lib.training.batches import Batch
from course_lib.training.history import History
from course_lib.training.language import LanguageRecipe, fit_language_model
from course_lib.training.loop import evaluate

TEXTS = Path(__file__).parent / "texts"
VALIDATION = 0.1  # the last tenth of the text, as in nanoGPT
SIZES = dict(model_dim=96, num_heads=4, num_kv_heads=2, num_layers=3, hidden_dim=256)
SHAKESPEARE = LanguageRecipe(learning_rate=5e-3, batch_size=8, block=128, max_steps=1900, warmup=100, muon=True)

ON_A_GPU = dict(model_dim=256, num_heads=8, num_kv_heads=4, num_layers=6, hidden_dim=688)
SHAKESPEARE_ON_A_GPU = LanguageRecipe(  # block, batch and dropout as in nanoGPT's configuration for a GPU
    learning_rate=2e-3,
    batch_size=64,
    block=256,
    max_steps=1_000,  # with 2,000 the model knows the plays by heart, and the loss is 1.53
    warmup=100,
    muon=True,
    dropout=0.2,
    validate_every=250,
)


class Tokens(Protocol):
    """From text to token ids and back."""

    def __len__(self) -> int: ...

    def encode(self, text: str) -> list[int]: ...

    def decode(self, ids: list[int]) -> str: ...


class Blocks:
    """Random stretches of a text, each of block + 1 tokens: block predictions.

    Raises:
        ValueError: the text is shorter than one stretch; the message names both lengths.
    """

    def __init__(self, ids: torch.Tensor, block: int, batch_size: int):
        if len(ids) < block + 1:
            raise ValueError(f"a text of {len(ids)} tokens is too short for blocks of {block}: give a longer text")
        self.ids, self.block, self.batch_size = ids, block, batch_size

    def to(self, where: torch.device) -> "Blocks":
        """The same stretches, of a text on another device."""
        return Blocks(self.ids.to(where), self.block, self.batch_size)

    def epoch(self, generator: torch.Generator) -> Iterator[Batch]:
        """About as many tokens as the text has, in batches ([B, block + 1],) drawn from a cpu generator."""
        within = torch.arange(self.block + 1, device=self.ids.device)  # [block + 1]
        for _ in range(max(len(self.ids) // (self.block * self.batch_size), 1)):
            starts = torch.randint(len(self.ids) - self.block, (self.batch_size, 1), generator=generator)  # [B, 1]
            yield (self.ids[starts.to(self.ids.device) + within],)


@dataclass(frozen=True)
class TextTask:
    """A text, cut into tokens: nine tenths for training, the last tenth for validation.

    Attributes:
        name: of the text.
        tokens: from text to ids and back.
        train_ids, validation_ids: int64.
        validation_characters: how many characters the validation text has.
        recipe: the default one.
        model: the arguments of `LanguageModel`.
    """

    name: str
    tokens: Tokens
    train_ids: torch.Tensor
    validation_ids: torch.Tensor
    validation_characters: int
    recipe: LanguageRecipe
    model: dict

    def validation(self, block: int | None = None) -> list[Batch]:
        """The whole validation text in blocks of the training length, each token but the first predicted once."""
        block = block or self.recipe.block
        ids, size = self.validation_ids, min(block, len(self.validation_ids) - 1)
        rows = ids.unfold(0, size + 1, size)  # [N, size + 1]
        return [(batch,) for batch in rows.split(64)]

    def bits_per_character(self, loss: float) -> float:
        """Convert a mean loss from nats per token to bits per character, to compare vocabularies."""
        return loss * len(self.validation_ids) / (math.log(2) * self.validation_characters)

    def loss(self, model: nn.Module) -> float:
        """The mean loss on the validation text, in nats per token."""
        where = next(model.parameters()).device
        return evaluate(model, language_loss, [(batch.to(where),) for (batch,) in self.validation()])[0]


def language_loss(model: nn.Module, batch: Batch) -> tuple[torch.Tensor, torch.Tensor]:
    """The loss on a batch ([B, T],), and the fraction of the tokens that were predicted right."""
    (tokens,) = batch
    logits = model(tokens)  # [B, T, V]
    right = (logits[:, :-1].argmax(dim=-1) == tokens[:, 1:]).float().mean()
    return next_token_loss(logits, tokens), right


def shakespeare() -> str:
    """Tiny Shakespeare: 1,115,394 characters of his plays, in the public domain.

    Source: Karpathy 2015, char-rnn, data/tinyshakespeare/input.txt.

    >>> shakespeare()[:14], len(set(shakespeare()))
    ('First Citizen:', 65)
    """
    return (TEXTS / "shakespeare.txt").read_text("utf-8")


def shakespeare_task(tokens: Callable[[str], Tokens] = Characters, characters: int | None = None) -> TextTask:
    """The default task: Shakespeare's characters, or what `tokens` makes of the text; of its first `characters` only.

    Your own byte pairs, for instance: `shakespeare_task(lambda text: BytePairs(text, 200, learn_bpe, apply_bpe))`.
    """
    return _task("shakespeare", shakespeare()[:characters], tokens, SHAKESPEARE)


def shakespeare_on_a_gpu(characters: int | None = None) -> TextTask:
    """Shakespeare's characters for a model of 4.3 million parameters, half a minute on a GPU, hours on a CPU."""
    task = shakespeare_task(characters=characters)
    return replace(task, recipe=SHAKESPEARE_ON_A_GPU, model=task.model | ON_A_GPU)


def text_task(
    path: str | Path, tokens: Callable[[str], Tokens] = Characters, recipe: LanguageRecipe = SHAKESPEARE
) -> TextTask:
    """A task from any text file of yours.

    Args:
        path: a file in UTF-8.
        tokens: makes a vocabulary of the training part. Characters that only the validation part has are appended to
            it, once each, so that both parts can be encoded.
        recipe: the training part must be longer than its block.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: the file is not UTF-8, is empty, or is too short; the message says which, and names both lengths.
    """
    path = Path(path)
    if not path.is_file():
        raise FileNotFoundError(f"there is no text at {path}: check the path")
    try:
        text = path.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not a text in UTF-8 (byte {error.start}): save it as UTF-8") from None
    return _task(path.stem, text, tokens, recipe)


def _task(name: str, text: str, tokens: Callable[[str], Tokens], recipe: LanguageRecipe) -> TextTask:
    if not text:
        raise ValueError(f"the text “{name}” is empty: there is nothing to learn from")
    cut = len(text) - int(VALIDATION * len(text))
    only_later = sorted(set(text[cut:]) - set(text[:cut]))
    vocabulary = tokens(text[:cut] + "".join(only_later))
    train, validation = (torch.tensor(vocabulary.encode(part)) for part in (text[:cut], text[cut:]))
    for what, ids, least in (("training", train, recipe.block + 1), ("validation", validation, 2)):
        if len(ids) < least:
            raise ValueError(
                f"the {what} part of “{name}” has {len(ids)} tokens, but at least {least} are needed: give a longer "
                f"text, or a recipe with a shorter block"
            )
    model = {"vocab_size": len(vocabulary)} | SIZES
    return TextTask(name, vocabulary, train, validation, len(text) - cut, recipe, model)


def train_language_model(
    task: TextTask, seed: int = 0, recipe: LanguageRecipe | None = None, model_class: type = LanguageModel, **options
) -> tuple[nn.Module, History]:
    """A trained model and its history; `options` are those of `fit_language_model`."""
    recipe = replace(recipe or task.recipe, seed=seed)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = model_class(**task.model)
    train = Blocks(task.train_ids, recipe.block, recipe.batch_size)
    return model, fit_language_model(model, language_loss, train, task.validation(recipe.block), recipe, **options)
