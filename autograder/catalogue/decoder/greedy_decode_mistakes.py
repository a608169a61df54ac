"""What students write in the place of greedy decoding: one loop, with one part of it changed each time."""

import torch


def loop(model, src, start, eos, steps, src_mask, *, last=-1, seen=0, filler=None, frozen=True, stop=torch.all):
    """Greedy decoding from `start`, with bos still in front.

    The logits at place `last` decide; the model gets the tokens from place `seen` on; a row that has ended
    goes on with `filler`, unless it is not `frozen`; the loop ends when `stop` is true of the ended rows.
    """
    tokens = torch.full((len(src), 1), start)
    ended = torch.zeros(len(src), dtype=torch.bool)
    for _ in range(steps):
        following = model(src, tokens[:, seen:], src_mask=src_mask)[:, last].argmax(-1)  # [B]
        if frozen:
            following = following.masked_fill(ended, eos if filler is None else filler)
        tokens = torch.cat([tokens, following[:, None]], dim=1)
        ended = ended | (following == eos)
        if stop(ended):
            break
    return tokens


def starts_from_eos(model, src, bos, eos, max_len, src_mask=None):
    return loop(model, src, eos, eos, max_len, src_mask)[:, 1:]


def starts_from_zero(model, src, bos, eos, max_len, src_mask=None):
    return loop(model, src, 0, eos, max_len, src_mask)[:, 1:]


def starts_from_one(model, src, bos, eos, max_len, src_mask=None):
    return loop(model, src, 1, eos, max_len, src_mask)[:, 1:]


def bos_kept(model, src, bos, eos, max_len, src_mask=None):
    return loop(model, src, bos, eos, max_len, src_mask)


def bos_counted(model, src, bos, eos, max_len, src_mask=None):
    return loop(model, src, bos, eos, max_len - 1, src_mask)[:, 1:]


def one_step_more(model, src, bos, eos, max_len, src_mask=None):
    return loop(model, src, bos, eos, max_len + 1, src_mask)[:, 1:]


def goes_on_after_eos(model, src, bos, eos, max_len, src_mask=None):
    return loop(model, src, bos, eos, max_len, src_mask, frozen=False)[:, 1:]


def never_stops(model, src, bos, eos, max_len, src_mask=None):
    return loop(model, src, bos, eos, max_len, src_mask, frozen=False, stop=lambda ended: False)[:, 1:]


def stops_with_the_first(model, src, bos, eos, max_len, src_mask=None):
    return loop(model, src, bos, eos, max_len, src_mask, stop=torch.any)[:, 1:]


def first_row_decides(model, src, bos, eos, max_len, src_mask=None):
    return loop(model, src, bos, eos, max_len, src_mask, stop=lambda ended: ended[0])[:, 1:]


def all_at_once_or_never(model, src, bos, eos, max_len, src_mask=None):
    tokens = torch.full((len(src), 1), bos)
    for _ in range(max_len):
        tokens = torch.cat([tokens, model(src, tokens, src_mask=src_mask)[:, -1:].argmax(-1)], dim=1)
        if (tokens[:, -1] == eos).all():
            break
    return tokens[:, 1:]


def filled_with_zeros(model, src, bos, eos, max_len, src_mask=None):
    return loop(model, src, bos, eos, max_len, src_mask, filler=0)[:, 1:]


def eos_cut_off(model, src, bos, eos, max_len, src_mask=None):
    tokens = loop(model, src, bos, eos, max_len, src_mask)[:, 1:]
    return tokens[:, :-1] if (tokens[:, -1] == eos).all() else tokens


def only_the_last_token_fed(model, src, bos, eos, max_len, src_mask=None):
    return loop(model, src, bos, eos, max_len, src_mask, seen=-1)[:, 1:]


def first_place_read(model, src, bos, eos, max_len, src_mask=None):
    return loop(model, src, bos, eos, max_len, src_mask, last=0)[:, 1:]


def mask_dropped(model, src, bos, eos, max_len, src_mask=None):
    return loop(model, src, bos, eos, max_len, None)[:, 1:]


def mask_inverted(model, src, bos, eos, max_len, src_mask=None):
    return loop(model, src, bos, eos, max_len, None if src_mask is None else ~src_mask)[:, 1:]


def sampled(model, src, bos, eos, max_len, src_mask=None):
    def speak(src, tokens, src_mask):
        probabilities = model(src, tokens, src_mask=src_mask)[:, -1].softmax(-1)
        return torch.nn.functional.one_hot(torch.multinomial(probabilities, 1), probabilities.shape[-1])

    return loop(speak, src, bos, eos, max_len, src_mask)[:, 1:]


def least_likely(model, src, bos, eos, max_len, src_mask=None):
    return loop(lambda *a, **k: -model(*a, **k), src, bos, eos, max_len, src_mask)[:, 1:]


def for_one_sentence(model, src, bos, eos, max_len, src_mask=None):
    tokens = torch.full((len(src), 1), bos)
    for _ in range(max_len):
        following = model(src, tokens, src_mask=src_mask)[:, -1:].argmax(-1)
        tokens = torch.cat([tokens, following], dim=1)
        if following == eos:
            break
    return tokens[:, 1:]


def source_fed(model, src, bos, eos, max_len, src_mask=None):
    return model(src, src[:, :max_len], src_mask=src_mask).argmax(-1)
