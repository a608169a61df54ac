"""The full version of the first half of stage 11: 10,662 snippets of published film reviews, half of them praise.

Source: Pang and Lee 2005, "Seeing Stars" (the sentence polarity data v1.0), as kept by the Natural Language Toolkit;
CC BY 4.0. 488 kB, downloaded once.
"""

import os
import random
import zipfile
from pathlib import Path

import torch

from course_lib.tasks.download import fetch

URL = (
    "https://raw.githubusercontent.com/nltk/nltk_data/5db857e6f7df11eabb5e5665836db9ec8df07e28/"
    "packages/corpora/sentence_polarity.zip"
)
SHA256 = "6e1ed4405b65c7eabf1d199a7f7c437091ac21da0ea7467b410a74062574566b"
FILES = ("rt-polarity.neg", "rt-polarity.pos")  # in the order of the classes 0 and 1
HELD_OUT = 1066  # snippets for validation, and as many for the test

Snippets = tuple[list[list[str]], torch.Tensor]


class PolarityUnavailable(RuntimeError):
    """The snippets are not here and cannot be downloaded; the message names data that need no network."""


def sentence_polarity(folder: Path | None = None, seed: int = 0) -> tuple[Snippets, Snippets, Snippets]:
    """Training, validation and test: each lists of words as published (lower case), and int64 [N], 1 for praise.

    Args:
        folder: where the file is kept; `COURSE_DATA` or ~/.cache/attention-workshop when it is None.
        seed: of the order; the last 2 · 1,066 of it are validation and test.

    Raises:
        PolarityUnavailable: when the file is missing and cannot be downloaded.
    """
    folder = Path(folder or os.environ.get("COURSE_DATA") or Path.home() / ".cache" / "attention-workshop")
    path = folder / "sentence_polarity" / "sentence_polarity.zip"
    try:
        fetch(URL, path, f"sha256:{SHA256}")
    except (OSError, ValueError) as error:
        raise PolarityUnavailable(
            f"the sentence polarity data is not in {folder} and could not be fetched ({error}); the generated reviews "
            "need no network: course_lib.tasks.reviews.review_language(1000)"
        ) from error
    with zipfile.ZipFile(path) as archive:
        texts = [archive.read(f"sentence_polarity/{name}").decode("latin-1") for name in FILES]
    labelled = [(line.split(), label) for label, text in enumerate(texts) for line in text.splitlines() if line.strip()]
    random.Random(seed).shuffle(labelled)
    parts = labelled[: -2 * HELD_OUT], labelled[-2 * HELD_OUT : -HELD_OUT], labelled[-HELD_OUT:]
    return tuple(([words for words, _ in part], torch.tensor([label for _, label in part])) for part in parts)
