"""What goes wrong in `shift_right`."""

from autograder.catalogue.common_mistakes import of_other_dtypes, overwrites
from autograder.catalogue.edits import mistake

JOINED = "torch.cat([start, targets[:, :-1]], dim=1)"
BOS = "Where do you use `bos`?"

MISTAKES = (
    mistake("not shifted", {JOINED: "targets.clone()"}).because(
        "The decoder is given the very token that it is to guess: it learns to copy, and cannot write.",
        "At place t the model guesses targets[:, t]. What may it have seen by then?",
    ),
    mistake("shifted the wrong way", {"[start, targets[:, :-1]]": "[targets[:, 1:], start]"}).because(
        "Your tokens move to the left: each place shows the token after the one to be guessed.",
        "Which token stands at place 1 when everything moves to the right by one?",
    ),
    mistake("bos over the first token", {"targets[:, :-1]": "targets[:, 1:]"}).because(
        "bos has replaced the first token, and nothing has moved: the decoder still sees what it is to guess.",
        "Where has the first target gone?",
    ),
    mistake("one token too long", {"targets[:, :-1]": "targets"}).because(
        "bos was put in front and nothing taken away: T + 1 tokens for T guesses.",
        "Which token of the targets does the decoder never need to see?",
    ),
    mistake("last token dropped, no bos", {JOINED: "targets[:, :-1]"}).because(
        "Without bos the result is one token short, and nothing stands before the first guess.",
        "What does the decoder see when it guesses the first token?",
    ),
    mistake("first token lost", {"targets[:, :-1]": "targets[:, 1:-1]"}),
    mistake("the last token comes round to the front", {JOINED: "targets.roll(1, dims=1)"}).because(
        "`roll` brings the last token to the first place, where bos belongs.", BOS
    ),
    mistake(
        "shifted along the batch",
        {"targets[:, :1]": "targets[:1]", "targets[:, :-1]": "targets[:-1]", "dim=1": "dim=0"},
    ).because(
        "You shift the sentences, not the tokens: each row is that of another sample.", "Which axis of [B, T] is time?"
    ),
    mistake("a fixed begin token", {"[:, :1], bos)": "[:, :1], 1)"}).because(
        "Your first token is 1, whatever `bos` says.", BOS
    ),
    mistake("zero instead of bos", {"[:, :1], bos)": "[:, :1], 0)"}).because(
        "Everything has moved, but the first place still holds the 0 of an empty tensor: bos is missing.", BOS
    ),
    mistake("a single token left as it is", {JOINED: f"{JOINED} if targets.shape[1] > 1 else targets"}),
    overwrites("targets", {JOINED: f"targets.copy_({JOINED})"}, "the loss would compare with shifted ones."),
    *of_other_dtypes("shifted", JOINED),
)
