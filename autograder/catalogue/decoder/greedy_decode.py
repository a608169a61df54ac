"""greedy_decode(model, src, bos, eos, max_len, src_mask=None) → tokens [B, n ≤ max_len]."""

import torch

import course_lib.model.seq2seq as reference
from autograder.catalogue.checks import is_true, matches, moved, unmoved
from autograder.catalogue.decoder.greedy_decode_wrong import ASKED, MISTAKES, NEXT, STOP
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Exercise, Property

SOURCE_TOKENS, TARGET_TOKENS = 17, 13


def talk(g, ends, max_len, bos=1, eos=2, masked=False, moved=None, rows=slice(None)):
    """A model, and a source whose first token says after how many tokens the row ends.

    When `masked` the last two source tokens are hidden, and those at `moved` are others.
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
    case = {"src": src[rows], "bos": bos, "eos": eos, "max_len": max_len, "weights": weights}
    return case | ({"src_mask": (torch.arange(5) < 3).expand(len(ends), 5).clone()[rows]} if masked else {})


ENDS = (3, 0, 6, 1)
ENDLESS = (16, 16, 16)


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


GREEDY_DECODE = Exercise(
    id="greedy_decode",
    title="Greedy decoding",
    reference=reference.greedy_decode,
    cases=(
        Case("nobody ends", lambda g: talk(g, ENDLESS, max_len=7)),
        Case("other bos and eos", lambda g: talk(g, (16, 16), max_len=5, bos=9, eos=7)),
        Case("each ends at its own time", lambda g: talk(g, ENDS, max_len=11)),
        Case("another end token", lambda g: talk(g, ENDS, max_len=11, bos=4, eos=9)),
        Case("one of them alone", lambda g: talk(g, ENDS, 11, rows=slice(0, 1)), like="each ends at its own time"),
        Case("a single token", lambda g: talk(g, (16, 16, 0), max_len=1)),
        Case("masked", lambda g: talk(g, ENDLESS, 7, masked=True)),
        Case("hidden source moved", lambda g: talk(g, ENDLESS, 7, masked=True, moved=slice(3, 5)), like="masked"),
        Case("visible source moved", lambda g: talk(g, ENDLESS, 7, masked=True, moved=1), like="masked"),
    ),
    properties=(
        Property(
            "the likeliest token, fed back",
            1,
            matches("nobody ends", "beginning"),
            matches("other bos and eos", "beginning"),
        ),
        Property(
            "each row ends at its own eos and keeps it",
            1,
            *(
                matches(case, "tokens", "ended")
                for case in ("each ends at its own time", "another end token", "one of them alone")
            ),
        ),
        Property(
            "max_len counts the tokens after bos",
            0.5,
            *(
                is_true(
                    case,
                    ["columns"],
                    lambda n, due=due: n == due,
                    f"with max_len={due} another number of columns came back",
                )
                for case, due in (("nobody ends", 7), ("a single token", 1))
            ),
        ),
        Property(
            "the source mask reaches the model",
            0.5,
            unmoved("masked", "hidden source moved", "tokens", text="a hidden source token changes what is said"),
            moved("masked", "visible source moved", "tokens", text="a visible source token changes nothing"),
        ),
    ),
    mistakes=MISTAKES,
    forbidden=("generate",),
    hints=(
        "Begin with a column of bos. In a loop: ask the model, take the last place, append the argmax.",
        "`model(src, tokens, src_mask=src_mask)[:, -1]` are the logits [B, V] of the token that comes next.",
        "A boolean [B] remembers which rows have ended; `masked_fill` or `where` puts eos there.",
    ),
    right_variants=(
        with_a_buffer,
        row_by_row,
        cleaned_up_at_the_end,
        right(
            "always max_len columns",
            {f" and {STOP}": "", "src_mask=src_mask)[": "src_mask)[", "logits.argmax": "logits.softmax(-1).argmax"},
        ),
        right(
            "all arguments of the model by name",
            {ASKED: "model(src=src, tgt=tokens, src_mask=src_mask)[", "tokens[:, 1:]": "tokens[:, 1:].int()"},
        ),
        right(
            "the device of the model, what has ended read off the tokens",
            {
                "device=src.device)  # [B, 1]": "device=next(model.parameters()).device)",
                NEXT: "topk(1).indices[:, 0]",
                "following == eos": "(tokens[:, 1:] == eos).any(dim=1)",
            },
        ),
    ),
)
