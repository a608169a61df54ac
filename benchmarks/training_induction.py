"""Induction heads: whether they form with every seed, when, and what they are worth; against texts of one period.

The model is stage 14's, two layers of attention alone; its texts repeat after a period that is drawn anew for each
batch. Of each seed: the step at which the loss falls below 3.3 nats (the mean of 20 steps), CPU seconds, and on texts
of period 20 the best induction score, the best previous-token score of layer 0 (layer 1 can look only for what layer 0
has written down), the loss on the second half, and its rise when that head of layer 0 is silenced. The baseline has
seen only period 20: it scores as high there, and nowhere else, and its loss doesn't rise.
"""

import time
from collections.abc import Sequence
from statistics import mean
from typing import NamedTuple

import torch
from torch import nn

from benchmarks.measure import entry
from course_lib.inside.head_scores import induction_score, previous_token_score
from course_lib.inside.interventions import ablation_losses
from course_lib.tasks.induction import ONE_PERIOD, PERIODS, STEPS, VOCABULARY, repeated_tokens, train_on_repeats
from course_lib.text.next_token import next_token_loss

PERIOD, OTHERS, FORMED = 20, (7, 13, 31), 3.3


class Size(NamedTuple):
    """Seeds of the model and of the baseline, and steps."""

    seeds: int
    baselines: int
    steps: int


FULL, TINY = Size(5, 2, STEPS), Size(1, 1, 2)


class Found(NamedTuple):
    """What a trained model does with texts of one period."""

    induction: float
    previous: float
    second_half: float
    rise: float


def run(size: Size = FULL) -> list[dict]:
    """The worst of the seeds, against the best of those that saw one period."""
    ours = [of_seed(seed, PERIODS, size.steps) for seed in range(size.seeds)]
    theirs = [of_seed(seed, ONE_PERIOD, size.steps) for seed in range(size.baselines)]
    entries = []
    for i, period in enumerate((PERIOD, *OTHERS)):
        worst, best = min(found[i].induction for found in ours), max(found[i].induction for found in theirs)
        name = f"induction score, period {period} (one period alone)"
        entries.append(entry(name, worst, best, "score", None, more_is_better=True))
    return entries


def of_seed(seed: int, periods: Sequence[int], steps: int) -> list[Found]:
    """Train, print and return what was found at each period."""
    began = time.process_time()
    model, losses = train_on_repeats(periods, seed, steps, progress=False)
    taken = time.process_time() - began
    fell = (step for step in range(20, steps + 1) if mean(losses[step - 20 : step]) < FORMED)
    found = [look(model, period) for period in (PERIOD, *OTHERS)]
    here, others = found[0], ", ".join(f"{other.induction:.2f}" for other in found[1:])
    print(
        f"{'any period' if len(periods) > 1 else 'one period'}, seed {seed}: formed at step {next(fell, None)}, "
        f"{taken:.1f} CPU s; induction {here.induction:.2f}, previous token {here.previous:.2f}, second half "
        f"{here.second_half:.2f}, silenced {here.rise:+.2f}; at periods {OTHERS}: {others}",
        flush=True,
    )
    return found


def look(model: nn.Module, period: int) -> Found:
    """Scores, the loss on the second half, and its rise without layer 0's best previous-token head."""
    tokens = repeated_tokens(64, period, VOCABULARY, torch.Generator().manual_seed(99))
    with torch.no_grad():
        logits, attention, _ = model.look(tokens)
    induction = torch.stack([induction_score(layer, tokens) for layer in attention])  # [L, h]
    previous = previous_token_score(attention[0])  # [h]
    second = torch.arange(2 * period).expand_as(tokens) > period  # the targets that can be known
    return Found(
        float(induction.max()),
        float(previous.max()),
        float(next_token_loss(logits, tokens, second)),
        float(ablation_losses(model, tokens, second)[0, previous.argmax()]),
    )
