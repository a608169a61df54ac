"""Answers that share passages: found under other names and in another order, not where everybody wrote the same."""

import re

from autograder.report.page import write_report
from autograder.report.winnowing import COMMON, GRAM, WINDOW, fingerprints, sharing

STAGE = "01_attention"
STUB = "def padding_mask(lengths, max_len=None):\n    raise NotImplementedError\n"
MINE = '''\
def padding_mask(lengths, max_len=None):
    """Mine."""
    longest = max(lengths) if max_len is None else max_len  # the longest
    table = []
    for length in lengths:
        row = [place < length for place in range(longest)]
        table.append(row)
    return torch.tensor(table, dtype=torch.bool)
'''
MOVED = """\
def padding_mask(sizes, max_len=None):
    out, n = [], max_len
    if n is None:
        n = int(torch.as_tensor(sizes).amax())
    for size in sizes:
        line = [j < size for j in range(n)]
        out.append(line)
    return torch.tensor(out, dtype=torch.bool)
"""
OTHER = """\
def padding_mask(lengths, max_len=None):
    lengths = torch.as_tensor(lengths)
    if max_len is None:
        max_len = lengths.amax().item()
    return torch.arange(max_len).unsqueeze(0) < lengths.unsqueeze(1)
"""


def pairs(known=(STUB,), **answers):
    return sharing([(student, "padding_mask", "code", source) for student, source in answers.items()], known)


def test_a_renamed_loop_among_other_lines_is_found_with_its_lines():
    (pair,) = pairs(ann=MINE, bob=MOVED, cy=OTHER)
    assert pair.students == ("ann", "bob")
    (found,) = pair.passages
    assert found.sources == (MINE, MOVED)
    assert found.lines[0] >= {5, 6, 7, 8}
    assert found.lines[1] >= {5, 6, 7, 8}
    assert not found.lines[1] & {2, 3, 4}
    assert 0.3 <= found.share < 1


def test_what_the_release_or_the_reference_has_does_not_count():
    assert pairs(known=(STUB, MINE), ann=MINE, bob=MINE.replace("table", "rows")) == []


def test_lines_of_the_release_are_not_marked_within_a_passage():
    stub = MINE.replace("    table = []\n", "    #: one row per length\n").partition("    for ")[0]
    mine = MINE.replace("    table = []\n", "    #: one row per length\n    table = []\n")
    (pair,) = sharing([(s, "padding_mask", "code", mine) for s in ("ann", "bob")], [stub], [stub])
    assert pair.passages[0].lines == (frozenset(range(5, 10)),) * 2


def test_what_many_wrote_does_not_count_and_what_few_wrote_does():
    many = {f"student-{number}": MINE for number in range(COMMON + 1)}
    assert pairs(**many) == []
    many.popitem()
    assert len(pairs(**many)) == COMMON * (COMMON - 1) // 2


def test_every_passage_of_gram_and_window_tokens_is_found_and_none_shorter_than_a_gram():
    shared = [f"1{n}" for n in range(GRAM + WINDOW - 1)]
    one = " ".join(["2"] * 29 + shared + ["3"] * 31)
    for before in range(7):
        other = " ".join(["4"] * (17 + before) + shared + ["5"] * 37)
        assert fingerprints(one).keys() & fingerprints(other).keys()
    short = " ".join(["4"] * 17 + shared[: GRAM - 1] + ["5"] * 37)
    assert not fingerprints(one).keys() & fingerprints(short).keys()


def test_written_answers_are_compared_by_words():
    essay = "The variance of a sum of d products grows with d and the softmax saturates so its gradient vanishes"
    answers = [("ann", "why", "markdown", essay), ("bob", "why", "markdown", "I think:\n\n" + essay.upper() + " .")]
    (pair,) = sharing(answers, ["Write your answer here"])
    assert pair.passages[0].lines == (frozenset({1}), frozenset({3}))


def test_what_cannot_be_read_is_compared_as_far_as_it_can_and_an_empty_answer_with_nothing():
    broken = MINE + "    return (\n"
    (pair,) = pairs(ann=broken, bob=broken, cy="", di="\x00", eve='"""')
    assert pair.students == ("ann", "bob")


def test_the_report_ranks_the_pairs_and_a_page_shows_both_answers_side_by_side(course, grade):
    grade("ann", answers={"padding_mask": MINE})
    grade("<bob>", answers={"padding_mask": MOVED.replace("size", "size_")})
    grade("cy", answers={"padding_mask": OTHER})
    page, _ = write_report(course, STAGE)
    text = page.read_text("utf-8")
    assert 'href="01_attention-similar.html"' in text
    assert "Shares passages with &lt;bob&gt; (<code>padding_mask</code>)." in text
    assert "Shares passages with ann (<code>padding_mask</code>)." in text
    shown = page.with_name("01_attention-similar.html").read_text("utf-8")
    assert shown.count("<pre") == 2
    assert "<mark>        row = [place &lt; length for place in range(longest)]</mark>" in shown
    assert not re.search("<script|<bob", shown)
    grade("<bob>", answers={"padding_mask": OTHER})
    grade("cy")
    write_report(course, STAGE)
    assert not page.with_name("01_attention-similar.html").exists()
