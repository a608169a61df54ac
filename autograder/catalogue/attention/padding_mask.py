"""padding_mask(lengths, max_len=None) → bool [B, max_len]; True = real token."""

import torch

import course_lib.model.masks as reference
from autograder.catalogue.checks import is_true, matches
from autograder.catalogue.exercise import Case, Exercise, Misconception, Property


def lengths(g, low=1, high=7):
    """Six lengths, the longest of them neither the first nor the last."""
    drawn = torch.randint(low, 6, (6,), generator=g)
    drawn[3] = torch.randint(high, high + 5, (), generator=g)
    drawn[0], drawn[1], drawn[5] = 2, low, 4
    return drawn


def padding(lengths, max_len=None, compare=torch.lt):
    """The mask with another comparison in the place of `<`."""
    positions = torch.arange(int(lengths.max()) if max_len is None else max_len)
    return compare(positions[None, :], lengths[:, None])


def inverted(lengths, max_len=None):
    return padding(lengths, max_len, torch.ge)


def one_too_many(lengths, max_len=None):
    return padding(lengths, max_len, torch.le)


def one_too_few(lengths, max_len=None):
    return padding(lengths - 1, int(lengths.max()) if max_len is None else max_len)


def max_len_ignored(lengths, max_len=None):
    return padding(lengths)


def one_column_more(lengths, max_len=None):
    return padding(lengths, int(lengths.max()) + 1 if max_len is None else max_len)


def transposed(lengths, max_len=None):
    return padding(lengths, max_len).T


def padded_on_the_left(lengths, max_len=None):
    return padding(lengths, max_len).flip(-1)


def as_numbers(lengths, max_len=None):
    return padding(lengths, max_len).float()


def as_array(lengths, max_len=None):
    return padding(lengths, max_len).numpy()


def as_wide_as(width):
    """Without max_len, a mask as wide as `width(lengths)`."""
    return lambda lengths, max_len=None: padding(lengths, width(lengths) if max_len is None else max_len)


def hidden_from_the_end(lengths, max_len=None):
    mask = torch.ones_like(padding(lengths, max_len))
    for row, length in enumerate(lengths.tolist()):
        mask[row, -(mask.shape[1] - length) :] = False
    return mask


def only_the_last_token(lengths, max_len=None):
    return padding(lengths - 1, padding(lengths, max_len).shape[1], torch.eq)


def in_order_of_length(lengths, max_len=None):
    return padding(lengths.sort(descending=True).values, max_len)


def for_the_scores(lengths, max_len=None):
    return padding(lengths, max_len)[:, None, None, :]


def by_a_loop(lengths, max_len=None):
    width = max_len or int(max(lengths))
    mask = torch.zeros(len(lengths), width, dtype=torch.bool)
    for row, length in enumerate(lengths):
        mask[row, :length] = True
    return mask


def by_cumsum(lens, max_len=None):
    width = max_len if max_len is not None else lens.max().item()
    return torch.ones(len(lens), width).cumsum(dim=1) <= lens.unsqueeze(1)


BOOLEAN = is_true(
    "lengths",
    ["mask", "tensor"],
    lambda mask, tensor: mask.dtype == bool and tensor,
    "the mask is not a boolean tensor",
)
ALL_NUMBERS = ("real tokens", "max_len", "an empty sequence")

PADDING_MASK = Exercise(
    id="padding_mask",
    title="The padding mask",
    reference=reference.padding_mask,
    cases=(
        Case("lengths", lambda g: {"lengths": lengths(g)}),
        Case("longer ones", lambda g: {"lengths": lengths(g, high=13)}),
        Case("a longer max_len", lambda g: {"lengths": lengths(g), "max_len": 13}),
        Case("an empty sequence", lambda g: {"lengths": lengths(g, low=0), "max_len": 12}),
    ),
    properties=(
        Property("real tokens", 1, matches("lengths", "mask"), matches("longer ones", "mask")),
        Property("max_len", 1, matches("a longer max_len", "mask")),
        Property("boolean", 0.5, BOOLEAN),
        Property("an empty sequence", 0.5, matches("an empty sequence", "mask")),
    ),
    mistakes=(
        Misconception(
            "inverted mask",
            inverted,
            "Your mask marks the padding; here True means a real token.",
            "Of a sequence of length 1, which entry is True?",
            ALL_NUMBERS,
        ),
        Misconception(
            "one token too many",
            one_too_many,
            "The first padding position counts as real: positions start at 0, so a real one is < its length.",
            "A sequence of length 3 has positions 0, 1 and 2. Does yours let 3 in?",
            ALL_NUMBERS,
        ),
        Misconception(
            "one token too few",
            one_too_few,
            "The last real token is hidden.",
            "How many entries should be True in a row of length 3?",
            ("real tokens", "max_len", "an empty sequence"),
        ),
        Misconception(
            "max_len ignored",
            max_len_ignored,
            "The mask is as wide as the longest sequence, whatever max_len says.",
            "Where does your code use its argument `max_len`?",
            ("max_len", "an empty sequence"),
        ),
        Misconception(
            "one column more",
            one_column_more,
            "Without max_len the mask is one column wider than the longest sequence.",
            "How many positions does the longest sequence have?",
            ("real tokens",),
        ),
        Misconception(
            "rows and columns exchanged",
            transposed,
            "Your mask is [max_len, B]; the batch comes first.",
            "Which of the two axes counts the sequences?",
            ALL_NUMBERS,
        ),
        Misconception(
            "padded on the left",
            padded_on_the_left,
            "The real tokens stand at the end of your rows; here padding follows them.",
            "Which position does the first token of a sequence have?",
            ALL_NUMBERS,
        ),
        Misconception(
            "numbers instead of booleans",
            as_numbers,
            "The entries are numbers where the contract asks for booleans.",
            "What does a comparison give, before anything is done to it?",
            ("boolean",),
        ),
        Misconception(
            "an array of NumPy",
            as_array,
            "The mask is right, but it is an array of NumPy; the scores that it is to meet are tensors.",
            "Which function of torch does the same as the one of NumPy?",
            ("boolean",),
        ),
        Misconception(
            "as wide as the first sequence",
            as_wide_as(lambda lengths: int(lengths[0])),
            "Without max_len your mask is as wide as the first sequence; it is the longest that decides.",
            "Which of the lengths must the mask have room for?",
            ("real tokens",),
        ),
        Misconception(
            "as wide as the last sequence",
            as_wide_as(lambda lengths: int(lengths[-1])),
            "Without max_len your mask is as wide as the last sequence; it is the longest that decides.",
            "Which of the lengths must the mask have room for?",
            ("real tokens",),
        ),
        Misconception(
            "as wide as there are sequences",
            as_wide_as(len),
            "Without max_len your mask has a column for each sequence; it needs one for each position of the longest.",
            "What do the columns of the mask stand for?",
            ("real tokens",),
        ),
        Misconception(
            "an empty slice from the end",
            hidden_from_the_end,
            "Where nothing is to be hidden, your slice `[-0:]` takes the whole row, and all is hidden.",
            "What does `x[-n:]` give when n is 0?",
            ("real tokens",),
        ),
        Misconception(
            "the last token only",
            only_the_last_token,
            "Your mask shows the last real token alone; all that come before it are real too.",
            "Of a sequence of length 3, which entries are True?",
            ALL_NUMBERS,
        ),
        Misconception(
            "sorted by length",
            in_order_of_length,
            "You sort the lengths: row b of the mask must belong to sequence b.",
            "Whose row is the first one?",
            ALL_NUMBERS,
        ),
        Misconception(
            "more than two axes",
            for_the_scores,
            "Your mask has axes for heads and queries already; asked for is [B, max_len].",
            "How many axes has [B, max_len]?",
            ALL_NUMBERS,
        ),
    ),
    hints=(
        "Compare the positions 0, 1, 2, … [1, max_len] with the lengths [B, 1]: broadcasting makes the table.",
        "Without max_len, the longest sequence decides the width.",
    ),
    right_variants=(by_a_loop, by_cumsum),
)
