"""Stage 10: short scene descriptions in English, and the same in German; a language that is made, from real grammar.

A sentence has one translation, so that what a model says is right or wrong. Word for word no translation comes out:
German changes the article, the adjective and the noun with gender, number and case, puts the finite verb second or, in
a subordinate clause, last, and what belongs to it at the end of the sentence.

The sentences are as translation systems take them: cut into words, a comma being one, without a capital at the
beginning and a point at the end. German nouns and the names of English days keep theirs.
"""

import functools
import random
import zlib
from collections.abc import Iterator
from typing import NamedTuple

from course_lib.tasks.caption_sentences import Draw, Pair, Sentence, clauses_of, things_of

SHORTEST, LONGEST = 3, 16  # words of a sentence, in both languages; a comma is a token and no word
RESERVED = 12  # of so many combinations of two words one is kept from the training sentences


def combinations(sentence: Sentence) -> Iterator[tuple[str, str]]:
    """The pairs of words that belong together: an adjective and its noun, a verb and its object."""
    for clause in clauses_of(sentence):
        things = things_of(clause)
        if clause.verb:
            for thing in things:
                yield clause.verb.english, thing.noun.english
        for thing in (clause.subject, *things):
            for one in (thing, thing.owner) if thing.owner else (thing,):
                for adjective in one.adjectives:
                    yield adjective.english, one.noun.english


@functools.cache
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
    draw, seen, known = Draw(random.Random(seed)), set(), set()  # seen: sentences of both languages
    parts: tuple[list[Pair], list[Pair]] = ([], [])
    while len(parts[0]) < train or len(parts[1]) < validation + test:
        sentence, is_early = draw.sentence(), len(parts[0]) < train
        is_held_out = any(map(is_reserved, combinations(sentence)))
        if is_early == is_held_out:
            continue
        pair = sentence.pair()
        lengths = [len(words) - words.count(",") for words in pair]
        texts = {" ".join(words) for words in pair}
        is_new = seen.isdisjoint(texts) and min(lengths) >= SHORTEST and max(lengths) <= LONGEST
        if not is_new or (is_held_out and not known.issuperset(pair[0] + pair[1])):
            continue
        seen |= texts
        if not is_held_out:
            known.update(pair[0] + pair[1])
        parts[is_held_out].append(pair)
    return Split(parts[0][:train], parts[1][:validation], parts[1][validation : validation + test])
