"""Other right ways to decode: all of them get full marks."""

import torch
from torch import nn


@torch.no_grad()
def with_a_buffer(model, src, bos, eos, max_len, src_mask=None):
    tokens = torch.full((src.shape[0], max_len + 1), eos)
    tokens[:, 0] = bos
    alive = torch.ones(len(src), dtype=torch.bool)
    for step in range(max_len):
        following = model(src, tokens[:, : step + 1], src_mask=src_mask)[:, -1].argmax(-1)
        tokens[alive, step + 1] = following[alive]
        alive = alive & (following != eos)
        if not alive.any():
            return tokens[:, 1 : step + 2]
    return tokens[:, 1:]


def always_max_len_columns(model, src, bos, eos, max_len, src_mask=None):
    tokens = torch.full((src.size(0), 1), bos, dtype=torch.long)
    ended = torch.zeros(src.size(0), 1, dtype=torch.bool)
    for _ in range(max_len):
        following = model(src, tokens, src_mask)[:, -1:].softmax(-1).argmax(-1)  # [B, 1]
        following = torch.where(ended, torch.full_like(following, eos), following)
        ended = ended | following.eq(eos)
        tokens = torch.cat((tokens, following), dim=1)
    return tokens[:, 1:]


def row_by_row(model, src, bos, eos, max_len, src_mask=None):
    sentences = []
    for row in range(len(src)):
        sentence = [bos]
        mask = None if src_mask is None else src_mask[row : row + 1]
        while len(sentence) <= max_len and (len(sentence) == 1 or sentence[-1] != eos):
            logits = model(src[row : row + 1], torch.tensor([sentence]), src_mask=mask)
            sentence.append(int(logits[0, -1].argmax()))
        sentences.append(sentence[1:])
    longest = max(map(len, sentences))
    return torch.tensor([s + [eos] * (longest - len(s)) for s in sentences])


def cleaned_up_at_the_end(model, source, start, end, max_len, src_mask=None):
    model.eval()
    tokens = source.new_full((len(source), 1), start)
    with torch.inference_mode():
        for _ in range(max_len):
            tokens = torch.cat([tokens, model(source, tokens, src_mask=src_mask)[:, -1:].argmax(-1)], 1)
    said = tokens[:, 1:].clone()
    after = (said == end).cumsum(1) - (said == end).long() > 0
    return said.masked_fill(after, end)


def with_device_and_parameters(model: nn.Module, src, bos, eos, max_len, src_mask=None):
    device = next(model.parameters()).device
    tokens = torch.full((src.shape[0], 1), bos, device=device)
    for _ in range(max_len):
        with torch.no_grad():
            following = model(src, tokens, src_mask=src_mask)[:, -1].topk(1).indices
        done = (tokens[:, 1:] == eos).any(dim=1, keepdim=True)
        tokens = torch.cat([tokens, following.masked_fill(done, eos)], dim=-1)
        if (tokens[:, 1:] == eos).any(dim=1).all():
            break
    return tokens[:, 1:]


def by_name(model, src, bos, eos, max_len, src_mask=None):
    """The arguments of the model by name; what has ended is known from the last column."""
    tokens = torch.full((len(src), 1), bos)
    ended = torch.zeros(len(src), dtype=torch.bool)
    while tokens.shape[1] <= max_len and not ended.all():
        logits = model(src=src, tgt=tokens, src_mask=src_mask)[:, -1]
        tokens = torch.cat([tokens, torch.where(ended, eos, logits.argmax(-1))[:, None]], dim=1)
        ended = tokens[:, -1] == eos
    return tokens[:, 1:].int()


VARIANTS = (
    by_name,
    with_a_buffer,
    always_max_len_columns,
    row_by_row,
    cleaned_up_at_the_end,
    with_device_and_parameters,
)
