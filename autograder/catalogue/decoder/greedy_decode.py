"""greedy_decode(model, src, bos, eos, max_len, src_mask=None) → tokens [B, n ≤ max_len]."""

import numpy as np
import torch

import course_lib.model.seq2seq as reference
from autograder.catalogue.checks import is_true, matches, moved, unmoved, where
from autograder.catalogue.decoder.greedy_decode_mistakes import EVAL, MISTAKES, NEXT
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise, common_criterion

SOURCE_TOKENS, TARGET_TOKENS = 17, 13


def talk(g, ends, max_len, bos=1, eos=2, masked=False, moved=None, rows=slice(None), says_bos=False):
    """A model, and a source whose first token says after how many tokens the row ends.

    When `masked` the last two source tokens are hidden, and those at `moved` are others. When it `says_bos`, that is
    the first word of the first row.
    """
    words = torch.tensor([token for token in range(TARGET_TOKENS) if token not in (bos, eos)])
    weights = {
        "words": words[torch.randperm(len(words), generator=g)],
        "noise": torch.rand(len(words), TARGET_TOKENS, generator=g),
    }
    src = torch.randint(SOURCE_TOKENS, (len(ends), 5), generator=g)
    src[:, 0] = torch.tensor(ends)
    if moved is not None:
        src[:, moved] = (src[:, moved] + 5) % SOURCE_TOKENS
    if says_bos:
        weights["words"][(src[0].sum() + bos) % len(words)] = bos
    case = {"src": src[rows], "bos": bos, "eos": eos, "max_len": max_len, "weights": weights}
    return case | ({"src_mask": (torch.arange(5) < 3).expand(len(ends), 5).clone()[rows]} if masked else {})


ENDS = (3, 0, 6, 1)
ENDLESS = (16, 16, 16)
OWN_TIME = "each ends at its own time"
ENDING, LENGTH = "each row ends at its own eos and keeps it", "as long as the longest row, and max_len at most"
QUIET = "no dropout and no gradient while decoding"


def in_eval_mode(decode):
    """Another way to hold the mode: around the whole."""

    @torch.no_grad()
    def decoding(model, *arguments, **named):
        was_training = getattr(model, "training", False)
        model.eval() if was_training else None
        tokens = decode(model, *arguments, **named)
        model.train() if was_training else None
        return tokens

    return decoding


@in_eval_mode
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


@in_eval_mode
def cleaned_up_at_the_end(model, source, start, end, max_len, src_mask=None):
    tokens = source.new_full((len(source), 1), start)
    with torch.inference_mode():
        for _ in range(max_len):
            tokens = torch.cat([tokens, model(source, tokens, src_mask=src_mask)[:, -1:].argmax(-1)], 1)
    after = (tokens[:, 1:] == end).cumsum(1) > 0
    return tokens[:, 1:].clone().masked_fill(after, end)[:, : 1 + (~after).sum(1).max()]


GREEDY_DECODE = Exercise(
    id="greedy_decode",
    title="Greedy decoding",
    reference=reference.greedy_decode,
    cases=(
        Case("nobody ends", lambda g: talk(g, ENDLESS, max_len=7, eos=11, says_bos=True)),
        Case("other bos and eos", lambda g: talk(g, (16, 16), max_len=5, bos=9, eos=7)),
        Case(OWN_TIME, lambda g: talk(g, ENDS, max_len=11)),
        Case("one token for both ends", lambda g: talk(g, ENDS, max_len=11, bos=9, eos=9)),
        Case("one of them alone", lambda g: talk(g, ENDS, 11, rows=slice(0, 1)), same_as=OWN_TIME),
        Case("eval mode", lambda g: talk(g, ENDS, 11) | {"mode": "was_training"}),
        Case("gradients", lambda g: talk(g, ENDS, 11) | {"mode": "had_gradients"}),
        Case("a plain function", lambda g: talk(g, ENDS, 11) | {"plain": True}, same_as=OWN_TIME),
        Case("a single token", lambda g: talk(g, (16, 16, 0), max_len=1)),
        Case("masked", lambda g: talk(g, ENDLESS, 7, masked=True)),
        Case("hidden source moved", lambda g: talk(g, ENDLESS, 7, masked=True, moved=slice(3, 5)), same_as="masked"),
        Case("visible source moved", lambda g: talk(g, ENDLESS, 7, masked=True, moved=1), same_as="masked"),
    ),
    criteria=(
        Criterion(
            "the most likely token, fed back",
            0.5,
            matches("nobody ends", "beginning"),
            matches("other bos and eos", "beginning"),
        ),
        Criterion(
            ENDING,
            0.5,
            *(matches(case, "tokens", "ended") for case in (OWN_TIME, "one token for both ends", "one of them alone")),
            where(matches("nobody ends", "beginning", "columns"), matches("nobody ends", "tokens")),
        ),
        Criterion(
            LENGTH,
            0.5,
            *(
                is_true(
                    case,
                    ["columns"],
                    lambda n, expected=expected: n == expected,
                    f"with max_len={expected} another number of columns came back",
                )
                for case, expected in (("nobody ends", 7), ("a single token", 1))
            ),
            where(matches(OWN_TIME, "tokens"), matches(OWN_TIME, "columns")),
        ),
        Criterion(
            "the source mask reaches the model",
            0.5,
            unmoved("masked", "hidden source moved", "tokens", text="a hidden source token changes the output"),
            moved(
                "masked", "visible source moved", "tokens", text="a visible source token leaves the output unchanged"
            ),
        ),
        Criterion(
            QUIET,
            0.5,
            is_true("eval mode", ["was_training"], np.logical_not, "the model is asked in training mode"),
            is_true("gradients", ["had_gradients"], np.logical_not, "the model is asked with gradients on"),
            unmoved(
                OWN_TIME, "a plain function", "tokens", text="a plain function as the model gives different tokens"
            ),
        ),
        common_criterion(0.5),
    ),
    mistakes=MISTAKES,
    forbidden=("generate",),
    right_variants=(
        row_by_row,
        cleaned_up_at_the_end,
        right(
            "the mask by its place, probabilities",
            {"src_mask=src_mask)[": "src_mask)[", "logits.argmax": "logits.softmax(-1).argmax"},
        ),
        right(
            "a copy of the model in eval mode",
            {
                "modes = ": "from copy import deepcopy\n"
                "    model = deepcopy(model).eval() if isinstance(model, nn.Module) else model\n    modes = "
            },
        ),
        right(
            "what has ended read off the tokens, every part's mode held by train and eval",
            {
                NEXT: "topk(1).indices[:, 0]",
                "following == eos": "(tokens[:, 1:] == eos).any(dim=1)",
                EVAL: "module.eval()",
                "module.training = training": "module.train(training)",
            },
        ),
    ),
)
