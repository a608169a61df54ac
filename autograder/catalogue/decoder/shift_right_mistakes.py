"""What goes wrong in `shift_right`."""

from autograder.catalogue.common_mistakes import of_other_dtypes, overwrites
from autograder.catalogue.edits import mistake

JOINED = "torch.cat([start, targets[:, :-1]], dim=1)"
BOS = "Where do you use `bos`?"

MISTAKES = (
    mistake("not shifted", {JOINED: "targets.clone()"}).because(
        "You give the decoder the very token it must predict, so it learns to copy; give it the previous ones.",
        "At position t the model predicts targets[:, t]. What may it have seen by then?",
    ),
    mistake("shifted the wrong way", {"[start, targets[:, :-1]]": "[targets[:, 1:], start]"}).because(
        "You shift the tokens to the left, so each position shows a later token; shift them to the right.",
        "Which token is at position 1 after everything moves one to the right?",
    ),
    mistake("bos over the first token", {"targets[:, :-1]": "targets[:, 1:]"}).because(
        "You replace the first token by bos without shifting, so the decoder still sees what it must predict; "
        "shift the tokens.",
        "Where has the first target gone?",
    ),
    mistake("one token too long", {"targets[:, :-1]": "targets"}).because(
        "You prepend bos without dropping the last token, which leaves T + 1 tokens for T predictions; drop it.",
        "Which token of the targets does the decoder never need to see?",
    ),
    mistake("last token dropped, no bos", {JOINED: "targets[:, :-1]"}).because(
        "You leave out bos, so the result is one token short; prepend it.",
        "What does the decoder see when it predicts the first token?",
    ),
    mistake("first token lost", {"targets[:, :-1]": "targets[:, 1:-1]"}).because(
        "You leave out the first target. Leave out only the last.",
        "Write down the input and the target for A B C. Which token of the input is missing?",
    ),
    mistake("targets backwards", {"targets[:, :-1]": "targets[:, :-1].flip(1)"}).because(
        "You reverse the targets; keep their order.",
        "Which token does the decoder see when it predicts the second one?",
    ),
    mistake("bos at the end", {"[start, targets[:, :-1]]": "[targets[:, :-1], start]"}).because(
        "You put bos at the end; put it first.", BOS
    ),
    mistake("shifted by two", {"[start, targets[:, :-1]]": "[start, start, targets[:, :-2]]"}).because(
        "You shift the tokens by two positions; shift them by one.",
        "Which token does the decoder see last when it predicts the third one?",
    ),
    mistake("the first token repeated", {"targets[:, :-1]": "targets[:, :1].expand(-1, targets.shape[1] - 1)"}).because(
        "After bos you repeat the first token; position t needs the token at t − 1.",
        "When position 2 is filled from position 1, what does position 1 contain by then?",
    ),
    mistake("the last token comes round to the front", {JOINED: "targets.roll(1, dims=1)"}).because(
        "Your `roll` moves the last token to the first position; put bos there.", BOS
    ),
    mistake(
        "shifted along the batch",
        {"targets[:, :1]": "targets[:1]", "targets[:, :-1]": "targets[:-1]", "dim=1": "dim=0"},
    ).because(
        "You shift along the batch, so each row belongs to another sample; shift the tokens.",
        "Which axis of [B, T] is time?",
    ),
    mistake("a fixed begin token", {"[:, :1], bos)": "[:, :1], 1)"}).because(
        "Your first token is always 1; use bos.", BOS
    ),
    mistake("zero instead of bos", {"[:, :1], bos)": "[:, :1], 0)"}).because(
        "You shift the tokens but leave 0 in the first position; put bos there.", BOS
    ),
    mistake("rolled by two", {JOINED: "torch.cat([start, targets.roll(2, dims=1)[:, 1:]], dim=1)"}).because(
        "You roll the tokens by two positions; roll them by one.",
        "Which token does the decoder see last when it predicts the third one?",
    ),
    mistake("rolled along the batch", {JOINED: "torch.cat([start, targets.roll(1, dims=0)[:, 1:]], dim=1)"}).because(
        "You roll along the batch, so each row belongs to another sample; roll along the tokens.",
        "Which axis of [B, T] is time?",
    ),
    mistake("rolled back", {JOINED: "torch.cat([start, targets.roll(-1, dims=1)[:, 1:]], dim=1)"}).because(
        "You roll the tokens to the left, so each position shows a later token; roll them to the right.",
        "Which token is at position 1 after everything moves one to the right?",
    ),
    *(
        mistake(
            f"bos in the {which} row only",
            {JOINED: f"torch.cat([start.where({rows}, targets[:, -1:]), targets[:, :-1]], dim=1)"},
        ).because(
            f"Only your {which} row starts with bos; put it at the start of every row.",
            "What does the index of your assignment select: one row, or all of them?",
        )
        for which, rows in (
            ("first", "(torch.arange(len(targets)) == 0)[:, None]"),
            ("last", "(torch.arange(len(targets)) == len(targets) - 1)[:, None]"),
        )
    ),
    *(
        mistake(name, {JOINED: flat}).because(
            f"You shift the batch as one long row, so a row starts with the last token of the row above{besides}.",
            "How does `roll` treat a tensor [B, T] if you give it no `dims`, and what does `flatten` join?",
        )
        for name, flat, besides in (
            (
                "shifted across the rows",
                "torch.cat([start[0], targets.flatten()[:-1]]).view_as(targets)",
                "; put bos at the start of every row",
            ),
            ("rolled across the rows", "targets.roll(1)", " and bos is nowhere; shift each row, and start it with bos"),
        )
    ),
    mistake("a single token left as it is", {JOINED: f"{JOINED} if targets.shape[1] > 1 else targets"}).because(
        "You return a sequence of one token unchanged. Its input is the start token.",
        "What does the decoder read before it predicts the first token?",
    ),
    mistake(
        "a row that starts with bos left as it is", {JOINED: f"{JOINED}.where(targets[:, :1] != bos, targets)"}
    ).because(
        "You leave a row unchanged if its first target is bos. Shift every row.",
        "What does the decoder read before it predicts a first target that is bos?",
    ),
    mistake("zeros replaced by bos", {JOINED: f"(shifted := {JOINED}).masked_fill(shifted == 0, bos)"}).because(
        "You replace every 0 by bos. Put bos in the first column only, and leave the targets unchanged.",
        "Which entries of your result are not targets?",
    ),
    overwrites("targets", {JOINED: f"targets.copy_({JOINED})"}, "the loss would compare with shifted ones."),
    *of_other_dtypes("shifted", JOINED),
)
