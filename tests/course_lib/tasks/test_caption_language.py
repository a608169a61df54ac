import random

import pytest

from course_lib.tasks.caption_grammar import CASES, noun_form
from course_lib.tasks.caption_language import caption_language, combinations, is_reserved
from course_lib.tasks.caption_sentences import Draw
from course_lib.tasks.caption_words import ADJECTIVES, CONJUNCTIONS, FRAMES, MODALS, NOUNS, TIMES

FINITE = {"ist", "sind"} | {form for one in MODALS for form in (one.infinitive, one.third)}
FINITE |= {form for one in MODALS if one.negated for form in (one.negated.infinitive, one.negated.third)}
FINITE |= {form for one in FRAMES for form in (one.verb.infinitive, one.verb.third)}
FINITE_LAST = FINITE | {one.verb.prefix + form for one in FRAMES for form in (one.verb.infinitive, one.verb.third)}


@pytest.fixture(scope="module")
def split():
    return caption_language(train=4_000, validation=100, test=200)


@pytest.fixture(scope="module")
def everything(split):
    return [pair for part in split for pair in part]


def test_both_languages_have_four_hundred_words_and_sentences_of_3_to_16(everything):
    for side in zip(*everything, strict=True):
        assert len({word for words in side for word in words}) >= 400
        lengths = [sum(word != "," for word in words) for words in side]
        assert (min(lengths), max(lengths)) == (3, 16)


def test_no_sentence_is_in_two_parts_and_each_has_one_translation_both_ways(everything):
    english, german = ([" ".join(words) for words in side] for side in zip(*everything, strict=True))
    assert len(set(english)) == len(set(german)) == len(everything)


def test_the_words_of_the_test_are_known_and_its_combinations_are_new(split):
    draw, found = Draw(random.Random(0)), {}
    while len(found) < 12_000:
        sentence = draw.sentence()
        found.setdefault(" ".join(sentence.pair()[0]), sentence)
    has_new = {text: any(map(is_reserved, combinations(sentence))) for text, sentence in found.items()}
    parts = [[" ".join(english) for english, _ in part] for part in split]
    assert not any(has_new[text] for text in parts[0])
    assert all(has_new[text] for text in parts[1] + parts[2])
    known = {word for pair in split.train for words in pair for word in words}
    assert all(known.issuperset(english + german) for english, german in split.test)


def test_an_adjective_and_noun_kept_back_meet_in_no_training_sentence(split):
    adjectives = {one.english for _, _, line in ADJECTIVES for one in line}
    met, new = (
        {(a, b) for words, _ in part for a, b in zip(words, words[1:], strict=False) if a in adjectives}
        for part in (split.train, split.test)
    )
    assert len(new - met) > 20


def test_behind_a_time_in_front_comes_the_finite_verb(everything):
    times = [german.split() for _, german in TIMES]
    behind = [words[len(time)] for _, words in everything for time in times if words[: len(time)] == time]
    assert len(behind) > 200
    assert set(behind) <= FINITE


def test_a_subordinate_clause_ends_with_its_finite_verb(everything):
    conjunctions = {german for _, german in CONJUNCTIONS}
    ends = []
    for _, words in everything:
        clauses = " ".join(words).split(" , ")
        ends += [clause.split()[-1] for clause in clauses if clause.split()[0] in conjunctions]
    assert len(ends) > 500
    assert set(ends) <= FINITE_LAST | {"regnet", "schneit", "scheint"}


def test_a_contraction_is_followed_by_the_weak_ending_and_two_commas_never_meet(everything):
    stems = {one.stem for _, _, line in ADJECTIVES for one in line if one.stem}
    seen = set()
    for _, words in everything:
        assert words[0] != "," != words[-1]
        for first, second in zip(words, words[1:], strict=False):
            assert (first, second) != (",", ",")
            if first in ("im", "am", "vom", "zum", "zur") and second[0].islower() and second not in ("rosa", "lila"):
                seen.add(first)
                assert second.endswith("en")
                assert second[:-2] in stems
            if first in ("in", "an", "von", "zu"):
                assert second not in ("dem", "das"), f"{first} {second}"
    assert seen >= {"im", "am", "vom", "zum"}


def test_nothing_but_nouns_and_days_has_a_capital(everything):
    nouns = {noun_form(one, plural, case) for one in NOUNS for plural in (False, True) for case in CASES}
    times = {word for _, german in TIMES for word in german.split() if word.istitle()} | {"Sonne"}
    german = {word for _, words in everything for word in words if word[0].isupper()}
    assert german <= nouns | times


def test_the_same_seed_gives_the_same_sentences_and_another_one_others():
    first, again, other = (caption_language(50, 5, 5, seed=seed) for seed in (3, 3, 4))
    assert first == again
    assert first.train != other.train
