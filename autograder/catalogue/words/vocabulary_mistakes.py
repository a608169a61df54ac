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
LOWER_COUNTS = COUNTS.replace("Counter(token for", "Counter(token.lower() for")
LOWER_ENCODE = ENCODE.replace("(token,", "(token.lower(),")


MISTAKES = (
    *with_question(
        "Which ids do `<pad>`, `<bos>`, `<eos>` and `<unk>` have?",
        mistake("no special tokens", {"[*SPECIAL, *": "[*"}).because(
            "Your ids start with the text; 0 to 3 must be the special tokens."
        ),
        mistake("special tokens at the end", {TOKENS: f"self.tokens = [*sorted(seen, {KEY}), *SPECIAL]"}).because(
            "Your special tokens come last; they must have the ids 0 to 3."
        ),
        mistake("special tokens in another order", {"[*SPECIAL,": "[*sorted(SPECIAL),"}).because(
            "Your special tokens are in another order; use pad, bos, eos, unk."
        ),
        mistake(
            "the unknown first", {"[*SPECIAL,": '["<unk>", "<pad>", "<bos>", "<eos>",', "token, UNK": "token, 0"}
        ).because("Your special tokens are in another order; use pad, bos, eos, unk."),
    ),
    *with_question(
        "Which token gets id 4, and which of two equally frequent ones comes first?",
        mistake("the rarest first", {KEY: KEY.replace("-", "")}).because(
            "Your rare tokens come first; put the frequent ones first."
        ),
        mistake("in alphabetical order", {KEY: "key=None"}).because(
            "You sort only alphabetically; sort by frequency first."
        ),
        mistake("as they come", {f"*sorted(seen, {KEY})": "*seen"}).because(
            "Your tokens are in the order of the text; sort them by frequency."
        ),
        mistake("equal ones as they come", {KEY: "key=counts.get, reverse=True"}).because(
            "You leave equally frequent tokens in the order of the text; sort them alphabetically."
        ),
        mistake("equal ones backwards", {KEY: "key=lambda token: (counts[token], token), reverse=True"}).because(
            "You sort equally frequent tokens in reverse, because reverse=True reverses both keys; reverse "
            "only the frequency."
        ),
        mistake(
            "every token by its lists",
            {"for tokens in token_lists for token in tokens": "for tokens in token_lists for token in {*tokens}"},
        ).because("You count the lists that contain a token; count how often it occurs."),
    ),
    *with_question(
        "Are “The” and “the” the same token?",
        mistake("counted in lower case", {COUNTS: LOWER_COUNTS}).because(
            "You convert to lower case before you count; count the tokens unchanged."
        ),
        mistake("encoded in lower case", {ENCODE: LOWER_ENCODE}).because(
            "You convert to lower case before you encode; look the tokens up unchanged."
        ),
        mistake("everything in lower case", {COUNTS: LOWER_COUNTS, ENCODE: LOWER_ENCODE}).because(
            "You convert to lower case; leave the tokens unchanged."
        ),
    ),
    *with_question(
        "Which tokens are included if min_freq is 3?",
        mistake("min_freq ignored", {SEEN: "seen = [*counts]"}).because(
            "You include rare tokens regardless of min_freq; leave them out."
        ),
        mistake("more than min_freq", {">= min": "> min"}).because(
            "You leave out a token that occurs exactly min_freq times; include it."
        ),
        mistake("up to min_freq", {">= min": "<= min"}).because(
            "You keep the rare tokens and leave out the frequent ones; do the opposite."
        ),
    ),
    *(
        mistake(name, {" if token not in SPECIAL": ""} | ids).because(
            "You give `<pad>` a second id if the text contains it; skip special tokens.",
            "What if a text about networks has the word `<pad>`?",
        )
        for name, ids in (
            ("special tokens counted", {}),
            (
                "special tokens counted, encoded by their first id",
                {"in enumerate(self.tokens)}": "in reversed([*enumerate(self.tokens)])}"},
            ),
        )
    ),
    *(
        mistake(
            f"{token} counted", {"if token not in SPECIAL": f"if token not in SPECIAL or token in {(*counted,)}"}
        ).because(
            f"You give {token} a second id if found in the text; skip all four special tokens.",
            "Which four words already have an id before you count?",
        )
        for token, counted in (
            ("`<pad>`", ("<pad>",)),
            ("`<unk>`", ("<unk>",)),
            ("`<bos>` and `<eos>`", ("<bos>", "<eos>")),
            ("`<bos>`, `<eos>` and `<unk>`", ("<bos>", "<eos>", "<unk>")),
            ("`<pad>`, `<bos>` and `<eos>`", ("<pad>", "<bos>", "<eos>")),
        )
    ),
    mistake("id 0 taken for no id", {ENCODE: "[self.ids.get(token) or UNK for token in tokens]"}).because(
        "You encode `<pad>` as 3, because its id 0 counts as false in `… or …`. Pass the default to `get` instead.",
        "What is `0 or 3` in Python?",
    ),
    *with_question(
        "What should `encode` return for a word that is not in the vocabulary?",
        mistake(
            "unknown tokens left out", {ENCODE: "[self.ids[token] for token in tokens if token in self.ids]"}
        ).because("You leave out unknown tokens; encode them as 3, so that nothing is lost without a trace."),
        mistake("unknown tokens become padding", {"token, UNK": "token, PAD"}).because(
            "You encode unknown tokens as 0, which is padding; encode them as 3."
        ),
        mistake("an error for unknown tokens", {"self.ids.get(token, UNK)": "self.ids[token]"}).because(
            "You raise an error for an unknown token; encode it as 3."
        ),
        mistake(
            "unknown tokens learned",
            {
                f"return {ENCODE}": "for token in tokens:\n"
                "            if token not in self.ids:\n"
                "                self.ids[token] = len(self.tokens)\n"
                "                self.tokens.append(token)\n"
                "        return [self.ids[token] for token in tokens]"
            },
        ).because("You give an unknown token a new id, for which a model has no row; encode it as 3."),
        mistake("bos and eos added", {ENCODE: f"[1, *{ENCODE}, 2]"}).because(
            "You add bos and eos; encode only the tokens, and leave that to the caller."
        ),
        mistake("no ids for special tokens", {"enumerate(self.tokens)}": "enumerate(self.tokens) if i > 3}"}).because(
            "You encode `<eos>` as unknown; use its own id."
        ),
    ),
    *with_question(
        "What should `decode` return for the ids 1, 6, 2?",
        mistake("special tokens left out", {DECODE: "[self.tokens[i] for i in ids if i > 3]"}).because(
            "You leave out special tokens; keep them, and let the caller decide."
        ),
        *(
            mistake(f"{token} left out", {DECODE: f"[self.tokens[i] for i in ids if i not in {ids}]"}).because(
                f"You leave out {what} when you decode; keep every token, and let the caller decide."
            )
            for token, ids, what in (
                ("padding", (0,), "`<pad>`"),
                ("bos and eos", (1, 2), "`<bos>` and `<eos>`"),
                ("the unknown", (3,), "`<unk>`"),
                ("padding, bos and eos", (0, 1, 2), "`<pad>`, `<bos>` and `<eos>`"),
            )
        ),
        mistake("decoded up to eos", {DECODE: "[self.tokens[i] for i in [*ids, 2][: [*ids, 2].index(2)]]"}).because(
            "You stop decoding at `<eos>`; decode every id, and let the caller decide."
        ),
        mistake("joined text", {DECODE: '" ".join(self.tokens[i] for i in ids)'}).because(
            "You return one string; return a list of tokens."
        ),
    ),
    *with_question(
        "What type does `encode` return, and what is the size of the vocabulary?",
        mistake(
            "a tensor of ids",
            {ENCODE: "torch.tensor([self.ids.get(token, UNK) for token in tokens], dtype=torch.int64)"},
        ).because(
            "You return a tensor; return a list of ints, because lists of different lengths do not fit in a tensor yet."
        ),
        mistake(
            "another name for tokens",
            {name: name.replace("tokens", "words") for name in ("self.tokens =", "(self.tokens)}", LEN, DECODE)},
        ).because("Your list of tokens has another name; call it `tokens`."),
        mistake("length without special tokens", {LEN: "return len(self.tokens) - 4"}).because(
            "Your len() leaves out the special tokens; count them, because they have ids."
        ),
    ),
    overwrites(
        "token_lists",
        {IDS: f"{IDS}\n        for tokens in token_lists:\n            tokens.clear()"},
        "the text is gone.",
        "the lists emptied",
    ),
)
