"""Stage 14: random tokens, twice in a row. The next token can only be predicted from what followed last time."""

from collections.abc import Sequence

import torch
from torch import nn

from course_lib.inside.hooked import AttentionOnly
from course_lib.text.next_token import next_token_loss
from course_lib.training.progress_bar import progress_bar
from course_lib.training.shortened import steps_to_make

VOCABULARY, BATCH, STEPS, RATE, WARMUP = 50, 16, 800, 4e-3, 50
SIZES = dict(vocab_size=VOCABULARY, model_dim=64, num_heads=4, num_layers=2)
PERIODS = range(5, 25)
ONE_PERIOD = (20,)


def repeated_tokens(batch: int, half: int, vocab_size: int, generator: torch.Generator) -> torch.Tensor:
    """Random tokens [batch, 2 · half], int64: the second half of each row repeats the first.

    >>> tokens = repeated_tokens(3, 5, 50, torch.Generator().manual_seed(0))
    >>> tokens.shape, bool((tokens[:, :5] == tokens[:, 5:]).all())
    (torch.Size([3, 10]), True)
    """
    return torch.randint(vocab_size, (batch, half), generator=generator).repeat(1, 2)


def train_on_repeats(
    periods: Sequence[int] = PERIODS,
    seed: int = 0,
    steps: int = STEPS,
    model_class: type[nn.Module] = AttentionOnly,
    progress: bool = True,
) -> tuple[nn.Module, list[float]]:
    """A model trained on repeated tokens, and its losses step by step.

    Args:
        periods: for each batch one is drawn from them, the length of its first half.
        seed: of the weights and the texts. The global random state is left alone.
        steps: AdamW's; `COURSE_STEPS` may end them sooner, as in `fit`.
        model_class: takes the arguments of `AttentionOnly`.
        progress: whether to show a progress bar.
    """
    steps, generator = steps_to_make(steps), torch.Generator().manual_seed(seed)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = model_class(**SIZES).train()
    adam = torch.optim.AdamW(model.parameters(), lr=RATE, betas=(0.9, 0.99), weight_decay=0.01)
    losses = []
    with progress_bar("training", steps, progress) as show:
        for step in range(steps):
            for group in adam.param_groups:
                group["lr"] = RATE * min((step + 1) / WARMUP, 1.0)
            period = periods[int(torch.randint(len(periods), (), generator=generator))]
            tokens = repeated_tokens(BATCH, period, VOCABULARY, generator)
            loss = next_token_loss(model(tokens), tokens)
            adam.zero_grad()
            loss.backward()
            adam.step()
            losses.append(loss.item())
            if (step + 1) % 20 == 0:
                show(step + 1, f"loss {losses[-1]:.3f}")
    return model.eval(), losses
