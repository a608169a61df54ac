"""What a reader of German or English would stumble over, counted in the pairs that the model learns from."""

import random
import re

import pytest

from course_lib.tasks.caption_language import caption_language
from tests.course_lib.tasks import german

NEGATION = re.compile(r"\bkein\w*\b")
SORTS = [  # in the order of an English dictionary for learners: opinion, size, condition, age, colour
    "friendly polite proud happy sad brave clever lazy angry strange funny beautiful famous",
    "big small tall long short",
    "hungry thirsty tired strong sick rich poor fresh ripe sour sweet cold hot expensive cheap clean dirty wet heavy "
    "broken light dark quiet lonely",
    "old young new",
    "red blue green yellow black white brown grey pink purple",
]
RANK = {word: rank for rank, words in enumerate(SORTS) for word in words.split()}
LASTING = "old|young|strong|rich|poor|clever|lazy|brave|proud"
WHEN = "today|now|tomorrow|on \\w+day|in the (?:morning|evening)|at night|in (?:spring|summer|autumn|winter)"
SAME = "(?:(?!because|while|although|if|who|whom|that)[^, ]+ )*"  # more words of the same clause
ODD = {  # name: what is looked for in the English, and in the German
    "must … no means must not": (rf"must {SAME}no\b", ""),
    "must not is muss kein": (r"must not", r"(muss|müssen) [^,]*kein"),
    "should is soll": ("", r"\b(soll|sollen)\b"),
    "des Babyes": ("", "Babyes"),
    "is doing no such thing": (rf"\b(?:is|are) \w+ing {SAME}no\b", ""),
    "a high car": (r"\bhigh\b", ""),
    "a tall vehicle": (r"tall(?: \w+){0,2} (?:cars?|bicycles?|carts?|trains?)\b", ""),
    "going on tomorrow": (
        rf"\b(?:is|are) (?:\w+ )?\w+ing (?!{SAME}(?:must|can|want|should)){SAME}(?:tomorrow|on \w+day)\b",
        "",
    ),
    "tomorrow, going on": (r"^(?:tomorrow|on \w+day) (?:(?!must|can|want|should)[^,])*$", ""),
    "old at night": (rf"\b(?:is|are) (?:{LASTING}) (?:{WHEN})", ""),
    "at night, old": (rf"^(?:{WHEN}) {SAME}(?:is|are) (?:{LASTING})(?: ,|$)", ""),
    "vor … vor": ("", r"\bvor\b[^,]*\bvor\b"),
    "hiding, is hiding": (r"\b(\w+ing) (?:is|are) \1\b", ""),
    "everybody does not": (r"^(?:every|all)\b[^,]*\bnot\b", ""),
}


@pytest.fixture(scope="module")
def pairs():
    return [[" ".join(words) for words in pair] for part in caption_language() for pair in part]


def test_article_adjective_noun_case_and_verb_agree_in_every_sentence(pairs):
    wrong = []
    for _, sentence in pairs:
        try:
            german.check(sentence)
        except german.Disagreement as problem:
            wrong.append(str(problem))
    assert len(pairs) == 61_500
    assert not wrong


@pytest.mark.parametrize("name", ODD)
def test_what_nobody_would_say_is_not_said(pairs, name):
    english, german_pattern = map(re.compile, ODD[name])
    odd = [pair for pair in pairs if english.search(pair[0]) and german_pattern.search(pair[1])]
    assert odd == []


def test_no_sentence_is_negated_twice(pairs):
    assert [text for _, text in pairs if len(NEGATION.findall(text)) > 1] == []


def test_german_denies_where_english_does(pairs):
    denied = [pair for pair in pairs if re.search(r"\b(not|cannot|no)\b", pair[0])]
    assert len(denied) > 1_000
    assert all(NEGATION.search(text) for _, text in denied)
    assert sum(bool(NEGATION.search(text)) for _, text in pairs) == len(denied)


def test_adjectives_come_in_their_order(pairs):
    wrong = [
        text
        for text, _ in pairs
        for one, other in zip(text.split(), text.split()[1:], strict=False)
        if one in RANK and other in RANK and RANK[one] >= RANK[other]
    ]
    assert wrong == []


MISTAKES = {
    "an ending": lambda text: re.sub(r"\b(\w+)en (?=[A-ZÄÖÜ])", r"\1em ", text, count=1),
    "an article": lambda text: re.sub(r"\b(der|das|ein|eine)\b(?=( [a-zäöüß]+)* [A-ZÄÖÜ])", "einem", text, count=1),
    "a gender": lambda text: re.sub(r"\b(einen|jeden|diesen) ([A-ZÄÖÜ])", r"das \2", text, count=1),
    "the number of the verb": lambda text: re.sub(r"\b(ist|will|kann|muss)\b", "sind", text, count=1),
    "a preposition's case": lambda text: re.sub(r"\b(im|vom|zum) ", "in die ", text, count=1),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_the_checker_finds_what_is_made_wrong(pairs, name):
    changed = [(text, MISTAKES[name](text)) for _, text in random.Random(0).sample(pairs, 1_500)]
    changed = [wrong for text, wrong in changed if wrong != text]
    found = 0
    for wrong in changed:
        try:
            german.check(wrong)
        except (german.Disagreement, ValueError):
            found += 1
    assert len(changed) > 20
    assert found / len(changed) > 0.9
