"""Word vectors to look up in: a few made by hand, whose axes have names, and real ones where they are installed."""

import importlib.util
from collections.abc import Sequence
from pathlib import Path

import torch

AXES = ("money", "water", "place", "doing")
BY_HAND = {
    "bank": (1.2, 1.2, 1.4, 0.0),
    "money": (2.0, 0.0, 0.1, 0.0),
    "loan": (1.7, 0.0, 0.0, 0.5),
    "lends": (1.3, 0.0, 0.0, 1.6),
    "river": (0.0, 2.0, 0.5, 0.0),
    "shore": (0.0, 1.5, 1.3, 0.0),
    "swims": (0.0, 1.3, 0.0, 1.7),
    "house": (0.3, 0.0, 2.0, 0.0),
    "she": (0.1, 0.1, 0.1, 0.6),
    "the": (0.1, 0.1, 0.1, 0.1),
    "to": (0.0, 0.0, 0.3, 0.2),
}
WEIGHTS, PIECES = "weights/l2_supercat_256.safetensors", "tokenizers/l2_supercat_tokenizer_config.json"


def by_hand(words: Sequence[str]) -> torch.Tensor:
    """The rows of the table made by hand [len(words), 4], whose columns are `AXES`."""
    return torch.tensor([BY_HAND[word] for word in words])


def learned(words: Sequence[str]) -> torch.Tensor | None:
    """The vectors of the package wordllama, [len(words), 256]; None if it is not installed.

    A word that its tokenizer cuts has the mean of its pieces. The files are read without the package itself, whose
    loader asks the network for what it has.

    Source: wordllama 0.4, whose table was distilled from that of a large language model; MIT licence.
    """
    found = importlib.util.find_spec("wordllama")
    if found is None:
        return None
    import tokenizers
    from safetensors.torch import load_file

    folder = Path(found.origin).parent
    table = load_file(folder / WEIGHTS)["embedding.weight"].float()  # [V, 256]
    tokenizer = tokenizers.Tokenizer.from_file(str(folder / PIECES))
    pieces = (tokenizer.encode(word, add_special_tokens=False).ids for word in words)
    return torch.stack([table[ids].mean(dim=0) for ids in pieces])
