"""Captions with compound nouns: two of them are in no training caption, and a student's own merges cut all of them."""

import re

import pytest

from course_lib.tasks.caption_language import caption_language
from course_lib.tasks.compounds import FIRST_PARTS, HEADS, HELD_OUT, compound_task, with_compounds
from course_lib.tasks.translation import join_words
from course_lib.text.byte_pairs import apply_bpe, learn_bpe


@pytest.fixture(scope="module")
def captions():
    return [[tuple(map(join_words, pair)) for pair in part] for part in caption_language(6_000, 50, 50)]


def test_no_training_caption_has_a_held_out_word_in_either_language(captions):
    train, unseen = with_compounds(captions[0])
    german = {"schoolroom": r"Schulzimmer", "guesthouse": r"Gästeh[aä]us"}
    for word in HELD_OUT:
        assert not any(word in english or re.search(german[word], said) for english, said in train)
        assert any(word in english and re.search(german[word], said) for english, said in unseen)


def test_the_parts_of_a_held_out_word_are_in_other_training_words(captions):
    train, _ = with_compounds(captions[0])
    words = {word.strip(",") for english, _ in train for word in english.split()}
    for word in HELD_OUT:
        first = next(part for part in FIRST_PARTS if word.startswith(part))
        head = word.removeprefix(first)
        assert {first + other for other in HEADS} & words
        assert {other + head for other in FIRST_PARTS if other != first} & words


def test_a_longer_noun_changes_nothing_else():
    train, _ = with_compounds([("two big books lie in the garden", "zwei große Bücher liegen im Garten")])
    assert ("two big workbooks lie in the garden", "zwei große Arbeitsbücher liegen im Garten") in train
    firsts = {english.split()[2].removesuffix("books") for english, _ in train}
    assert firsts == {"", "guest", "hand", "school", "work"}


def test_a_task_reads_and_writes_pieces_and_a_word_that_it_has_never_seen(captions):
    task, unseen = compound_task(captions, num_merges=150)
    for english, german in unseen[:20]:
        assert task.source.decode(task.source.encode(english)) == english
        assert task.target.decode(task.target.encode(german)) == german


def test_own_merges_and_own_cuts_are_used(captions):
    calls = []

    def learn(counts, number):
        calls.append(number)
        return learn_bpe(counts, number)

    def apply(word, merges):
        calls.append(word)
        return apply_bpe(word, merges)

    task, _ = compound_task(captions, 20, learn, apply)
    assert calls.count(20) == 2
    task.source.encode("a snowgarden")
    assert "snowgarden" in calls
