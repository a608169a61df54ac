"""Stage 10: what `fit` needs to train a `TranslationModel`, and the default task, the caption language."""

import gc
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Protocol

import torch
from torch import nn
from torch.nn import functional as F

from course_lib.model.translation import TranslationModel
from course_lib.tasks.caption_language import caption_language
from course_lib.tasks.task import Task
from course_lib.tasks.translation_batches import IdPair, TranslationBatches
from course_lib.text.translating import translate
from course_lib.text.vocabulary import PAD, UNK, Vocabulary
from course_lib.training.batches import Batch
from course_lib.training.recipe import Recipe

SMOOTHING = 0.1
# Some three epochs; what the model is left with is the mean of the last weights.
CAPTIONS = Recipe(
    learning_rate=5e-3,
    batch_size=1_500,
    max_steps=1_300,
    warmup=80,
    max_norm=1.0,
    validate_every=50,
    betas=(0.9, 0.98),
    average_last=3,
)
CAPTION_COUNT = 60_000  # to train on
WORD = re.compile(r"\w+|,")

TextPair = tuple[str, str]


class Tokens(Protocol):
    """From text to ids, without special tokens, and back; the special ones are those of a `Vocabulary`."""

    def __len__(self) -> int: ...

    def encode(self, text: str) -> list[int]: ...

    def decode(self, ids: Sequence[int]) -> str: ...


class Words:
    """Every word and every comma a token. A capital at the beginning of a sentence is read as a small letter."""

    def __init__(self, texts: Sequence[str]):
        self.vocabulary = Vocabulary(map(split_words, texts))

    def __len__(self) -> int:
        return len(self.vocabulary)

    def encode(self, text: str) -> list[int]:
        words = split_words(text)
        ids = self.vocabulary.encode(words)
        if ids[:1] == [UNK]:
            ids[0] = self.vocabulary.encode([words[0].lower()])[0]
        return ids

    def decode(self, ids: Sequence[int]) -> str:
        return join_words(self.vocabulary.decode(ids))


def split_words(text: str) -> list[str]:
    """
    >>> split_words("Ein Hund, der schläft, träumt.")
    ['Ein', 'Hund', ',', 'der', 'schläft', ',', 'träumt']
    """
    return WORD.findall(text)


def join_words(words: Sequence[str]) -> str:
    """Undo `split_words`."""
    return " ".join(words).replace(" ,", ",")


@dataclass(frozen=True, kw_only=True)
class TranslationTask(Task):
    """A task whose data are sentences.

    Attributes:
        texts: the pairs of each part: train, validation, test.
        source, target: what makes ids of them, and text of ids.
    """

    texts: tuple[list[TextPair], ...]
    source: Tokens
    target: Tokens

    def translate(self, model: nn.Module, texts: Sequence[str], beam_size: int = 1) -> list[str]:
        """A model's translations of sentences of this task.

        Raises:
            ValueError: a text has no word, or none that the model knows, or is too long for it; the message has it.
        """
        sources, longest = [self.source.encode(text) for text in texts], self.model["max_len"] - 1
        for text, ids in zip(texts, sources, strict=True):
            if not ids or set(ids) == {UNK}:
                known = "none of its words is known to the model" if ids else "it has no word"
                raise ValueError(f"{text!r} cannot be translated: {known}")
            if len(ids) > longest:
                raise ValueError(
                    f"{text!r} cannot be translated: it has {len(ids)} tokens and the model reads at most {longest}; "
                    "translate it in parts"
                )
        return [self.target.decode(ids) for ids in translate(model, sources, longest, beam_size)]

    def accuracy(self, model: nn.Module, beam_size: int = 1) -> float:
        """The fraction of test sentences that are translated without a mistake."""
        sources, references = zip(*self.texts[2], strict=True)
        said = self.translate(model, sources, beam_size)
        return sum(one == other for one, other in zip(said, references, strict=True)) / len(said)


def translation_loss(model: nn.Module, batch: Batch) -> tuple[torch.Tensor, torch.Tensor]:
    """How wrong a `TranslationModel` is about a batch, its loss smoothed, and how many tokens it guesses right.

    Args:
        model: called as `model(src, tgt_in, src_mask)`, gives logits [B, T, V].
        batch: what `translation_batch` gives.

    Returns:
        `(loss, accuracy)`, both without dimensions, over the tokens of tgt_out that are not padding. The loss is the
        `smoothed_loss` of stage 10, by torch's own kernel.
    """
    src, tgt_in, tgt_out, src_mask = batch
    logits = model(src, tgt_in, src_mask)  # [B, T, V]
    # BEGIN SOLUTION of smoothed_loss
    total = F.cross_entropy(
        logits.flatten(0, 1), tgt_out.flatten(), ignore_index=PAD, label_smoothing=SMOOTHING, reduction="sum"
    )
    # END SOLUTION
    is_real = tgt_out != PAD  # [B, T]
    right = (logits.argmax(dim=-1) == tgt_out) & is_real
    return total / is_real.sum().clamp(min=1), right.sum() / is_real.sum().clamp(min=1)


def pair_up(sources: Sequence[str], targets: Sequence[str], names: TextPair = ("source", "target")) -> list[TextPair]:
    """Pair up lines that translate each other; drop pairs with an empty line and print how many.

    Raises:
        ValueError: when there are more lines on one side; with both numbers.
    """
    if len(sources) != len(targets):
        raise ValueError(
            f"line by line {names[0]} and {names[1]} must be translations of each other, but there are {len(sources)} "
            f"and {len(targets)} lines: find the line that is missing"
        )
    pairs = [(one, other) for one, other in zip(sources, targets, strict=True) if one.strip() and other.strip()]
    if dropped := len(sources) - len(pairs):
        print(f"{names[0]}, {names[1]}: left out {dropped} of {len(sources)} pairs, in which a line is empty")
    return pairs


def translation_task(
    name: str,
    texts: Sequence[list[TextPair]],
    tokens: tuple[Tokens, Tokens],
    sizes: dict[str, float],
    recipe: Recipe,
    model_class: Callable[..., nn.Module] = TranslationModel,
    encoded: Sequence[list[IdPair]] | None = None,
) -> TranslationTask:
    """A task from sentences: train, validation and test.

    Args:
        texts: of each part the pairs.
        tokens: of source and target.
        sizes: arguments of the model's class, but for the sizes of the vocabularies.
        encoded: the same pairs as ids, if they are known already.

    A training or validation pair longer than the model's max_len is left out, and how many is said. In the test all
    count.
    """
    ids = list(encoded or encode_pairs(texts, tokens))
    longest = sizes["max_len"] - 1
    for place, part in enumerate(ids[:2]):
        ids[place] = [pair for pair in part if max(map(len, pair)) <= longest]
        if dropped := len(part) - len(ids[place]):
            print(f"{name}: left out {dropped} of {len(part)} pairs, which have more than {longest} tokens")
    validation, test = (list(TranslationBatches(part, 3_000).epoch(torch.Generator())) for part in ids[1:])
    return TranslationTask(
        name=name,
        model=dict(src_vocab=len(tokens[0]), tgt_vocab=len(tokens[1]), **sizes),
        loss_fn=translation_loss,
        recipe=recipe,
        train=lambda max_tokens: TranslationBatches(ids[0], max_tokens),
        validation=validation,
        test=test,
        model_class=model_class,
        texts=tuple(texts),
        source=tokens[0],
        target=tokens[1],
    )


def encode_pairs(texts: Sequence[Sequence[TextPair]], tokens: tuple[Tokens, Tokens]) -> list[list[IdPair]]:
    """The pairs of each part as ids."""
    return [[(tokens[0].encode(source), tokens[1].encode(target)) for source, target in part] for part in texts]


@cache
def captions(sentences: int) -> tuple[tuple[tuple[TextPair, ...], ...], tuple[Words, ...], list[list[IdPair]]]:
    """The caption language: its pairs, to train, to validate and to test; the tokens of both languages; the ids.

    Drawn once in a process.
    """
    with no_garbage():
        texts = tuple(tuple(tuple(map(join_words, pair)) for pair in part) for part in caption_language(sentences))
        tokens = tuple(Words(side) for side in zip(*texts[0], strict=True))
        return texts, tokens, encode_pairs(texts, tokens)


@contextmanager
def no_garbage() -> Iterator[None]:
    """Do not look for garbage meanwhile: among many small lists that stay, it takes a fifth of the time."""
    was_looked_for = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_looked_for:
            gc.enable()


def caption_task(sentences: int = CAPTION_COUNT) -> TranslationTask:
    """The caption language, English to German: width 96, 2 + 2 layers, half a million parameters.

    Args:
        sentences: how many to train on.
    """
    texts, tokens, ids = captions(sentences)
    sizes = dict(model_dim=96, num_heads=4, num_layers=2, dim_feedforward=160, max_len=24)
    return translation_task("captions", [*map(list, texts)], tokens, sizes, CAPTIONS, encoded=ids)
