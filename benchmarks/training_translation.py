"""A step of the translation model, against torch's own layers in a plain loop and against batches without buckets.

The shape and the sentences are those of the caption language. The baseline has the same width, heads, layers and tied
output in `torch.nn.Transformer`, torch's fused Adam, and the same batches; so its step is a strong one. The two take
turns on one thread, in CPU seconds, and the medians count.

Without buckets an epoch is cut into batches of the same number of sentences, in random order: as many tokens of words,
and padding besides. There the time for the same sentences is compared.

A beam over many sentences at once (`translate`) is compared with `beam_search`, which takes one at a time.
"""

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

import torch
from torch import nn

from benchmarks.measure import entry
from benchmarks.training_parts import ROUNDS, in_turn
from course_lib.tasks.task import make_model
from course_lib.tasks.translation import TranslationTask, caption_task, translation_loss
from course_lib.tasks.translation_batches import TranslationBatches
from course_lib.text.decoding import beam_search
from course_lib.text.translating import translate
from course_lib.text.vocabulary import BOS, EOS, PAD
from course_lib.training.loop import fit

BEAM = 5


class Size(NamedTuple):
    """How many sentences to train on, steps in a round, sentences to translate, and rounds."""

    training: int
    steps: int
    translated: int
    rounds: int


FULL, TINY = Size(60_000, 10, 20, ROUNDS), Size(200, 1, 1, 1)


class TorchTranslation(nn.Module):
    """The same shape from torch's own layers, with learned positions and one table for target and output."""

    def __init__(self, src_vocab, tgt_vocab, model_dim, num_heads, num_layers, dim_feedforward, max_len, dropout=0.0):
        super().__init__()
        self.scale = math.sqrt(model_dim)
        self.src, self.tgt = (nn.Embedding(size, model_dim, padding_idx=PAD) for size in (src_vocab, tgt_vocab))
        self.src_positions, self.tgt_positions = (nn.Embedding(max_len, model_dim) for _ in range(2))
        self.body = nn.Transformer(
            model_dim, num_heads, num_layers, num_layers, dim_feedforward, dropout, batch_first=True
        )
        self.output = nn.Linear(model_dim, tgt_vocab)
        self.output.weight = self.tgt.weight
        nn.init.normal_(self.tgt.weight, std=model_dim**-0.5)

    def forward(self, src, tgt, src_mask):
        length = tgt.shape[1]
        x = self.src(src) * self.scale + self.src_positions.weight[: src.shape[1]]
        y = self.tgt(tgt) * self.scale + self.tgt_positions.weight[:length]
        hidden = ~src_mask
        return self.output(
            self.body(
                x,
                y,
                tgt_mask=torch.ones(length, length, dtype=torch.bool).triu(1),
                src_key_padding_mask=hidden,
                memory_key_padding_mask=hidden,
            )
        )


class RandomBatches(TranslationBatches):
    """Batches of so many sentences in random order: no buckets."""

    def epoch(self, generator: torch.Generator) -> Iterator[tuple[torch.Tensor, ...]]:
        longest = self.lengths.amax(dim=1)
        rows = round(self.max_tokens / longest.double().mean().item())
        for places in torch.randperm(len(longest), generator=generator).split(rows):
            yield self.batch(places)


def run(size: Size = FULL) -> list[dict]:
    """Milliseconds of a step, of a twentieth of an epoch, and of a sentence translated."""
    task = caption_task(size.training)
    return [of_steps(task, size), of_buckets(task, size), of_beams(task, size)]


def of_steps(task: TranslationTask, size: Size) -> dict:
    """Milliseconds of a step of `fit`, and of a plain loop on torch's layers."""
    recipe = replace(task.recipe, max_steps=size.steps, validate_every=size.steps, average_last=0)
    batches = task.train(recipe.batch_size)

    def our_steps() -> float:
        return of_fit(task, recipe, batches) / size.steps

    def torch_steps() -> float:
        model = TorchTranslation(**task.model)
        optimizer = torch.optim.Adam(model.parameters(), lr=recipe.learning_rate, betas=recipe.betas, fused=True)
        began = time.process_time()
        for batch in islice(batches.epoch(torch.Generator().manual_seed(0)), size.steps):
            optimizer.zero_grad()
            loss, _ = translation_loss(model, batch)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), recipe.max_norm)
            optimizer.step()
        return 1000 * (time.process_time() - began) / size.steps

    times = on_one_thread(our_steps, torch_steps, size.rounds)
    return entry("translation, a step, torch.nn.Transformer", *times, "ms", None)


def of_buckets(task: TranslationTask, size: Size) -> dict:
    """Milliseconds for a twentieth of the training sentences, in buckets and without."""
    pairs = task.train(1).pairs[::20]
    times = []
    for kind in (TranslationBatches, RandomBatches):
        batches = kind(pairs, task.recipe.batch_size)
        steps = len(list(batches.epoch(torch.Generator().manual_seed(0))))
        recipe = replace(task.recipe, max_steps=steps, validate_every=steps, average_last=0)
        times.append(lambda batches=batches, recipe=recipe: of_fit(task, recipe, batches))
    name = f"translation, {len(pairs):,} sentences, batches in random order"
    return entry(name, *on_one_thread(*times, size.rounds), "ms", None)


def of_fit(task: TranslationTask, recipe, batches) -> float:
    """Milliseconds of CPU time of a short run that hardly validates."""
    model = make_model(task, recipe)
    validation = [tuple(tensor[:2] for tensor in task.validation[0])]
    began = time.process_time()
    fit(model, task.loss_fn, batches, validation, recipe, progress=False, threads=1)
    return 1000 * (time.process_time() - began)


def of_beams(task: TranslationTask, size: Size) -> dict:
    """Milliseconds a sentence for a beam of five, all sentences together and one by one, with the shipped model."""
    from course_lib.tasks.checkpoint import load_pretrained

    model, length = load_pretrained("captions"), task.model["max_len"] - 1
    sources = [task.source.encode(source) for source, _ in task.texts[2][: size.translated]]

    def together() -> float:
        began = time.process_time()
        translate(model, sources, length, BEAM)
        return 1000 * (time.process_time() - began) / size.translated

    def one_by_one() -> float:
        began = time.process_time()
        for source in sources:
            beam_search(model, torch.tensor([[*source, EOS]]), BOS, EOS, BEAM, length)
        return 1000 * (time.process_time() - began) / size.translated

    times = on_one_thread(together, one_by_one, size.rounds)
    return entry("translation, a beam of 5, one sentence at a time", *times, "ms", None)


def on_one_thread(ours: Callable[[], float], baseline: Callable[[], float], rounds: int) -> tuple[float, float]:
    """The medians of both, torch on one thread meanwhile."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        return in_turn(ours, baseline, rounds)
    finally:
        torch.set_num_threads(threads)
