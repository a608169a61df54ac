"""translation_batch(pairs, bos, eos, pad) → (src, tgt_in, tgt_out, src_mask)."""

import numpy as np
import torch

import course_lib.text.pairs as reference
from autograder.catalogue.checks import either, fits, is_true, matches, where
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise, common_criterion
from autograder.catalogue.translation.translation_batch_mistakes import (
    MISTAKES,
    PADDED_IN,
    SOURCE,
    TARGET_IN,
    TARGET_OUT,
)

SOURCES, TARGETS = (7, 3, 5, 4), (2, 5, 3, 11)  # lengths of sentences


def sentences(g, sources=SOURCES, targets=TARGETS, bos=1, eos=2, pad=0):
    """Pairs of lists of these lengths, of ids from 12 to 30; in JSON a pair is a list."""

    def ids(length):
        return torch.randint(12, 31, (length,), generator=g).tolist()

    pairs = [[ids(source), ids(target)] for source, target in zip(sources, targets, strict=True)]
    return {"pairs": pairs, "bos": bos, "eos": eos, "pad": pad}


def holding_pad(g):
    """Sentences whose first, middle or last id equals pad."""
    case = sentences(g, (4, 3, 5), (5, 2, 3), pad=11)
    for pair, place in zip(case["pairs"], (-1, 0, 2), strict=True):
        for side in pair:
            side[place if place < len(side) else -1] = 11
    return case


def by_pad_sequence(batch, start, end, padding):
    rows = [torch.tensor([*s, end], dtype=torch.long) for s, _ in batch]
    outs = [torch.tensor([*t, end], dtype=torch.long) for _, t in batch]
    src = torch.nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=padding)
    tgt_out = torch.nn.utils.rnn.pad_sequence(outs, batch_first=True, padding_value=padding)
    tgt_in = torch.cat([torch.full((len(batch), 1), start), tgt_out[:, :-1]], dim=1)
    return src, tgt_in, tgt_out, torch.arange(src.shape[1]) < torch.tensor([[len(row)] for row in rows])


READ, MASK = "the source ends in eos, then padding", "src_mask is True at what is real, eos included"
BEFORE, AFTER = "tgt_in begins with bos", "tgt_out ends in eos, then padding"
PADDED = "padding is `pad`, and no more than the longest needs"
CASES = ("four pairs", "one pair", "an empty source", "an empty target")


def of(*outputs):
    return tuple(matches(case, *outputs) for case in CASES)


def is_where_src_is_real(mask, src, pad):
    return mask.shape == src.shape and np.array_equal(mask, src != pad)


TRANSLATION_BATCH = Exercise(
    id="translation_batch",
    title="A batch of sentence pairs",
    reference=reference.translation_batch,
    cases=(
        Case("four pairs", sentences),
        Case("one pair", lambda g: sentences(g, (3,), (5,))),
        Case("other special tokens", lambda g: sentences(g, bos=5, eos=7, pad=11)),
        Case("pad among the ids", holding_pad),
        Case("an empty source", lambda g: sentences(g, (3, 0), (2, 5))),
        Case("an empty target", lambda g: sentences(g, (2, 5), (0, 3))),
    ),
    criteria=(
        Criterion(READ, 0.5, *of("src")),
        Criterion(
            MASK,
            0.75,
            *(
                either(
                    matches(case, "src_mask"),
                    fits(case, ["src_mask", "src"], ["pad"], is_where_src_is_real, "src_mask is not a mask of src"),
                )
                for case in CASES
            ),
            where(matches("pad among the ids", "src"), matches("pad among the ids", "src_mask")),
        ),
        Criterion(BEFORE, 0.75, *of("tgt_in")),
        Criterion(AFTER, 0.5, *of("tgt_out")),
        Criterion(
            PADDED,
            0.25,
            *(is_true(case, ["spare"], lambda n: n == 0, "some columns are padding in every row") for case in CASES),
            where(matches("four pairs"), matches("other special tokens")),
        ),
        common_criterion(0.25),
    ),
    mistakes=MISTAKES,
    right_variants=(
        by_pad_sequence,
        *(
            right(f"tgt_in filled up with {token}", {PADDED_IN: PADDED_IN.replace(", pad)", f", {token})")})
            for token in ("bos", "eos", "0")
        ),
        right("sums of lists", {SOURCE: "source + [eos]", TARGET_IN: "[bos] + target", TARGET_OUT: "target + [eos]"}),
        right(
            "tgt_in from tgt_out",
            {
                f"    tgt_in, _ = pad_batch([{TARGET_IN} for _, target in pairs], pad)  # [B, T]\n": "",
                "    return": "    tgt_in = tgt_out.roll(1, dims=1)\n    tgt_in[:, 0] = bos\n    return",
            },
        ),
    ),
)
