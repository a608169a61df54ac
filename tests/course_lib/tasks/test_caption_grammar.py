import pytest

from course_lib.tasks.caption_grammar import CASES, Clause, NounPhrase, Phrase, noun_form, tidy
from course_lib.tasks.caption_sentences import Sentence, possessive
from course_lib.tasks.caption_words import (
    ADJECTIVES,
    CONJUNCTIONS,
    DETERMINERS,
    FRAMES,
    MODALS,
    NOT_A,
    NOT_ANY,
    NOUNS,
    PLACES,
    TIMES,
    WAYS,
)


def noun(english):
    return next(noun for noun in NOUNS if noun.english == english)


def adjective(english):
    return next(one for _, _, line in ADJECTIVES for one in line if one.english == english)


def frame(english, who="person"):
    return next(one for one in FRAMES if one.verb.english == english and who in one.subjects)


def phrase_of(determiner, *words, plural=False, **more):
    """The noun phrase of a determiner, adjectives and a noun, all by their English names."""
    *adjectives, name = words
    return NounPhrase(noun(name), plural, DETERMINERS[determiner], tuple(map(adjective, adjectives)), **more)


def does(subject, verb, *things, **more):
    """A clause; a thing is a noun phrase, or ("in", a noun phrase) for a place or a way."""
    who = "person" if "person" in subject.noun.kinds else "animal"
    one, objects = frame(verb, who), [thing for thing in things if isinstance(thing, NounPhrase)]
    phrases = [Phrase(*complement[:3], thing) for complement, thing in zip(one.objects, objects, strict=True)]
    for english, thing in things[len(objects) :]:
        phrases.append(Phrase(*next(c for c in [*PLACES, *WAYS] if c.english_preposition == english)[:3], thing))
    return Clause(subject, one.verb, phrases=tuple(phrases), **more)


DECLENSION = """
    the man:    der alte Mann       den alten Mann      dem alten Mann      des alten Mannes
    a man:      ein alter Mann      einen alten Mann    einem alten Mann    eines alten Mannes
    no man:     kein alter Mann     keinen alten Mann   keinem alten Mann   keines alten Mannes
    this man:   dieser alte Mann    diesen alten Mann   diesem alten Mann   dieses alten Mannes
    every man:  jeder alte Mann     jeden alten Mann    jedem alten Mann    jedes alten Mannes
    the woman:  die alte Frau       die alte Frau       der alten Frau      der alten Frau
    a woman:    eine alte Frau      eine alte Frau      einer alten Frau    einer alten Frau
    this woman: diese alte Frau     diese alte Frau     dieser alten Frau   dieser alten Frau
    the child:  das alte Kind       das alte Kind       dem alten Kind      des alten Kindes
    a child:    ein altes Kind      ein altes Kind      einem alten Kind    eines alten Kindes
    no child:   kein altes Kind     kein altes Kind     keinem alten Kind   keines alten Kindes
    this child: dieses alte Kind    dieses alte Kind    diesem alten Kind   dieses alten Kindes
    the women:  die alten Frauen    die alten Frauen    den alten Frauen    der alten Frauen
    no men:     keine alten Männer  keine alten Männer  keinen alten Männern    keiner alten Männer
    all men:    alle alten Männer   alle alten Männer   allen alten Männern     aller alten Männer
    this men:   diese alten Männer  diese alten Männer  diesen alten Männern    dieser alten Männer
    many men:   viele alte Männer   viele alte Männer   vielen alten Männern    vieler alter Männer
    two men:    zwei alte Männer    zwei alte Männer    zwei alten Männern      zwei alter Männer
    bare men:   alte Männer         alte Männer         alten Männern           alter Männer
"""


@pytest.mark.parametrize("row", DECLENSION.strip().splitlines(), ids=lambda row: row.split(":")[0].strip())
def test_article_adjective_and_noun_show_gender_number_and_case_together(row):
    name, _, forms = row.strip().partition(":")
    determiner, word = name.split()
    plural = word in ("men", "women")
    phrase = phrase_of(determiner, "old", {"men": "man", "women": "woman"}.get(word, word), plural=plural)
    assert " ".join(" ".join(phrase.german(case)) for case in CASES) == " ".join(forms.split())


@pytest.mark.parametrize(
    ("drink", "adjective", "forms"),
    [
        ("tea", "hot", "heißer Tee, heißen Tee, heißem Tee"),
        ("milk", "cold", "kalte Milch, kalte Milch, kalter Milch"),
        ("water", "fresh", "frisches Wasser, frisches Wasser, frischem Wasser"),
    ],
)
def test_without_an_article_the_adjective_shows_the_case(drink, adjective, forms):
    phrase = phrase_of("bare", adjective, drink)
    assert ", ".join(" ".join(phrase.german(case)) for case in CASES[:3]) == forms


@pytest.mark.parametrize(
    ("english", "form"),
    [
        ("tall", "hohen"),
        ("dark", "dunklen"),
        ("expensive", "teuren"),
        ("sour", "sauren"),
        ("tired", "müden"),
        ("pink", "rosa"),
        ("purple", "lila"),
        ("clean", "sauberen"),
    ],
)
def test_adjectives_that_change_before_an_ending_or_have_none(english, form):
    assert NounPhrase(noun("ball"), False, DETERMINERS["the"], (adjective(english),)).german("acc")[1] == form


@pytest.mark.parametrize(
    ("english", "is_plural", "case", "form"),
    [
        ("dog", True, "dat", "Hunden"),
        ("apple", True, "dat", "Äpfeln"),
        ("woman", True, "dat", "Frauen"),
        ("car", True, "dat", "Autos"),
        ("bear", False, "acc", "Bären"),
        ("boy", False, "gen", "Jungen"),
        ("prince", False, "nom", "Prinz"),
        ("fox", False, "gen", "Fuchses"),
        ("king", False, "gen", "Königs"),
        ("tea", False, "gen", "Tees"),
        ("queen", False, "gen", "Königin"),
        ("baby", False, "gen", "Babys"),
    ],
)
def test_the_noun_takes_n_in_the_dative_plural_s_in_the_genitive_and_weak_ones_en(english, is_plural, case, form):
    assert noun_form(noun(english), is_plural, case) == form


def test_every_noun_is_capitalised_and_no_other_word_of_the_tables_is():
    assert all(one.german[0].isupper() and one.german_plural[0].isupper() for one in NOUNS if one.german_plural != "-")
    others = [one.german for _, _, line in ADJECTIVES for one in line] + [one.verb.infinitive for one in FRAMES]
    assert all(word[0].islower() for word in others)


A_MAN, A_GIRL, THE_DOG = phrase_of("a", "man"), phrase_of("a", "girl"), phrase_of("the", "dog")
APPLE, DOORS = phrase_of("a", "red", "apple"), phrase_of("the", "door", plural=True)
PARK, TABLE, HOUSE = ("in", phrase_of("the", "park")), phrase_of("a", "table"), phrase_of("the", "house")
TODAY = dict(time=TIMES[0])
OPENING = does(A_GIRL, "open", DOORS, subject_form="gap")
WORD_ORDER = {
    "the object in the accusative": (does(A_MAN, "eat", APPLE), "ein Mann isst einen roten Apfel"),
    "the verb second, behind a time": (
        does(A_MAN, "eat", APPLE, front="time", **TODAY),
        "heute isst ein Mann einen roten Apfel",
    ),
    "the verb second, before a time": (does(A_MAN, "eat", APPLE, **TODAY), "ein Mann isst heute einen roten Apfel"),
    "the verb second, behind a place": (does(THE_DOG, "sleep", PARK, front="place"), "im Park schläft der Hund"),
    "a prefix at the end": (does(A_MAN, "open", DOORS, PARK), "ein Mann macht die Türen im Park auf"),
    "an infinitive at the end": (does(A_MAN, "open", DOORS, modal=MODALS[0]), "ein Mann will die Türen aufmachen"),
    "sich behind the verb": (does(THE_DOG, "hide", PARK), "der Hund versteckt sich im Park"),
    "sich before a noun": (does(THE_DOG, "hide", front="time", **TODAY), "heute versteckt sich der Hund"),
    "where, in the dative": (does(THE_DOG, "sit", ("on", TABLE)), "der Hund sitzt auf einem Tisch"),
    "where to, in the accusative": (does(THE_DOG, "jump", ("onto", TABLE)), "der Hund springt auf einen Tisch"),
    "in das is ins": (does(THE_DOG, "run", ("into", HOUSE)), "der Hund läuft ins Haus"),
    "zu der is zur": (does(THE_DOG, "run", ("to", phrase_of("the", "church"))), "der Hund läuft zur Kirche"),
    "von dem is vom": (does(THE_DOG, "run", ("from", phrase_of("the", "lake"))), "der Hund läuft vom See"),
    "no other article melts": (
        does(THE_DOG, "run", ("into", phrase_of("this", "house"))),
        "der Hund läuft in dieses Haus",
    ),
    "a verb with the dative": (does(A_MAN, "help", phrase_of("the", "old", "woman")), "ein Mann hilft der alten Frau"),
    "the dative before the accusative": (
        does(A_MAN, "give", phrase_of("the", "child"), APPLE),
        "ein Mann gibt dem Kind einen roten Apfel",
    ),
    "a verb with a preposition": (does(A_MAN, "wait for", phrase_of("the", "boy")), "ein Mann wartet auf den Jungen"),
    "the verb in the plural": (does(phrase_of("two", "bear", plural=True), "sleep"), "zwei Bären schlafen"),
    "no ending after sein": (Clause(A_GIRL, state=adjective("tired")), "ein Mädchen ist müde"),
    "the genitive": (
        does(A_MAN, "carry", phrase_of("the", "bag", owner=phrase_of("the", "old", "king"))),
        "ein Mann trägt die Tasche des alten Königs",
    ),
    "the verb last in a relative clause": (
        Clause(phrase_of("a", "woman", relative=OPENING), state=adjective("happy")),
        "eine Frau , die die Türen aufmacht , ist glücklich",
    ),
    "the relative pronoun in a case of its own": (
        Clause(phrase_of("a", "boy", relative=Clause(A_GIRL, frame("kiss").verb)), state=adjective("happy")),
        "ein Junge , den ein Mädchen küsst , ist glücklich",
    ),
}


@pytest.mark.parametrize("rule", WORD_ORDER)
def test_word_order_and_cases(rule):
    clause, german = WORD_ORDER[rule]
    assert " ".join(tidy(clause.german())) == german


SLEEPING = does(A_GIRL, "sleep")
THEY_ARE_HIDING = does(phrase_of("the", "cat"), "hide", modal=MODALS[1], subject_form="pronoun")
SENTENCES = {
    "the verb last in a subordinate clause": (
        Sentence(does(THE_DOG, "run", ("into", HOUSE)), CONJUNCTIONS[1], does(A_MAN, "open", DOORS)),
        "the dog is running into the house while a man is opening the doors",
        "der Hund läuft ins Haus , während ein Mann die Türen aufmacht",
    ),
    "the verb first behind a subordinate clause": (
        Sentence(does(THE_DOG, "hide"), CONJUNCTIONS[0], SLEEPING, subordinate_is_first=True),
        "because a girl is sleeping , the dog is hiding",
        "weil ein Mädchen schläft , versteckt sich der Hund",
    ),
    "the modal behind its infinitive, sich behind a pronoun": (
        Sentence(does(phrase_of("the", "cat"), "run", PARK), CONJUNCTIONS[0], THEY_ARE_HIDING),
        "the cat is running in the park because it can hide",
        "die Katze läuft im Park , weil sie sich verstecken kann",
    ),
    "sein last": (
        Sentence(does(THE_DOG, "steal", APPLE), CONJUNCTIONS[2], Clause(A_GIRL, state=adjective("sad"))),
        "the dog is stealing a red apple although a girl is sad",
        "der Hund stiehlt einen roten Apfel , obwohl ein Mädchen traurig ist",
    ),
}


@pytest.mark.parametrize("rule", SENTENCES)
def test_subordinate_clauses(rule):
    sentence, english, german = SENTENCES[rule]
    assert [" ".join(words) for words in sentence.pair()] == [english, german]


@pytest.mark.parametrize(
    ("subject", "english", "german"),
    [
        ("man", "his", "seinen"),
        ("woman", "her", "ihren"),
        ("child", "its", "seinen"),
        ("cat", "its", "ihren"),
    ],
)
def test_a_possessive_has_its_stem_from_the_owner_and_its_ending_from_what_is_owned(subject, english, german):
    own = NounPhrase(noun("hat"), False, possessive(phrase_of("the", subject)))
    assert (own.english()[0], " ".join(own.german("acc"))) == (english, f"{german} Hut")


def test_an_before_a_vowel_and_plurals_by_rule():
    assert phrase_of("a", "old", "man").english() == ["an", "old", "man"]
    names = ("boy", "baby", "witch", "princess", "box", "wolf", "goose")
    plurals = ["boys", "babies", "witches", "princesses", "boxes", "wolves", "geese"]
    assert [noun(name).english_plural for name in names] == plurals


NO_BAGS = NounPhrase(noun("bag"), True, NOT_A)
NO_BAG = NounPhrase(noun("bag"), False, NOT_A, (adjective("old"),))
NO_TEA = NounPhrase(noun("tea"), False, NOT_ANY)
MUST = MODALS[2]
DENIED = {
    "in the progressive": (does(A_MAN, "carry", NO_BAG), "is not carrying an old bag", "trägt keine alte Tasche"),
    "of several": (does(A_MAN, "carry", NO_BAGS), "is not carrying any bags", "trägt keine Taschen"),
    "of a mass": (does(A_MAN, "drink", NO_TEA, is_simple=True), "does not drink any tea", "trinkt keinen Tee"),
    "must not is not nicht müssen": (
        does(A_MAN, "carry", NO_BAGS, modal=MUST),
        "must not carry any bags",
        "darf keine Taschen tragen",
    ),
    "can": (does(A_MAN, "carry", NO_BAGS, modal=MODALS[1]), "cannot carry any bags", "kann keine Taschen tragen"),
}


@pytest.mark.parametrize("name", DENIED)
def test_english_denies_at_the_verb_and_german_at_the_noun(name):
    clause, english, german = DENIED[name]
    assert " ".join(clause.english()) == f"a man {english}"
    assert " ".join(clause.german()) == f"ein Mann {german}"
