"""Vocabulary(token_lists, min_freq=1): ids for tokens, and the way back."""

import torch

import course_lib.text.vocabulary as reference
from autograder.catalogue.checks import is_true
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise, common_criterion
from autograder.catalogue.results import read_text
from autograder.catalogue.words.shared import below, holds, same, shuffled
from autograder.catalogue.words.vocabulary_mistakes import ENCODE, IDS, MISTAKES, TOKENS

SPECIAL = ["<pad>", "<bos>", "<eos>", "<unk>"]
FIRST, FREQUENT, TIES, RARE = (
    "the ids 0 to 3",
    "the frequent tokens first",
    "equal ones in alphabetical order",
    "min_freq",
)
ONE_ID, ENCODED, DECODED, FORM = (
    "no token has two ids",
    "encode",
    "decode",
    "`tokens`, their number, and ids that are ints",
)


def text(g, counts, special=(), **settings):
    """A text in which random words occur as often as `counts` says, in lists of different lengths."""
    letters = shuffled(g)
    words = [letters[i] + shuffled(g)[: below(g, 6)] for i in range(len(counts))]
    tokens = [token for token, count in zip(words, counts, strict=True) for _ in range(count)] + [*special]
    tokens = [tokens[i] for i in torch.randperm(len(tokens), generator=g).tolist()]
    cuts = [0, 3, 4, 4, 9, len(tokens)]
    lists = [tokens[start:end] for start, end in zip(cuts, cuts[1:], strict=False)]
    asked = [words[2], "<eos>", words[0], words[1], words[2], "<pad>"]
    return {"token_lists": lists, "asked": asked, "ids": [1, 2]} | settings


def capitals(g):
    """One word with a capital letter and without: together they would be the most frequent."""
    word, other = ("".join(shuffled(g, letters)[:4]) for letters in ("abcdefg", "hijkmno"))
    tokens = [word.capitalize()] * 3 + [other] * 4 + [word] * 2
    asked = [word.capitalize(), word, other.capitalize(), other]
    return {"token_lists": [tokens[:4], tokens[4:]], "asked": asked, "ids": [1, 2]}


def of_text(tokens):
    return [token for token in tokens if token not in SPECIAL]


def which(tokens):
    return sorted(of_text(tokens))


def first_four(tokens):
    return tokens[:4]


def are_places(encoded, tokens, asked):
    return encoded == [tokens.index(token) if token in tokens else 3 for token in asked]


def all_differ(tokens):
    return len({*tokens}) == len(tokens)


def are_tokens(decoded, tokens, ids):
    return decoded == [tokens[i] for i in ids]


def is_length(number, tokens):
    return number == len(read_text(tokens))


class WithLists:
    """No dict: lists that are searched."""

    def __init__(self, lists, min_freq=1):
        self.tokens = [*SPECIAL]
        every = [token for tokens in lists for token in tokens]
        for count in range(len(every), min_freq - 1, -1):
            self.tokens += sorted(t for t in {*every} - {*self.tokens} if every.count(t) == count)

    def __len__(self):
        return len(self.tokens)

    def encode(self, words):
        return [self.tokens.index(word) if word in self.tokens else 3 for word in words]

    def decode(self, numbers):
        return list(map(self.tokens.__getitem__, numbers))


def encoded_as(case):
    return holds(case, ("encoded", "tokens"), are_places, "an id is not the index of its token, or 3", ("asked",))


SPECIAL_WORDS = ["<pad>"] * 4 + ["<unk>", "<bos>", "<eos>", "<eos>"]

VOCABULARY = Exercise(
    id="Vocabulary",
    title="The vocabulary",
    reference=reference.Vocabulary,
    cases=(
        Case("a text", lambda g: text(g, (3, 11, 5, 13, 2, 7, 4), ids=[1, 6, 4, 0, 3, 5, 6, 2])),
        Case("equal counts", lambda g: text(g, (3,) * 13)),
        Case("min_freq 3", lambda g: text(g, (2, 7, 3, 1, 4, 5, 6), min_freq=3, asked=[])),
        Case("min_freq left out", lambda g: text(g, (1, 3, 1, 2, 1), asked=[])),
        Case("special tokens in the text", lambda g: text(g, (2, 5, 3), special=SPECIAL_WORDS)),
        Case("unknown tokens", lambda g: text(g, (2, 5, 3)) | {"asked": ["never seen", "<bos>", "", "nor this"]}),
        Case("capital letters", capitals),
        Case("nothing", lambda g: {"token_lists": [[], []], "asked": [], "ids": []}),
    ),
    criteria=(
        Criterion(FIRST, 0.5, same("a text", "tokens", first_four)),
        Criterion(FREQUENT, 1, *(same(case, "tokens", of_text) for case in ("a text", "capital letters"))),
        Criterion(TIES, 0.5, same("equal counts", "tokens", of_text)),
        Criterion(RARE, 0.5, *(same(case, "tokens", which) for case in ("min_freq 3", "min_freq left out"))),
        Criterion(ONE_ID, 0.25, holds("special tokens in the text", ("tokens",), all_differ, "a token has two ids")),
        Criterion(
            ENCODED,
            0.5,
            *(encoded_as(case) for case in ("a text", "unknown tokens", "capital letters")),
            same("nothing", "encoded"),
        ),
        Criterion(
            DECODED,
            0.25,
            holds(
                "a text",
                ("decoded", "tokens"),
                are_tokens,
                "decode does not return the tokens at these indices",
                ("ids",),
            ),
            same("nothing", "decoded"),
        ),
        Criterion(
            FORM,
            0.25,
            same("a text", "form"),
            is_true("a text", ["named"], bool, "there is no attribute `tokens`"),
            is_true("a text", ["number", "tokens"], is_length, "len() is not the number of tokens"),
        ),
        common_criterion(0.25),
    ),
    mistakes=MISTAKES,
    right_variants=(
        WithLists,
        right(
            "sorted twice, ids by zip",
            {
                TOKENS: "self.tokens = list(SPECIAL) + sorted(sorted(seen), key=counts.get, reverse=True)",
                IDS: "self.ids = dict(zip(self.tokens, range(len(self.tokens))))",
                ENCODE: "[self.ids[token] if token in self.ids else self.ids['<unk>'] for token in tokens]",
            },
        ),
    ),
)
