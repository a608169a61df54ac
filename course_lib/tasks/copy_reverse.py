"""Stage 12: a language whose sentences must be copied or reversed, to see how much one vector can carry."""

import torch

PAD, BOS, EOS, COPY, REVERSE = range(5)
FIRST_LETTER = 5  # the letters come after the five special tokens


def copy_reverse(
    size: int, lengths: tuple[int, int], letters: int = 20, seed: int = 0
) -> tuple[torch.Tensor, torch.Tensor]:
    """Random sentences: a first word that says what to do, then letters; and the answers.

    Args:
        size: N, sentences.
        lengths: the fewest and the most letters; each number between them is equally likely.
        letters: how many different ones there are. The vocabulary has five tokens more.
        seed: the same seed gives the same data.

    Returns:
        sources [N, high + 1], `COPY` or `REVERSE` and the letters, and targets [N, high + 1], the letters as they are
        or backwards and `EOS`. Both are int64, and filled up with `PAD`.

    Raises:
        ValueError: the lengths are not 1 ≤ low ≤ high; the message has both.

    >>> sources, targets = copy_reverse(2, lengths=(3, 3), letters=7, seed=3)
    >>> sources.tolist()
    [[4, 5, 11, 7], [4, 9, 10, 5]]
    >>> targets.tolist()
    [[7, 11, 5, 2], [5, 10, 9, 2]]
    """
    low, high = lengths
    if not 1 <= low <= high:
        raise ValueError(f"lengths must be 1 ≤ low ≤ high, not ({low}, {high})")
    generator = torch.Generator().manual_seed(seed)
    length = torch.randint(low, high + 1, (size, 1), generator=generator)
    task = torch.randint(COPY, REVERSE + 1, (size, 1), generator=generator)
    words = torch.randint(FIRST_LETTER, FIRST_LETTER + letters, (size, high), generator=generator)
    place = torch.arange(high + 1)  # [high + 1]
    backwards = (length - 1 - place[:-1]).clamp(min=0)  # [N, high]
    answer = torch.where(task == REVERSE, words.gather(1, backwards), words)
    inside = place < length  # [N, high + 1]
    sources = torch.cat([task, words.masked_fill(~inside[:, :-1], PAD)], dim=1)
    targets = torch.cat([answer, torch.full((size, 1), PAD)], dim=1).masked_fill(~inside, PAD)
    return sources, targets.masked_fill(place == length, EOS)
