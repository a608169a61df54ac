"""What goes wrong in `Vocabulary`."""

from autograder.catalogue.common_mistakes import overwrites
from autograder.catalogue.edits import mistake, with_question

COUNTS = "counts = Counter(token for tokens in token_lists for token in tokens if token not in SPECIAL)"
SEEN = "seen = [token for token, count in counts.items() if count >= min_freq]"
KEY = "key=lambda token: (-counts[token], token)"
TOKENS = f"self.tokens = [*SPECIAL, *sorted(seen, {KEY})]"
IDS = "self.ids = {token: i for i, token in enumerate(self.tokens)}"
ENCODE = "[self.ids.get(token, UNK) for token in tokens]"
DECODE = "[self.tokens[i] for i in ids]"
LEN = "return len(self.tokens)"


MISTAKES = (
    *with_question(
        "Which ids do `<pad>`, `<bos>`, `<eos>` and `<unk>` have?",
        mistake(
            "no special tokens", {"[*SPECIAL, *": "[*"}, "Your ids begin with the text; 0 to 3 are the special tokens."
        ),
        mistake("special tokens at the end", {TOKENS: f"self.tokens = [*sorted(seen, {KEY}), *SPECIAL]"}).because(
            "Your special tokens stand at the end; they are the ids 0 to 3."
        ),
        mistake("special tokens in another order", {"[*SPECIAL,": "[*sorted(SPECIAL),"}).because(
            "Your special tokens stand in another order: pad, bos, eos, unk."
        ),
    ),
    *with_question(
        "Which token gets id 4, and which of two equally frequent ones comes first?",
        mistake("the rarest first", {KEY: KEY.replace("-", "")}, "Your rare tokens come first; the frequent ones do."),
        mistake(
            "in alphabetical order", {KEY: "key=None"}, "You sort by the alphabet alone; how frequent comes first."
        ),
        mistake("as they come", {f"*sorted(seen, {KEY})": "*seen"}, "Your tokens stand in the order of the text."),
        mistake("equal ones as they come", {KEY: "key=counts.get, reverse=True"}).because(
            "Equally frequent tokens stand as they come; the alphabet decides."
        ),
        mistake("equal ones backwards", {KEY: "key=lambda token: (counts[token], token), reverse=True"}).because(
            "Equally frequent tokens stand in the opposite order: reverse=True turns both keys around."
        ),
        mistake(
            "every token by its lists",
            {"for tokens in token_lists for token in tokens": "for tokens in token_lists for token in {*tokens}"},
        ).because("You count in how many lists a token stands, not how often."),
    ),
    *with_question(
        "Which tokens are in when min_freq is 3?",
        mistake("min_freq ignored", {SEEN: "seen = [*counts]"}, "Rare tokens are in, whatever min_freq says."),
        mistake(
            "more than min_freq", {">= min": "> min"}, "A token that occurs just min_freq times is left out; it is in."
        ),
        mistake("up to min_freq", {">= min": "<= min"}, "You keep the rare tokens and leave out the frequent ones."),
    ),
    mistake("special tokens counted", {" if token not in SPECIAL": ""}).because(
        "A text that holds `<pad>` gives it a second id.", "What if a text about networks has the word `<pad>`?"
    ),
    *with_question(
        "What should `encode` give for a word that is not in the vocabulary?",
        mistake(
            "unknown tokens left out", {ENCODE: "[self.ids[token] for token in tokens if token in self.ids]"}
        ).because("You leave out what is unknown; it becomes 3, so that nothing is lost without a trace."),
        mistake("unknown tokens become padding", {"token, UNK": "token, PAD"}).because(
            "You encode the unknown as 0, which is padding."
        ),
        mistake("an error for unknown tokens", {"self.ids.get(token, UNK)": "self.ids[token]"}).because(
            "An unknown token is an error; it becomes 3."
        ),
        mistake("no ids for special tokens", {"enumerate(self.tokens)}": "enumerate(self.tokens) if i > 3}"}).because(
            "You encode `<eos>` as unknown; it has an id."
        ),
    ),
    *with_question(
        "What should `decode` give for the ids 1, 6, 2?",
        mistake("special tokens left out", {DECODE: "[self.tokens[i] for i in ids if i > 3]"}).because(
            "You leave out special tokens; here they are kept, and others decide."
        ),
        mistake("joined text", {DECODE: '" ".join(self.tokens[i] for i in ids)'}).because(
            "You return one text; it is a list of tokens."
        ),
    ),
    *with_question(
        "What kind of thing does `encode` give, and what is the size of the vocabulary?",
        mistake(
            "a tensor of ids",
            {ENCODE: "torch.tensor([self.ids.get(token, UNK) for token in tokens], dtype=torch.int64)"},
        ).because("You return a tensor; it is a list of ints: lists of different lengths do not fit in a tensor yet."),
        mistake(
            "another name for tokens",
            {name: name.replace("tokens", "words") for name in ("self.tokens =", "(self.tokens)}", LEN, DECODE)},
        ).because("Your list of tokens has another name than `tokens`; others look there."),
        mistake("length without special tokens", {LEN: "return len(self.tokens) - 4"}).because(
            "len() leaves out the special tokens; they have ids."
        ),
    ),
    overwrites(
        "token_lists",
        {IDS: f"{IDS}\n        for tokens in token_lists:\n            tokens.clear()"},
        "the text is gone.",
        "the lists emptied",
    ),
)
