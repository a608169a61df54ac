"""What goes wrong in `Vocabulary`."""

from autograder.catalogue.edits import wrong

COUNTS = "counts = Counter(token for tokens in token_lists for token in tokens if token not in SPECIAL)"
SEEN = "seen = [token for token, count in counts.items() if count >= min_freq]"
KEY = "key=lambda token: (-counts[token], token)"
TOKENS = f"self.tokens = [*SPECIAL, *sorted(seen, {KEY})]"
IDS = "self.ids = {token: i for i, token in enumerate(self.tokens)}"
ENCODE = "[self.ids.get(token, UNK) for token in tokens]"
DECODE = "[self.tokens[i] for i in ids]"
LEN = "return len(self.tokens)"


def asked(question, *rows):
    return tuple(wrong(name, edits).because(says, question) for name, edits, says in rows)


MISTAKES = (
    *asked(
        "Which ids do `<pad>`, `<bos>`, `<eos>` and `<unk>` have?",
        ("no special tokens", {"[*SPECIAL, *": "[*"}, "Your ids begin with the text; 0 to 3 are the special tokens."),
        (
            "special tokens at the end",
            {TOKENS: f"self.tokens = [*sorted(seen, {KEY}), *SPECIAL]"},
            "Your special tokens stand at the end; they are the ids 0 to 3.",
        ),
        (
            "special tokens in another order",
            {"[*SPECIAL,": "[*sorted(SPECIAL),"},
            "Your special tokens stand in another order: pad, bos, eos, unk.",
        ),
    ),
    *asked(
        "Which token gets id 4, and which of two equally frequent ones comes first?",
        ("the rarest first", {KEY: KEY.replace("-", "")}, "Your rare tokens come first; the frequent ones do."),
        ("in alphabetical order", {KEY: "key=None"}, "You sort by the alphabet alone; how frequent comes first."),
        ("as they come", {f"*sorted(seen, {KEY})": "*seen"}, "Your tokens stand in the order of the text."),
        (
            "equal ones as they come",
            {KEY: "key=counts.get, reverse=True"},
            "Equally frequent tokens stand as they come; the alphabet decides.",
        ),
        (
            "equal ones backwards",
            {KEY: "key=lambda token: (counts[token], token), reverse=True"},
            "Equally frequent tokens stand in the opposite order: reverse=True turns both keys around.",
        ),
        (
            "every token by its lists",
            {"for tokens in token_lists for token in tokens": "for tokens in token_lists for token in {*tokens}"},
            "You count in how many lists a token stands, not how often.",
        ),
    ),
    *asked(
        "Which tokens are in when min_freq is 3?",
        ("min_freq ignored", {SEEN: "seen = [*counts]"}, "Rare tokens are in, whatever min_freq says."),
        ("more than min_freq", {">= min": "> min"}, "A token that occurs just min_freq times is left out; it is in."),
        ("up to min_freq", {">= min": "<= min"}, "You keep the rare tokens and leave out the frequent ones."),
    ),
    wrong("special tokens counted", {" if token not in SPECIAL": ""}).because(
        "A text that holds `<pad>` gives it a second id.", "What if a text about networks has the word `<pad>`?"
    ),
    *asked(
        "What should `encode` give for a word that is not in the vocabulary?",
        (
            "unknown tokens left out",
            {ENCODE: "[self.ids[token] for token in tokens if token in self.ids]"},
            "You leave out what is unknown; it becomes 3, so that nothing is lost without a trace.",
        ),
        (
            "unknown tokens become padding",
            {"token, UNK": "token, PAD"},
            "You encode the unknown as 0, which is padding.",
        ),
        (
            "an error for unknown tokens",
            {"self.ids.get(token, UNK)": "self.ids[token]"},
            "An unknown token is an error; it becomes 3.",
        ),
        (
            "no ids for special tokens",
            {"enumerate(self.tokens)}": "enumerate(self.tokens) if i > 3}"},
            "You encode `<eos>` as unknown; it has an id.",
        ),
    ),
    *asked(
        "What should `decode` give for the ids 1, 6, 2?",
        (
            "special tokens left out",
            {DECODE: "[self.tokens[i] for i in ids if i > 3]"},
            "You leave out special tokens; here they are kept, and others decide.",
        ),
        (
            "joined text",
            {DECODE: '" ".join(self.tokens[i] for i in ids)'},
            "You return one text; it is a list of tokens.",
        ),
    ),
    *asked(
        "What kind of thing does `encode` give, and what is the size of the vocabulary?",
        (
            "a tensor of ids",
            {ENCODE: "torch.tensor([self.ids.get(token, UNK) for token in tokens], dtype=torch.int64)"},
            "You return a tensor; it is a list of ints: lists of different lengths do not fit in a tensor yet.",
        ),
        (
            "another name for tokens",
            {name: name.replace("tokens", "words") for name in ("self.tokens =", "(self.tokens)}", LEN, DECODE)},
            "Your list of tokens has another name than `tokens`; others look there.",
        ),
        (
            "length without special tokens",
            {LEN: "return len(self.tokens) - 4"},
            "len() leaves out the special tokens; they have ids.",
        ),
    ),
    wrong(
        "the lists emptied",
        {IDS: f"{IDS}\n        for tokens in token_lists:\n            tokens.clear()"},
        shown_by="the argument token_lists is another one after the call",
    ).because("You empty the caller's lists.", "Who else holds the text?"),
)
