"""Stage 12: dates as people write them, and as ISO 8601 has them; read letter by letter."""

import datetime

import torch

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
FORMS = ("{day} {month} {year}", "{month} {day}, {year}", "{weekday}, {day} {short} {year}", "{day}.{number}.{year}")
PAD, BOS = 0, 1
LETTERS = ("<pad>", "<bos>", *sorted({*" ,.-0123456789", *"".join(MONTHS), *"MonTueWedThuFriSatSun"}))
LONGEST = len("September 30, 1999")  # of all forms
FIRST, LAST = datetime.date(1900, 1, 1), datetime.date(2099, 12, 31)


def write_date(date: datetime.date, form: int) -> str:
    """A date in one of the four forms.

    >>> [write_date(datetime.date(1987, 3, 5), form) for form in range(4)]
    ['5 March 1987', 'March 5, 1987', 'Thu, 5 Mar 1987', '5.3.1987']
    """
    month = MONTHS[date.month - 1]
    weekday = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")[date.weekday()]
    return FORMS[form].format(
        day=date.day, month=month, short=month[:3], number=date.month, year=date.year, weekday=weekday
    )


def letters_of(tokens: torch.Tensor) -> str:
    """The text of a row of tokens [T], without padding and without the beginning."""
    return "".join(LETTERS[token] for token in tokens.tolist() if token not in (PAD, BOS))


def tokens_of(text: str, length: int) -> list[int]:
    """The text's letters as numbers, filled up to this length."""
    return [LETTERS.index(letter) for letter in text] + [PAD] * (length - len(text))


def dates(size: int, seed: int = 0) -> tuple[torch.Tensor, torch.Tensor]:
    """Random days from 1900 to 2099, each in a random form.

    Args:
        size: N.
        seed: the same seed gives the same data.

    Returns:
        sources [N, 18], filled up with `PAD`, and targets [N, 10], both int64: places in `LETTERS`.

    >>> sources, targets = dates(2, seed=1)
    >>> [(letters_of(source), letters_of(target)) for source, target in zip(sources, targets)]
    [('20 April 1920', '1920-04-20'), ('1 May 1936', '1936-05-01')]
    """
    generator = torch.Generator().manual_seed(seed)
    days = torch.randint((LAST - FIRST).days + 1, (size,), generator=generator).tolist()
    forms = torch.randint(len(FORMS), (size,), generator=generator).tolist()
    all_dates = [FIRST + datetime.timedelta(days=day) for day in days]
    written = [write_date(date, form) for date, form in zip(all_dates, forms, strict=True)]
    sources = torch.tensor([tokens_of(text, LONGEST) for text in written])
    return sources, torch.tensor([tokens_of(date.isoformat(), 10) for date in all_dates])
