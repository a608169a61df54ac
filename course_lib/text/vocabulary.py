"""A vocabulary: which id belongs to which token."""

from collections import Counter

from course_lib.text.expect import expect

PAD, BOS, EOS, UNK = range(4)
SPECIAL = ("<pad>", "<bos>", "<eos>", "<unk>")


class Vocabulary:
    """The tokens that a model knows, each with an id.

    Args:
        token_lists: a text as lists of tokens, one per sentence.
        min_freq: a token that occurs less often is left out.

    Attributes:
        tokens: id → token. The ids 0 to 3 are `<pad>`, `<bos>`, `<eos>` and `<unk>`; then come the tokens of the text,
            the frequent ones first and equally frequent ones in alphabetical order. No token has two ids.

    `len()` is the number of ids. `encode(tokens)` gives their ids, 3 for an unknown one; `decode(ids)` gives the
    tokens, special ones like all others.

    >>> vocabulary = Vocabulary([["the", "cat", "and", "the", "dog"], ["a", "dog"]], min_freq=2)
    >>> vocabulary.tokens
    ['<pad>', '<bos>', '<eos>', '<unk>', 'dog', 'the']
    >>> vocabulary.encode(["the", "cat"]), vocabulary.decode([1, 5, 3, 2])
    ([5, 3], ['<bos>', 'the', '<unk>', '<eos>'])
    """

    def __init__(self, token_lists: list[list[str]], min_freq: int = 1):
        # BEGIN SOLUTION
        #: Count with a Counter, and leave out what is in SPECIAL: it has its id already.
        #: `sorted` with the key (−count, token) puts frequent tokens first and equal ones in alphabetical order.
        #: `encode` wants the way back as well: a dict from token to id.
        token_lists = [expect(tokens, (list, tuple), "a sentence must be a list of tokens") for tokens in token_lists]
        counts = Counter(token for tokens in token_lists for token in tokens if token not in SPECIAL)
        seen = [token for token, count in counts.items() if count >= min_freq]
        self.tokens = [*SPECIAL, *sorted(seen, key=lambda token: (-counts[token], token))]
        self.ids = {token: i for i, token in enumerate(self.tokens)}
        # END SOLUTION

    def __len__(self) -> int:
        # BEGIN SOLUTION
        return len(self.tokens)
        # END SOLUTION

    def encode(self, tokens: list[str]) -> list[int]:
        # BEGIN SOLUTION
        #: dict.get takes what to give where the key is missing.
        expect(tokens, (list, tuple), "a sentence must be a list of tokens")
        return [self.ids.get(token, UNK) for token in tokens]
        # END SOLUTION

    def decode(self, ids: list[int]) -> list[str]:
        # BEGIN SOLUTION
        return [self.tokens[i] for i in ids]
        # END SOLUTION
