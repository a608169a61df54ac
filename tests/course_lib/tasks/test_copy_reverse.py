import pytest

from course_lib.tasks.copy_reverse import BOS, COPY, EOS, FIRST_LETTER, PAD, REVERSE, copy_reverse

SOURCES, TARGETS = (rows.tolist() for rows in copy_reverse(500, (2, 7), letters=11, seed=3))


def without(row, *tokens):
    return [token for token in row if token not in tokens]


def test_the_answer_is_the_letters_as_they_are_or_backwards():
    for source, target in zip(SOURCES, TARGETS, strict=True):
        task, *letters = without(source, PAD)
        assert without(target, PAD) == (letters if task == COPY else letters[::-1]) + [EOS]


def test_padding_stands_at_the_end_alone():
    for row in SOURCES + TARGETS:
        assert row == without(row, PAD) + [PAD] * row.count(PAD)
        assert len(row) == 8


def test_every_task_length_and_letter_comes_up_and_nothing_else():
    assert {row[0] for row in SOURCES} == {COPY, REVERSE}
    assert {len(without(row, PAD)) - 1 for row in SOURCES} == set(range(2, 8))
    letters = {token for row in SOURCES for token in row[1:]} - {PAD}
    assert letters == set(range(FIRST_LETTER, FIRST_LETTER + 11))
    assert BOS not in {token for row in TARGETS for token in row}


def test_the_seed_decides():
    assert copy_reverse(7, (1, 5), seed=2)[0].equal(copy_reverse(7, (1, 5), seed=2)[0])
    assert not copy_reverse(7, (1, 5), seed=2)[0].equal(copy_reverse(7, (1, 5), seed=4)[0])


@pytest.mark.parametrize("lengths", [(0, 3), (5, 4)])
def test_lengths_that_are_none_are_refused_with_both(lengths):
    with pytest.raises(ValueError, match=rf"1 ≤ low ≤ high, not \({lengths[0]}, {lengths[1]}\)"):
        copy_reverse(3, lengths)
