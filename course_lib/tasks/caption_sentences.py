"""The sentences of the caption language: what a sentence is made of, and how one is drawn."""

import functools
import itertools
import random
from collections.abc import Sequence
from typing import NamedTuple

from course_lib.tasks.caption_grammar import (
    POSSESSIVES,
    Adjective,
    Clause,
    Determiner,
    Noun,
    NounPhrase,
    Phrase,
    Verb,
    tidy,
)
from course_lib.tasks.caption_words import (
    ADJECTIVES,
    CONJUNCTIONS,
    DETERMINERS,
    FRAMES,
    HABITUAL,
    LASTING,
    MODALS,
    NOT_A,
    NOT_ANY,
    NOUNS,
    NOW,
    PLACES,
    PLANNED,
    TIMES,
    WAYS,
    WEATHER,
    Complement,
    Frame,
)

SUBJECTS = (*("the", "the", "a", "a", "a", "bare", "bare"), *DETERMINERS)  # determiners, the common ones several times
COMMON = tuple(name for name in SUBJECTS if name != "no")
# *no man is carrying every bag* would leave open what is meant
OF_NONE = ("the", "the", "a", "a", "this", "bare", "two")
OF_PLACE = ("the", "the", "a", "a", "this", "two")
OF_MASS = ("bare", "bare", "the", "this")
ACTORS = frozenset({"person", "animal"})

Words = list[str]
Pair = tuple[Words, Words]  # English, German


class Sentence(NamedTuple):
    """A main clause, and perhaps a subordinate one: a conjunction with a clause, or with a word about the weather."""

    main: Clause
    conjunction: tuple[str, str] | None = None
    subordinate: Clause | None = None
    weather: tuple[str, str] = ("", "")
    subordinate_is_first: bool = False

    def pair(self) -> Pair:
        """The sentence in English and in German."""
        english = self.main.english()
        if not self.conjunction:
            return english, tidy(self.main.german())
        clause = self.subordinate
        english_clause = [self.conjunction[0], *(clause.english() if clause else self.weather[0].split())]
        german_clause = [self.conjunction[1], *(clause.german("last") if clause else self.weather[1].split())]
        if self.subordinate_is_first:
            return [*english_clause, ",", *english], tidy([*german_clause, ",", *self.main.german("first")])
        return [*english, *english_clause], tidy([*self.main.german(), ",", *german_clause])


class Draw:
    """Draws sentences from a random generator."""

    def __init__(self, rng: random.Random):
        self.random = rng.random

    def sentence(self) -> Sentence:
        while not reads_well(sentence := self.any_sentence()):
            pass
        return sentence

    def any_sentence(self) -> Sentence:
        main = self.clause(self.noun_phrase(ACTORS, SUBJECTS))
        if self.happens(0.15):
            return Sentence(main._replace(subject=self.described(main.subject)))
        if not self.happens(0.3):
            return Sentence(main)
        first, conjunction = self.happens(0.4), self.one_of(CONJUNCTIONS)
        if first:
            main = main._replace(front="subject")
        if self.happens(0.15):
            return Sentence(main, conjunction, weather=self.one_of(WEATHER), subordinate_is_first=first)
        same = not first and self.happens(0.6) and has_pronoun(main.subject)
        subject = main.subject if same else self.noun_phrase(ACTORS, SUBJECTS)
        clause = self.clause(subject, has_time=not main.time[0])
        clause = clause._replace(front="subject", subject_form="pronoun" if same else "full")
        return Sentence(main, conjunction, clause, subordinate_is_first=first)

    def clause(self, subject: NounPhrase, is_short: bool = False, has_time: bool = True) -> Clause:
        """A main clause about the subject; a short one does not say when and where."""
        time = self.one_of(TIMES) if has_time and not is_short and self.happens(0.3) else ("", "")
        if self.happens(0.12):
            state = self.one_of(self.one_of(states_of(subject.noun.kinds)))
            time = ("", "") if state.english in LASTING or time not in NOW else time
            return Clause(subject, state=state, time=time, front=self.front(time, ()))
        frame = self.one_of(frames_of(subject.noun.kinds))
        modal = self.modal(subject) if time in PLANNED or self.happens(0.2) else None
        is_simple = time in HABITUAL or (not time[0] and self.happens(0.3))
        phrases = self.objects(frame, subject)
        is_negated = any(one.noun_phrase.is_negated for one in phrases)
        adverb = ("", "")
        if frame.adverbs and not modal and not is_negated and self.happens(0.3):
            adverb = self.one_of(frame.adverbs)
        is_anywhere = frame.goes_somewhere or (len(phrases) < 2 and not is_short and self.happens(0.4))
        if is_anywhere:
            used = frozenset((frame.verb.prefix, *[phrase.preposition for phrase in phrases]))
            places = WAYS if frame.goes_somewhere else places_without(used)
            phrases.append(self.phrase(self.one_of(places), subject))
        front = self.front(time, phrases[-1:] if is_anywhere and not frame.goes_somewhere else ())
        return Clause(subject, frame.verb, None, modal, adverb, time, tuple(phrases), front, is_simple=is_simple)

    def modal(self, subject: NounPhrase) -> Verb:
        """A verb like *can*; *no man must* would leave open what is meant."""
        return self.one_of([one for one in MODALS if not (subject.is_negated and one.negated)])

    def front(self, time: tuple[str, str], places: list[Phrase]) -> str:
        """What stands first in a main clause."""
        return self.one_of(["subject", *(["time"] if time[0] else []), *(["place"] if places else [])])

    def objects(self, frame: Frame, subject: NounPhrase) -> list[Phrase]:
        """What something is done to; what is done to one thing may be denied, of a subject that is not all or none."""
        is_denied = (
            [bool(one.preposition) for one in frame.objects] == [False]
            and subject.determiner not in (DETERMINERS["no"], DETERMINERS["every"], DETERMINERS["all"])
            and self.happens(0.08)
        )
        if not is_denied:
            return [self.phrase(complement, subject) for complement in frame.objects]
        complement = frame.objects[0]
        denied = self.noun_phrase(complement.kinds)
        is_mass = "drink" in denied.noun.kinds
        return [Phrase(*complement[:3], denied._replace(determiner=NOT_ANY if is_mass else NOT_A))]

    def phrase(self, complement: Complement, subject: NounPhrase) -> Phrase:
        """What something is done to, or where, which is told more simply; a thing may be a person's own."""
        if complement.english_preposition:
            return Phrase(*complement[:3], self.noun_phrase(complement.kinds, OF_PLACE))
        noun_phrase = self.noun_phrase(complement.kinds, OF_NONE if subject.is_negated else COMMON)
        if not noun_phrase.noun.kinds & {*ACTORS, "drink"}:
            if "person" in subject.noun.kinds and has_pronoun(subject) and self.happens(0.15):
                noun_phrase = noun_phrase._replace(determiner=possessive(subject))
            elif self.happens(0.15):
                owner = self.noun_phrase(frozenset({"person"}), ("the",))
                noun_phrase = noun_phrase._replace(determiner=DETERMINERS["the"], owner=owner)
        return Phrase(*complement[:3], noun_phrase)

    def noun_phrase(self, kinds: frozenset[str], determiners: tuple[str, ...] = COMMON) -> NounPhrase:
        """A noun of one of these kinds, with one of these determiners and at most two adjectives."""
        noun = self.one_of(nouns_of(kinds))
        is_mass = "drink" in noun.kinds
        is_plural = not is_mass and self.happens(0.35)
        fitting = determiners_of(is_plural, OF_MASS if is_mass else determiners)
        lines = self.one_of(some_lines_of(noun.kinds, self.one_of((0, 0, 0, 1, 1, 2))))
        return NounPhrase(noun, is_plural, self.one_of(fitting), tuple(map(self.one_of, lines)))

    def described(self, noun_phrase: NounPhrase) -> NounPhrase:
        """With a relative clause: what it does, *who is reading*, or what is done to it, *whom a boy is drawing*."""
        if self.happens(0.7):
            clause = self.clause(noun_phrase, is_short=True)._replace(subject_form="gap")
        else:
            frame = self.one_of(frames_with(noun_phrase.noun.kinds))
            clause = Clause(self.noun_phrase(frame.subjects), frame.verb, is_simple=self.happens(0.3))
        return noun_phrase._replace(relative=clause)

    def one_of(self, things: Sequence):
        return things[int(self.random() * len(things))]

    def happens(self, probability: float) -> bool:
        return self.random() < probability


def reads_well(sentence: Sentence) -> bool:
    """Whether its clauses say different things, and at most one of them is negated."""
    clauses = clauses_of(sentence)
    said = [(clause.state or clause.verb).english.split()[0] for clause in clauses]  # *dream* and *dream of* are one
    spoken = [thing for one in clauses for thing in ([one.subject] * (one.subject_form == "full") + things_of(one))]
    is_said_of_nobody = sentence.main.subject.is_negated and any(one.subject_form == "pronoun" for one in clauses)
    return len(said) == len(set(said)) and sum(one.is_negated for one in spoken) <= 1 and not is_said_of_nobody


@functools.cache
def frames_of(kinds: frozenset[str]) -> list[Frame]:
    """The verbs that have a subject of these kinds."""
    return [frame for frame in FRAMES if frame.subjects & kinds]


@functools.cache
def frames_with(kinds: frozenset[str]) -> list[Frame]:
    """The verbs that can have a noun of these kinds as their only object, in the accusative."""
    objects = [[(one.preposition, one.case, bool(one.kinds & kinds)) for one in frame.objects] for frame in FRAMES]
    return [frame for frame, found in zip(FRAMES, objects, strict=True) if found == [("", "acc", True)]]


@functools.cache
def nouns_of(kinds: frozenset[str]) -> list[Noun]:
    return [noun for noun in NOUNS if noun.kinds & kinds]


@functools.cache
def states_of(kinds: frozenset[str]) -> list[list[Adjective]]:
    """The lines of adjectives that say how somebody of these kinds is."""
    return [line for _, suits, line in ADJECTIVES if suits <= ACTORS and suits & kinds]


@functools.cache
def places_without(prepositions: frozenset[str]) -> list[Complement]:
    """The places that begin with none of these prepositions."""
    return [place for place in PLACES if place.preposition not in prepositions]


@functools.cache
def some_lines_of(kinds: frozenset[str], count: int) -> list[tuple[list[Adjective], ...]]:
    """Every choice of so many lines of adjectives that suit nouns of these kinds, of different sorts, in order."""
    lines = [(sort, line) for sort, suits, line in ADJECTIVES if suits & kinds]
    chosen = itertools.combinations(lines, min(count, len({sort for sort, _ in lines})))
    return [tuple(line for _, line in some) for some in chosen if len({sort for sort, _ in some}) == len(some)]


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


def clauses_of(sentence: Sentence) -> list[Clause]:
    """The main clause, the subordinate one, and the relative clauses about their subjects."""
    clauses = [clause for clause in (sentence.main, sentence.subordinate) if clause]
    return clauses + [clause.subject.relative for clause in clauses if clause.subject.relative]


def things_of(clause: Clause) -> list[NounPhrase]:
    """What a clause is about besides its subject."""
    return [phrase.noun_phrase for phrase in clause.phrases]
