"""Stage 10: short scene descriptions in English, and the same in German; a language that is made, from real grammar.

A sentence has one translation, so that what a model says is right or wrong. Word for word no translation comes out:
German changes the article, the adjective and the noun with gender, number and case, puts the finite verb second or, in
a subordinate clause, last, and what belongs to it at the end of the sentence.

The sentences are as translation systems take them: cut into words, a comma being one, without a capital at the
beginning and a point at the end. German nouns and the names of English days keep theirs.
"""

import functools
import itertools
import random
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from course_lib.tasks.caption_grammar import POSSESSIVES, Adjective, Clause, Determiner, Noun, NounPhrase, Phrase, tidy
from course_lib.tasks.caption_words import (
    ADJECTIVES,
    CONJUNCTIONS,
    DETERMINERS,
    FRAMES,
    MODALS,
    NOUNS,
    PLACES,
    TIMES,
    WAYS,
    WEATHER,
    Complement,
    Frame,
)

SHORTEST, LONGEST = 4, 16  # words of a sentence, in both languages; a comma is a token and no word
RESERVED = 12  # of so many combinations of two words one is kept from the training sentences
COMMON = (*("the", "the", "a", "a", "a", "bare", "bare"), *DETERMINERS)  # determiners, the common ones several times
OF_PLACE = ("the", "the", "a", "a", "this", "two")
OF_MASS = ("bare", "bare", "the", "this", "no")
ACTORS = frozenset({"person", "animal"})

Words = list[str]
Pair = tuple[Words, Words]  # English, German


@dataclass(frozen=True)
class Sentence:
    """A main clause, and perhaps a subordinate one: a conjunction with a clause, or with a word about the weather."""

    main: Clause
    conjunction: tuple[str, str] | None = None
    subordinate: Clause | None = None
    weather: tuple[str, str] = ("", "")
    subordinate_is_first: bool = False

    def pair(self) -> Pair:
        """The sentence in English and in German."""
        english, german = self.main.english(), self.main.german()
        if not self.conjunction:
            return english, tidy(german)
        clause = self.subordinate
        english_clause = [self.conjunction[0], *(clause.english() if clause else self.weather[0].split())]
        german_clause = [self.conjunction[1], *(clause.german("last") if clause else self.weather[1].split())]
        if self.subordinate_is_first:
            return [*english_clause, ",", *english], tidy([*german_clause, ",", *self.main.german("first")])
        return [*english, *english_clause], tidy([*german, ",", *german_clause])


class Draw:
    """Draws sentences from a random generator."""

    def __init__(self, rng: random.Random):
        self.rng = rng

    def sentence(self) -> Sentence:
        main = self.clause(self.noun_phrase(ACTORS))
        if self.happens(0.15):
            return Sentence(replace(main, subject=self.described(main.subject)))
        if not self.happens(0.3):
            return Sentence(main)
        first, conjunction = self.happens(0.4), self.one_of(CONJUNCTIONS)
        if first:
            main = replace(main, front="subject")
        if self.happens(0.15):
            return Sentence(main, conjunction, weather=self.one_of(WEATHER), subordinate_is_first=first)
        same = not first and self.happens(0.6) and has_pronoun(main.subject)
        subject = main.subject if same else self.noun_phrase(ACTORS)
        clause = replace(self.clause(subject), front="subject", subject_form="pronoun" if same else "full")
        return Sentence(main, conjunction, clause, subordinate_is_first=first)

    def clause(self, subject: NounPhrase, is_short: bool = False) -> Clause:
        """A main clause about the subject; a short one does not say when and where."""
        time = ("", "") if is_short or not self.happens(0.3) else self.one_of(TIMES)
        if self.happens(0.12):
            lines = [line for kinds, line in ADJECTIVES if kinds <= ACTORS and kinds & subject.noun.kinds]
            state = self.one_of(self.one_of(lines))
            return Clause(subject, state=state, time=time, front=self.front(time, ()))
        frame = self.one_of(frames_of(subject.noun.kinds))
        modal = self.one_of(MODALS) if self.happens(0.2) else None
        adverb = self.one_of(frame.adverbs) if frame.adverbs and not modal and self.happens(0.3) else ("", "")
        phrases = [self.phrase(complement, subject) for complement in frame.objects]
        places = WAYS if frame.goes_somewhere else PLACES
        is_anywhere = frame.goes_somewhere or (len(phrases) < 2 and not is_short and self.happens(0.4))
        phrases += [self.phrase(self.one_of(places), subject)] if is_anywhere else []
        front = self.front(time, phrases[-1:] if is_anywhere and not frame.goes_somewhere else ())
        return Clause(subject, frame.verb, None, modal, adverb, time, tuple(phrases), front)

    def front(self, time: tuple[str, str], places: list[Phrase]) -> str:
        """What stands first in a main clause."""
        return self.one_of(["subject", *(["time"] if time[0] else []), *(["place"] if places else [])])

    def phrase(self, complement: Complement, subject: NounPhrase) -> Phrase:
        """What something is done to, or where, which is told more simply; a thing may be a person's own."""
        if complement.english_preposition:
            return Phrase(*complement[:3], self.noun_phrase(complement.kinds, OF_PLACE))
        noun_phrase = self.noun_phrase(complement.kinds)
        if not noun_phrase.noun.kinds & {*ACTORS, "drink"}:
            if "person" in subject.noun.kinds and has_pronoun(subject) and self.happens(0.15):
                noun_phrase = replace(noun_phrase, determiner=possessive(subject))
            elif self.happens(0.15):
                owner = self.noun_phrase(frozenset({"person"}), ("the",))
                noun_phrase = replace(noun_phrase, determiner=DETERMINERS["the"], owner=owner)
        return Phrase(*complement[:3], noun_phrase)

    def noun_phrase(self, kinds: frozenset[str], determiners: tuple[str, ...] = COMMON) -> NounPhrase:
        """A noun of one of these kinds, with one of these determiners and at most two adjectives."""
        noun = self.one_of(nouns_of(kinds))
        is_mass = "drink" in noun.kinds
        is_plural = not is_mass and self.happens(0.35)
        fitting = determiners_of(is_plural, OF_MASS if is_mass else determiners)
        lines = self.one_of(some_lines_of(noun, self.one_of((0, 0, 0, 1, 1, 2))))
        return NounPhrase(noun, is_plural, self.one_of(fitting), tuple(map(self.one_of, lines)))

    def described(self, noun_phrase: NounPhrase) -> NounPhrase:
        """With a relative clause: what it does, *who is reading*, or what is done to it, *whom a boy is drawing*."""
        if self.happens(0.7):
            clause = replace(self.clause(noun_phrase, is_short=True), subject_form="gap")
        else:
            frame = self.one_of(frames_with(noun_phrase.noun))
            clause = Clause(self.noun_phrase(frame.subjects), frame.verb)
        return replace(noun_phrase, relative=clause)

    def one_of(self, things: Sequence):
        return things[int(self.rng.random() * len(things))]

    def happens(self, probability: float) -> bool:
        return self.rng.random() < probability


@functools.cache
def frames_of(kinds: frozenset[str]) -> list[Frame]:
    """The verbs that have a subject of these kinds."""
    return [frame for frame in FRAMES if frame.subjects & kinds]


@functools.cache
def frames_with(noun: Noun) -> list[Frame]:
    """The verbs that can have the noun as their only object, in the accusative."""
    objects = [[(one.preposition, one.case, bool(one.kinds & noun.kinds)) for one in frame.objects] for frame in FRAMES]
    return [frame for frame, found in zip(FRAMES, objects, strict=True) if found == [("", "acc", True)]]


@functools.cache
def nouns_of(kinds: frozenset[str]) -> list[Noun]:
    return [noun for noun in NOUNS if noun.kinds & kinds]


@functools.cache
def some_lines_of(noun: Noun, count: int) -> list[tuple[list[Adjective], ...]]:
    """Every choice of so many lines of adjectives that suit the noun, in their order."""
    lines = [line for kinds, line in ADJECTIVES if kinds & noun.kinds]
    return list(itertools.combinations(lines, min(count, len(lines))))


@functools.cache
def determiners_of(is_plural: bool, names: tuple[str, ...]) -> list[Determiner]:
    """Those of the names that a noun in this number can have; what is bare has no singular, except a mass."""
    found = [DETERMINERS[name] for name in names]
    return [one for one in found if names is OF_MASS or (one.english_plural if is_plural else one.english) is not None]


def possessive(subject: NounPhrase) -> Determiner:
    """his, her, its or their; in German the gender of the noun decides."""
    english = POSSESSIVES[subject.pronoun]
    return Determiner(english, english, "sein" if subject.agreement in "mn" else "ihr", "mixed")


def has_pronoun(subject: NounPhrase) -> bool:
    """Whether both languages agree on one: a girl is she, *ein Mädchen* is *es*."""
    return subject.is_plural or subject.noun.english != "girl"


def combinations(sentence: Sentence) -> Iterator[tuple[str, str]]:
    """The pairs of words that belong together: an adjective and its noun, a verb and its object."""
    clauses = [clause for clause in (sentence.main, sentence.subordinate) if clause]
    clauses += [clause.subject.relative for clause in clauses if clause.subject.relative]
    for clause in clauses:
        things = [phrase.noun_phrase for phrase in clause.phrases]
        if clause.verb:
            yield from ((clause.verb.english, thing.noun.english) for thing in things)
        for thing in (clause.subject, *things):
            owned = [thing, thing.owner] if thing.owner else [thing]
            yield from ((adjective.english, one.noun.english) for one in owned for adjective in one.adjectives)


def is_reserved(combination: tuple[str, str]) -> bool:
    """Whether sentences with this combination are kept from the training data."""
    return zlib.crc32(" ".join(combination).encode()) % RESERVED == 0


class Split(NamedTuple):
    """Pairs of sentences as lists of words, English and German; no sentence is in two parts."""

    train: list[Pair]
    validation: list[Pair]
    test: list[Pair]


def caption_language(train: int = 60_000, validation: int = 500, test: int = 1_000, seed: int = 0) -> Split:
    """Sentences to train on, and others to validate and to test.

    Every sentence of the validation and of the test has a combination of two words, an adjective and its noun or a verb
    and its object, that no training sentence has.

    Args:
        train, validation, test: how many sentences.
        seed: the same seed gives the same sentences.
    """
    draw, seen, known = Draw(random.Random(seed)), set(), set()
    parts: tuple[list[Pair], list[Pair]] = ([], [])
    while len(parts[0]) < train or len(parts[1]) < validation + test:
        sentence = draw.sentence()
        is_held_out = any(map(is_reserved, combinations(sentence)))
        pair = sentence.pair()
        lengths = [sum(word != "," for word in words) for words in pair]
        is_new = (text := " ".join(pair[0])) not in seen and min(lengths) >= SHORTEST and max(lengths) <= LONGEST
        if not is_new or (is_held_out and (len(parts[0]) < train or not known.issuperset(pair[0] + pair[1]))):
            continue
        seen.add(text)
        if not is_held_out:
            known.update(pair[0] + pair[1])
        parts[is_held_out].append(pair)
    return Split(parts[0][:train], parts[1][:validation], parts[1][validation : validation + test])
