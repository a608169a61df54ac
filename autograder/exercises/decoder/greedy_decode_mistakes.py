"""What students write in the place of greedy decoding: one loop, with one part of it changed each time."""

import torch

from autograder.exercise import Misconception

FEEDING, ENDING = "the likeliest token, fed back", "each row ends at its own eos and keeps it"
LENGTH, MASK = "max_len counts the tokens after bos", "the source mask reaches the model"


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


def source_fed(model, src, bos, eos, max_len, src_mask=None):
    return model(src, src[:, :max_len], src_mask=src_mask).argmax(-1)


MISCONCEPTIONS = (
    Misconception(
        "starts from eos",
        starts_from_eos,
        "Your first token is eos; in training every sentence began with bos, so the model has never seen this.",
        "What did the decoder's input begin with in training?",
        (FEEDING, ENDING),
    ),
    Misconception(
        "starts from padding",
        starts_from_zero,
        "Your first token is 0 (a forgotten `zeros`?); in training every sentence began with bos.",
        "What did the decoder's input begin with in training?",
        (FEEDING, ENDING),
    ),
    Misconception(
        "starts from a fixed token",
        starts_from_one,
        "Your first token is 1, whatever `bos` says.",
        "Where do you use `bos`?",
        (FEEDING, ENDING),
    ),
    Misconception(
        "bos kept",
        bos_kept,
        "The result begins with bos; asked for is only what the model said.",
        "Which columns of your tokens come from the model?",
        (FEEDING, ENDING, LENGTH),
    ),
    Misconception(
        "bos counted in max_len",
        bos_counted,
        "You stop one token early: bos is not among the max_len tokens.",
        "How many times does your loop ask the model?",
        (LENGTH,),
    ),
    Misconception(
        "one token too many",
        one_step_more,
        "max_len + 1 tokens come back.",
        "How many times does your loop ask the model?",
        (LENGTH,),
    ),
    Misconception(
        "goes on after eos",
        goes_on_after_eos,
        "A row that has said eos goes on talking until the others have ended too.",
        "Which rows may still choose their next token?",
        (ENDING,),
    ),
    Misconception(
        "eos never looked at",
        never_stops,
        "You always take max_len tokens as the model says them; nothing happens at eos.",
        "What should a row hold after its eos?",
        (ENDING,),
    ),
    Misconception(
        "stops only when all end together",
        all_at_once_or_never,
        "You stop when all rows say eos in the same step; rows that said it earlier have gone on talking.",
        "How can you remember that a row ended three steps ago?",
        (ENDING,),
    ),
    Misconception(
        "stops with the first row to end",
        stops_with_the_first,
        "The first eos of any row ends all of them in mid-sentence.",
        "When may the loop end: when one row has said eos, or when all have?",
        (ENDING,),
    ),
    Misconception(
        "the first row decides",
        first_row_decides,
        "Only row 0 is asked whether it has ended: written for a batch of one.",
        "What if another row takes longer than row 0?",
        (ENDING,),
    ),
    Misconception(
        "filled with zeros after eos",
        filled_with_zeros,
        "After its eos a row is filled with 0; the contract is eos to the end.",
        "What does `masked_fill` put into the rows that have ended?",
        (ENDING,),
    ),
    Misconception(
        "eos cut off",
        eos_cut_off,
        "The eos that ends the longest row is missing: you stop before you append it.",
        "In your loop, which comes first: appending the token, or testing whether all have ended?",
        (ENDING,),
    ),
    Misconception(
        "only the last token fed back",
        only_the_last_token_fed,
        "The model gets only the last token, and so forgets what it said before.",
        "What does the decoder attend to, at its third token?",
        (FEEDING, ENDING),
    ),
    Misconception(
        "logits of the first place",
        first_place_read,
        "You always read the logits at place 0, which are about the first token.",
        "Of the logits [B, t, V], which place speaks about the token that comes next?",
        (FEEDING, ENDING),
    ),
    Misconception(
        "source mask dropped",
        mask_dropped,
        "src_mask does not reach the model: it reads the padding of the source.",
        "With which arguments do you call the model?",
        (MASK,),
    ),
    Misconception(
        "source mask inverted",
        mask_inverted,
        "The model gets the inverse of src_mask: it reads the padding and nothing else.",
        "Is True a real token, or padding?",
        (MASK,),
    ),
    Misconception(
        "sampled",
        sampled,
        "You draw the next token at random; greedy means the likeliest one, always.",
        "Do two calls of your function give the same?",
        (FEEDING, ENDING),
    ),
    Misconception(
        "the least likely token",
        least_likely,
        "You choose the token with the smallest logit.",
        "Is a large logit likely or unlikely?",
        (FEEDING, ENDING, LENGTH, MASK),
    ),
    Misconception(
        "fed with the source",
        source_fed,
        "The decoder gets the source tokens and speaks once for all places: nothing of its own is fed back.",
        "What does the decoder know when nothing has been said yet?",
        (FEEDING, ENDING, LENGTH, MASK),
    ),
)
