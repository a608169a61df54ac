"""What happens to a model if one head is silenced, or gets its output from another text."""

import torch
from torch import nn

from course_lib.text.next_token import next_token_loss


def ablation_losses(
    model: nn.Module, tokens: torch.Tensor, mask: torch.Tensor | None = None, how: str = "mean"
) -> torch.Tensor:
    """How much the loss rises when one head, and only this one, is silenced.

    Args:
        model: `model(tokens, edit) → logits [B, T, V]`, where `edit(layer, values [B, h, T, d]) → values` is called
            once per layer and may change what the heads say.
        tokens: int64 [B, T].
        mask: [B, T], True for real tokens; of `next_token_loss`.
        how: "zero" replaces the head's values by 0, "mean" by their mean over texts and positions, [d], in the run
            without changes on the same tokens.

    Returns:
        [L, h]: `next_token_loss` with the head silenced, minus the loss without changes. In eval mode and without
        gradients; each part of the model keeps the mode it came in.

    Raises:
        ValueError: how is neither "mean" nor "zero"; the message names it.

    Source: Michel et al. 2019, "Are Sixteen Heads Really Better than One?", section 3.1; Wang et al. 2022,
    "Interpretability in the Wild", section 2.2 (mean ablation).

    >>> from course_lib.inside.hooked import AttentionOnly
    >>> model = AttentionOnly(13, model_dim=12, num_heads=3, num_layers=2)
    >>> ablation_losses(model, torch.tensor([[5, 4, 0, 7, 8]])).shape
    torch.Size([2, 3])
    """
    # BEGIN SOLUTION
    #: First a run whose edit notes the values of each layer and returns them unchanged.
    #: Then one run for each layer and head, whose edit changes a copy: other layers and heads stay as they are.
    #: A function that is made in a loop sees the loop's variables as they are when it is called.
    #: No gradients, no dropout; give every part of the model its mode back, even after an error (try … finally).
    if how not in ("mean", "zero"):
        raise ValueError(f'how must be "mean" or "zero", but it is {how!r}')
    modes = {module: module.training for module in model.modules()}
    clean = []  # of each layer what its heads say, [B, h, T, d]

    def note(layer, values):
        clean.append(values.clone())
        return values

    def silence(layer, values):
        if layer != silenced_layer:
            return values
        values = values.clone()
        own = clean[layer][:, silenced_head]  # [B, T, d]
        values[:, silenced_head] = own.mean(dim=(0, 1)) if how == "mean" else 0
        return values

    try:
        for module in modes:
            module.training = False
        with torch.no_grad():
            loss = next_token_loss(model(tokens, note), tokens, mask)
            rises = loss.new_zeros(len(clean), clean[0].shape[1])  # [L, h]
            for silenced_layer in range(rises.shape[0]):
                for silenced_head in range(rises.shape[1]):
                    silenced_loss = next_token_loss(model(tokens, silence), tokens, mask)
                    rises[silenced_layer, silenced_head] = silenced_loss - loss
    finally:
        for module, training in modes.items():
            module.training = training
    return rises
    # END SOLUTION


def patch_heads(
    model: nn.Module, clean: torch.Tensor, corrupt: torch.Tensor, answer: torch.Tensor, wrong: torch.Tensor
) -> torch.Tensor:
    """How much of the right answer comes back when one head, in the corrupt run, says what it says in the clean one.

    The *gap* of a run is logit(answer) − logit(wrong) at the last position, averaged over the texts.

    Args:
        model: as in `ablation_losses`.
        clean, corrupt: int64 [B, T], pairs of texts that differ in what the answer depends on.
        answer, wrong: int64 [B], what should follow the clean text, and what else might.

    Returns:
        [L, h]: (gap − gap_corrupt) / (gap_clean − gap_corrupt), with one head patched: 0 where nothing changes, 1 where
        this head alone brings all of it back. In eval mode, without gradients; each part of the model keeps its mode.

    Raises:
        ValueError: clean and corrupt have different shapes; the message names both.

    Source: Wang et al. 2022, "Interpretability in the Wild", section 3; Vig et al. 2020, "Investigating Gender Bias in
    Language Models Using Causal Mediation Analysis", section 3.

    >>> from course_lib.inside.hooked import AttentionOnly
    >>> model = AttentionOnly(13, model_dim=12, num_heads=3, num_layers=2)
    >>> clean, corrupt = torch.tensor([[5, 4, 5]]), torch.tensor([[7, 4, 5]])
    >>> patch_heads(model, clean, corrupt, torch.tensor([4]), torch.tensor([8])).shape
    torch.Size([2, 3])
    """
    # BEGIN SOLUTION
    #: A run on `clean` notes the values of each layer; a run on `corrupt` without changes gives the lower gap.
    #: Then one run on `corrupt` for each layer and head: that head's values, at all positions, are the clean run's.
    #: Average the gaps first, and divide then.
    if clean.shape != corrupt.shape:
        raise ValueError(
            f"clean and corrupt must have one shape, but they are {tuple(clean.shape)} and {tuple(corrupt.shape)}"
        )
    modes = {module: module.training for module in model.modules()}
    kept = []  # of each layer what its heads say about `clean`, [B, h, T, d]

    def note(layer, values):
        kept.append(values.clone())
        return values

    def patch(layer, values):
        if layer != patched_layer:
            return values
        values = values.clone()
        values[:, patched_head] = kept[layer][:, patched_head]
        return values

    def gap(logits):
        last = logits[:, -1]  # [B, V]
        return (last.gather(1, answer.unsqueeze(1)) - last.gather(1, wrong.unsqueeze(1))).mean()

    try:
        for module in modes:
            module.training = False
        with torch.no_grad():
            gap_clean, gap_corrupt = gap(model(clean, note)), gap(model(corrupt))
            gaps = gap_clean.new_zeros(len(kept), kept[0].shape[1])  # [L, h]
            for patched_layer in range(gaps.shape[0]):
                for patched_head in range(gaps.shape[1]):
                    gaps[patched_layer, patched_head] = gap(model(corrupt, patch))
    finally:
        for module, training in modes.items():
            module.training = training
    return (gaps - gap_corrupt) / (gap_clean - gap_corrupt)
    # END SOLUTION
