"""How the words of the caption language become phrases and clauses, in English and in German.

Each rule is here once. Declension: the article shows gender, number and case, and where it does not (*ein*, or no
article at all) the adjective does. The order of words: the finite verb second, in a subordinate clause last; what
belongs to the verb (a prefix, an infinitive, an adjective after *sein*) at the end.

Source: Duden, *Die Grammatik*: declension of adjectives and nouns, and the German sentence bracket (Satzklammer).
"""

import re
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from course_lib.tasks.english_verbs import present, progressive, with_modal

CASES = ("nom", "acc", "dat", "gen")
ENDINGS = {  # in each case: what shows gender and number
    "m": dict(zip(CASES, ("er", "en", "em", "es"), strict=True)),
    "f": dict(zip(CASES, ("e", "e", "er", "er"), strict=True)),
    "n": dict(zip(CASES, ("es", "es", "em", "es"), strict=True)),
    "plural": dict(zip(CASES, ("e", "e", "en", "er"), strict=True)),
}
CONTRACTIONS = {
    "in dem": "im",
    "in das": "ins",
    "an dem": "am",
    "an das": "ans",
    "von dem": "vom",
    "zu dem": "zum",
    "zu der": "zur",
}
PRONOUNS = {"m": "er", "f": "sie", "n": "es", "plural": "sie"}
POSSESSIVES = {"it": "its", "he": "his", "she": "her", "they": "their"}


class Noun(NamedTuple):
    english: str
    english_plural: str
    gender: str  # m, f or n
    german: str
    german_plural: str
    is_weak: bool
    kinds: frozenset[str]


class Adjective(NamedTuple):
    english: str
    german: str
    stem: str  # what an ending is added to; "" where there is none to add: rosa, lila


class Determiner(NamedTuple):
    """A stem and how it is declined: as the article, weak (*dies-*), mixed (*ein*), strong (*viel-*), or not at all.

    The names are those of the adjective's declension behind it; behind what is not declined, the adjective is strong.
    """

    english: str | None  # None: not in the singular
    english_plural: str | None
    stem: str
    declension: str


class Verb(NamedTuple):
    english: str
    infinitive: str
    third: str  # person singular
    prefix: str = ""  # of a separable verb
    is_reflexive: bool = False
    negated: "Verb | None" = None  # what a negation makes of it: *must not* is *nicht dürfen*


class NounPhrase(NamedTuple):
    """Determiner, adjectives, noun; then perhaps whose it is, and a relative clause about it."""

    noun: Noun
    is_plural: bool
    determiner: Determiner
    adjectives: tuple[Adjective, ...] = ()
    owner: "NounPhrase | None" = None
    relative: "Clause | None" = None

    @property
    def agreement(self) -> str:
        """What goes with it: an article, a pronoun in m, f, n or plural."""
        return "plural" if self.is_plural else self.noun.gender

    @property
    def pronoun(self) -> str:
        """In English people are he or she by their sex, all others are it; in German the gender of the noun decides."""
        if self.is_plural:
            return "they"
        return {"m": "he", "f": "she", "n": "it"}[self.noun.gender] if "person" in self.noun.kinds else "it"

    @property
    def is_negated(self) -> bool:
        return self.determiner.stem == "kein"

    def english(self) -> list[str]:
        words = [adjective.english for adjective in self.adjectives]
        words.append(self.noun.english_plural if self.is_plural else self.noun.english)
        determiner = self.determiner.english_plural if self.is_plural else self.determiner.english
        if determiner == "a" and words[0][0] in "aeiou":
            determiner = "an"
        words = [determiner, *words] if determiner else words
        if self.owner:
            words += ["of", *self.owner.english()]
        if self.relative:
            words += [self._relative_pronoun(), *self.relative.english()]
        return words

    def _relative_pronoun(self) -> str:
        if "person" not in self.noun.kinds:
            return "that"
        return "who" if self.relative.subject_form == "gap" else "whom"

    def german(self, case: str) -> list[str]:
        """A relative clause comes between commas; of two commas in a row, and at an end, `tidy` removes one."""
        determiner, shows_case = decline(self.determiner, self.agreement, case)
        words = [inflect(adjective, self.agreement, case, shows_case) for adjective in self.adjectives]
        words = [*([determiner] if determiner else []), *words, noun_form(self.noun, self.is_plural, case)]
        if self.owner:
            words += self.owner.german("gen")
        if self.relative:
            pronoun = article(self.agreement, "nom" if self.relative.subject_form == "gap" else "acc")
            words += [",", pronoun, *self.relative.german("last"), ","]
        return words


def article(agreement: str, case: str) -> str:
    """The definite article, which is also the relative pronoun where it is subject or direct object.

    >>> [article("n", case) for case in CASES]
    ['das', 'das', 'dem', 'des']
    """
    ending = ENDINGS[agreement][case]
    return "die" if ending == "e" else "das" if ending == "es" and case != "gen" else "d" + ending


def decline(determiner: Determiner, agreement: str, case: str) -> tuple[str, bool]:
    """The determiner in its form, and whether this form shows the case, so that the adjective need not."""
    ending = ENDINGS[agreement][case]
    if determiner.declension == "article":
        return article(agreement, case), True
    if determiner.declension == "mixed" and (agreement, case) in {("m", "nom"), ("n", "nom"), ("n", "acc")}:
        return determiner.stem, False
    if determiner.declension == "none":
        return determiner.stem, False
    return determiner.stem + ending, determiner.declension != "strong"


def inflect(adjective: Adjective, agreement: str, case: str, article_shows_case: bool) -> str:
    """The adjective before its noun."""
    if not adjective.stem:
        return adjective.german
    if article_shows_case:
        is_plain = case == "nom" or (case == "acc" and agreement in "fn")
        return adjective.stem + ("e" if is_plain and agreement != "plural" else "en")
    if case == "gen" and agreement in "mn":  # there the noun shows it: (der Geschmack) kalten Wassers
        return adjective.stem + "en"
    return adjective.stem + ENDINGS[agreement][case]


def noun_form(noun: Noun, is_plural: bool, case: str) -> str:
    """The noun in its form: *den Hunden*, *des Hundes*, *den Bären*."""
    if is_plural:
        return noun.german_plural + ("n" if case == "dat" and noun.german_plural[-1] not in "ns" else "")
    if noun.is_weak and case != "nom":
        return noun.german_plural
    if case != "gen" or noun.gender == "f":
        return noun.german
    return genitive(noun.german)


@cache
def genitive(german: str) -> str:
    """Of a noun that is strong, and not feminine.

    >>> [genitive(german) for german in ("Hund", "Fuchs", "Apfel")]
    ['Hundes', 'Fuchses', 'Apfels']
    """
    is_one_syllable = re.fullmatch("[^aeiouyäöü]*[aeiouäöü]+[^aeiouyäöü]+", german.lower())
    return german + ("es" if is_one_syllable or german[-1] in "sßxz" else "s")


class Phrase(NamedTuple):
    """A noun phrase in the case that a verb or a preposition asks for."""

    english_preposition: str
    preposition: str
    case: str
    noun_phrase: NounPhrase

    def english(self) -> list[str]:
        return [*self.english_preposition.split(), *self.noun_phrase.english()]

    def german(self) -> list[str]:
        words = self.noun_phrase.german(self.case)
        if not self.preposition:
            return words
        both = f"{self.preposition} {words[0]}"
        is_article = self.noun_phrase.determiner.declension == "article"
        return [*(CONTRACTIONS.get(both, both) if is_article else both).split(), *words[1:]]


class Clause(NamedTuple):
    """Who does what, how, when and where; or, with a state instead of the verb, how somebody is.

    A clause is negated when one of its phrases is: German says so with *kein* there, English with *not* at the verb.

    Attributes:
        subject: who. subject_form: "full", "pronoun", or "gap" in a relative clause about the subject.
        verb: what is done. state: an adjective after *be*, where there is no verb.
        modal: a verb like *can*.
        adverb, time: English and German, how and when.
        phrases: objects, and where.
        front: what comes before the verb: "subject", "time", or "place", which is the last of the phrases.
        is_simple: English in the simple present, *sleeps*, and not the progressive, *is sleeping*. German has one form.
    """

    subject: NounPhrase
    verb: Verb | None = None
    state: Adjective | None = None
    modal: Verb | None = None
    adverb: tuple[str, str] = ("", "")
    time: tuple[str, str] = ("", "")
    phrases: tuple[Phrase, ...] = ()
    front: str = "subject"
    subject_form: str = "full"
    is_simple: bool = False

    @property
    def is_negated(self) -> bool:
        """Whether the verb is, in English; not where the subject is *no man*."""
        return any(phrase.noun_phrase.is_negated for phrase in self.phrases)

    def english(self) -> list[str]:
        subject = self._subject(self.subject.pronoun, self.subject.english)
        phrases = [phrase.english() for phrase in self.phrases]
        front, rest = self._front(phrases, self.time[0].split())
        time_last = [] if self.front == "time" else self.time[0].split()
        return [*front, *subject, *self._english_verb(), *flat(rest), *time_last]

    def german(self, finite_verb: str = "second") -> list[str]:
        """The words, the finite verb being "first" (after a subordinate clause), "second", or "last" (in one)."""
        subject = self._subject(PRONOUNS[self.subject.agreement], lambda: self.subject.german("nom"))
        finite, end = self._german_verb()
        sich = ["sich"] if self.verb and self.verb.is_reflexive else []
        front, rest = self._front([phrase.german() for phrase in self.phrases], self.time[1].split())
        time = [] if self.front == "time" else self.time[1].split()
        middle = [*time, *self.adverb[1].split(), *flat(rest)]
        behind = [*sich, *subject] if self.subject_form == "full" else [*subject, *sich]  # behind verb or conjunction
        if finite_verb == "last":
            is_one_word = self.verb and self.verb.prefix and not self.modal
            return [*behind, *middle, *(["".join([*end, finite])] if is_one_word else [*end, finite])]
        if finite_verb == "second" and self.front == "subject":
            return [*subject, finite, *sich, *middle, *end]
        return [*front, finite, *behind, *middle, *end]

    def _subject(self, pronoun: str, words: Callable[[], list[str]]) -> list[str]:
        """Its words, made only where they are said; or the pronoun; or nothing."""
        return words() if self.subject_form == "full" else [pronoun] if self.subject_form == "pronoun" else []

    def _front(self, phrases: list[list[str]], time: list[str]) -> tuple[list[str], list[list[str]]]:
        """What stands first, the subject apart, and the phrases that remain."""
        if self.front == "place":
            return phrases[-1], phrases[:-1]
        return (time if self.front == "time" else []), phrases

    def _english_verb(self) -> list[str]:
        is_plural, adverb, negation = self.subject.is_plural, self.adverb[0].split(), ["not"] * self.is_negated
        be = "are" if is_plural else "is"
        if self.state:
            return [be, self.state.english]
        if self.modal:
            return with_modal(self.modal.english, self.verb.english, is_plural, self.is_negated)
        if not self.is_simple:
            return [be, *negation, *adverb, *progressive(self.verb.english)]
        if negation:
            return ["do" if is_plural else "does", "not", *self.verb.english.split()]
        return [*adverb, *present(self.verb.english, is_plural)]

    def _german_verb(self) -> tuple[str, list[str]]:
        """The finite verb, and the words at the end of a main clause."""
        is_plural = self.subject.is_plural
        if self.state:
            return "sind" if is_plural else "ist", [self.state.german]
        finite = self.modal or self.verb
        if self.modal and self.is_negated:
            finite = self.modal.negated or self.modal
        end = self.verb.prefix + self.verb.infinitive if self.modal else self.verb.prefix
        return finite.infinitive if is_plural else finite.third, [end] if end else []


def flat(lists: list[list[str]]) -> list[str]:
    """One list of all words."""
    return [word for words in lists for word in words]


def tidy(words: list[str]) -> list[str]:
    """Without a comma that follows another one, or that nothing follows."""
    if "," not in words:
        return words
    return [word for word, following in zip(words, [*words[1:], ","], strict=True) if (word, following) != (",", ",")]
