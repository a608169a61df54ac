import datetime

import pytest

from course_lib.tasks.dates import BOS, LETTERS, LONGEST, MONTHS, PAD, dates, letters_of, tokens_of, write_date

FORMATS = ("%d %B %Y", "%B %d, %Y", "%a, %d %b %Y", "%d.%m.%Y")
DAYS = [datetime.date(1900, 1, 1), datetime.date(2000, 2, 29), datetime.date(2099, 9, 30)]


@pytest.mark.parametrize("form", range(4))
@pytest.mark.parametrize("day", DAYS, ids=str)
def test_python_reads_back_what_was_written(day, form):
    assert datetime.datetime.strptime(write_date(day, form), FORMATS[form]).date() == day


def test_every_pair_is_one_day_in_two_ways():
    sources, targets = dates(300, seed=3)
    assert (sources.shape, targets.shape) == ((300, LONGEST), (300, 10))
    for source, target in zip(sources, targets, strict=True):
        day = datetime.date.fromisoformat(letters_of(target))
        assert letters_of(source) in [write_date(day, form) for form in range(4)]


def test_no_date_is_longer_than_the_longest_and_every_letter_is_known():
    for month in range(1, 13):
        for form in range(4):
            text = write_date(datetime.date(1999, month, 28), form)
            assert len(text) <= LONGEST
            assert letters_of_text(text) == text
    assert len(set(LETTERS)) == len(LETTERS)
    assert (LETTERS[PAD], LETTERS[BOS]) == ("<pad>", "<bos>")
    assert len(MONTHS) == 12


def letters_of_text(text):
    return "".join(LETTERS[token] for token in tokens_of(text, LONGEST) if token != PAD)


def test_the_seed_decides():
    assert dates(7, seed=2)[0].equal(dates(7, seed=2)[0])
    assert not dates(7, seed=2)[0].equal(dates(7, seed=4)[0])
