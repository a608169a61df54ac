import re

import numpy as np
import pytest

from autograder.catalogue.results import Finding
from autograder.judging.verdict import STATUSES, CriterionVerdict, Verdict
from autograder.practice.card import WORDS, html_card, text_card
from autograder.practice.card_errors import Complaint
from autograder.practice.hints import Hint

DUE = np.array([[0.25, 0.75], [0.5, 0.5], [0.125, 0.875]])
OFF = Finding("attention is off by up to 0.6125", "batch", "attention", DUE, DUE + np.array([0, 0.6125]))
HINTS = (Hint("the `mask`", "first"), Hint("", "second"), Hint("how low?", "third"))
HOSTILE = "<script>alert(1)</script>"


def verdict(status="partial", finding=OFF, **details):
    criteria = (CriterionVerdict("values", finding is None, 3, finding), CriterionVerdict("any batch", True, 1.5))
    options = {"message": f"values: {finding.text}." if finding else ""}
    return Verdict("attend", status, criteria, **(options | details))


def named(**details):
    return verdict(known_mistake="no scaling", message="It grows.", question="How wide?", **details)


def words_of(card):
    return re.sub(r"\s+", " ", re.sub(r"<style>.*?</style>|<[^>]*>", " ", card, flags=re.S))


def test_met_and_not_met_are_words_not_only_colours():
    words = words_of(html_card(verdict()))
    assert "✗ not met values 0 / 3 the output attention is off by up to 0.6125" in words
    assert "✓ met any batch 1.5 / 1.5" in words
    assert "Criteria met (2)" in words_of(html_card(verdict("right", None)))


def test_an_output_whose_name_is_a_plural_is_one_output():
    weights = Finding("weights has shape [2], expected [3]", "batch", "weights")
    assert "the output `weights` has shape [2], expected [3]" in text_card(verdict(finding=weights))
    assert "<td>the output <code>weights</code> has shape [2]" in html_card(verdict(finding=weights))
    hidden = text_card(verdict(finding=weights), practice=False)
    assert "the output `weights` differs from the expected result, case “batch”" in hidden


def test_expected_and_actual_stand_beside_each_other_as_maps():
    card = html_card(verdict())
    assert card.count('role="img"') == 2
    assert 'aria-label="expected: attention[:, :], a heat map; at [0, 1] expected 0.75, actual 1.363"' in card


def test_only_the_entries_that_differ_are_marked():
    assert html_card(verdict()).count('class="off"') == 3


def test_feedback_on_hidden_cases_has_no_number_of_theirs():
    for card in (html_card(verdict(), practice=False), text_card(verdict(), practice=False)):
        assert "values" in card
        assert not re.search(r"0\.6125|0\.75|1\.36|off by", card)


def test_feedback_on_hidden_cases_keeps_the_misconception_and_its_question():
    words = words_of(html_card(named(), practice=False))
    assert "No scaling. It grows. Ask yourself: How wide?" in words


def test_feedback_hides_what_an_error_said_and_where_to_see_it_is_told():
    stopped = Finding("ValueError: the hidden input was 0.4321")
    card = html_card(verdict("error", stopped), practice=False)
    assert "0.4321" not in card
    assert "Run <code>check</code>" in card


def test_a_sentence_of_the_engine_survives_in_feedback():
    assert "the limit on time" in html_card(verdict("timeout", message="Stopped at the limit on time."), practice=False)


def test_each_hint_is_folded_under_its_title():
    folded = re.findall(r"<details><summary>(Hint.*?)</summary>(.*?)</details>", html_card(verdict(), hints=HINTS))
    assert folded == [("Hint 1: the <code>mask</code>", "first"), ("Hint 2", "second"), ("Hint 3: how low?", "third")]
    assert "<summary>Hint</summary>second" in html_card(verdict(), hints=HINTS[1:2])


def test_a_right_answer_needs_two_lines_and_no_hint():
    card = html_card(verdict("right", None), seconds=0.127, hints=HINTS)
    assert "Hint" not in card
    assert "Checked in 0.13 s" in card
    assert "<td" not in card


def test_an_error_shows_its_line_its_meaning_and_both_columns_of_parameters():
    error = Complaint("Mismatch", "names differ", "x = y", "Read `this`.", ("one",), (), (("bias", "[7]", "—"),))
    words = words_of(html_card(verdict("error"), errors=[error]))
    for part in ("Mismatch : names differ", "(in the case one)", "x = y", "Read this .", "contract yours bias [7] —"):
        assert part in words


def test_a_criterion_that_an_error_stopped_does_not_repeat_it():
    error = Complaint("ValueError", "too wide", "", "", ("one",), ("ValueError: too wide",))
    card = html_card(verdict("wrong", Finding("ValueError: too wide")), errors=[error])
    assert "stopped by the error below" in card
    assert card.count("too wide") == 1


def test_more_than_two_errors_are_counted():
    errors = [Complaint("ValueError", f"no {number}", "", "", ("one",)) for number in range(5)]
    card = html_card(verdict("error"), errors=errors)
    assert "no 1" in card
    assert "no 2" not in card
    assert "And 3 more." in card


@pytest.mark.parametrize("practice", [True, False])
def test_nothing_of_a_submission_is_markup(practice):
    error = Complaint("Error", HOSTILE, HOSTILE, HOSTILE, (HOSTILE,), (), ((HOSTILE, HOSTILE, HOSTILE),))
    finding = Finding(HOSTILE, HOSTILE, HOSTILE, DUE, DUE + 1)
    card = html_card(verdict("wrong", finding, message=HOSTILE), practice, errors=[error])
    assert "<script" not in card
    assert html_card(named(), practice).count("<script") == 0


@pytest.mark.parametrize("status", STATUSES)
def test_every_status_has_words_in_both_forms(status):
    assert WORDS[status] in html_card(verdict(status))
    assert WORDS[status] in text_card(verdict(status))


def test_the_text_says_what_the_maps_show():
    text = text_card(verdict(), seconds=0.5, hints=HINTS)
    assert "[ ] values (0/3): the output `attention` is off by up to 0.6125" in text
    assert "at [0, 1] expected 0.75, actual 1.363" in text
    assert "Hints on the page: the `mask`; how low?" in text
    assert "first" not in text


def test_the_text_says_what_an_error_means():
    error = Complaint("Mismatch", "names differ", "x = y", "Read this.", ("one",), (), (("bias", "[7]", "—"),))
    text = text_card(verdict("error"), errors=[error])
    for part in (
        "Mismatch: names differ",
        "in this line of yours: x = y",
        "bias: expected [7], got —",
        "Read this.",
    ):
        assert part in text


def test_colours_come_from_the_theme_with_a_fallback_for_dark_pages():
    card = html_card(verdict())
    assert "var(--jp-error-color0," in card
    assert "prefers-color-scheme:dark" in card
    style = re.search(r"<style>(.*?)</style>", card, re.S)[1].replace("@media (prefers-color-scheme:dark){", "")
    assert all(".course-card" in rule for rule in style.split("\n") if "{" in rule)
