"""A checker of German, written from a grammar book and a dictionary, and not from the tables of the caption language.

It reads a sentence from left to right, knows of each noun its gender and forms, of each verb the cases that it asks
for, and of each preposition its case; and says what does not agree. Source: Duden, *Die Grammatik*.
"""

from functools import cache
from itertools import product

from tests.course_lib.tasks.german_words import (
    ADJECTIVE_FORMS,
    ALWAYS,
    CASES,
    CASES_OF,
    CONJUNCTIONS,
    DETERMINER_FORMS,
    DETERMINERS_OF_THE,
    EITHER,
    ENDING_OF,
    LEMMAS,
    MELTED,
    MODALS,
    NOUNS,
    PRONOUNS,
    STRONG,
    UNDECLINED,
    WEATHER,
    WHEN,
    WHERE_TO,
    WITH_ACCUSATIVE,
)


class Disagreement(AssertionError):
    """What does not agree, and where."""


def noun_phrase(words):
    """The readings {(gender or p, case)} of a noun phrase at the beginning of the words, and its length; or None."""
    end = at = 1 if words and words[0] in DETERMINER_FORMS else 0
    while end < len(words) and words[end] in ADJECTIVE_FORMS:
        end += 1
    if end == len(words) or words[end] not in NOUNS:
        return None
    return _readings(tuple(words[: end + 1]), at, end), end + 1


@cache
def _readings(words, at, end):
    options = DETERMINER_FORMS[words[0]] if at else [(STRONG, where) for where in product("mfnp", CASES)]
    readings = set()
    for declension, where in options:
        ending = ENDING_OF[declension][where]
        fits = all(word in UNDECLINED or ADJECTIVE_FORMS[word] == ending for word in words[at:end])
        if fits and where in NOUNS[words[end]]:
            readings.add(where)
    if not readings:
        raise Disagreement(f"these do not agree: {' '.join(words[: end + 1])}")
    return readings


def _phrases(words):
    """[(preposition or None, readings, place)] and what is left, from left to right."""
    found, left, at = [], [], 0
    while at < len(words):
        word, rest = words[at], words[at + 1 :]
        preposition, start = None, words[at:]
        if word in MELTED:
            preposition, article = MELTED[word]
            start = [article, *rest]
        elif (word in EITHER or word in ALWAYS) and rest:
            preposition, start = word, rest
        if word in PRONOUNS:
            found.append(
                (
                    None,
                    {
                        (kind, "n")
                        for kind in ("mfn" if "s" in PRONOUNS[word] else "") + ("p" if "p" in PRONOUNS[word] else "")
                    },
                    at,
                )
            )
            at += 1
            continue
        read = noun_phrase(start)
        if read:
            length = read[1] + (1 if preposition and word not in MELTED else 0)
            if words[at + length - 1] not in WHEN.split():
                found.append((preposition, read[0], at, at + length))
            elif "d" not in {case for _, case in read[0]}:
                raise Disagreement(f"not the dative: {' '.join(words[at : at + length])}")
            at += length
        else:
            left.append(word)
            at += 1
    return [(*one, one[2] + 1) if len(one) == 3 else one for one in found], left


def _verb(left, phrases_words):
    """Lemma, number and whether it is the finite verb of the clause."""
    finite = [word for word in left if word in MODALS or word in MODALS.values()]
    candidates = [word for word in left if word in LEMMAS]
    if finite:
        number = "s" if finite[0] in MODALS else "p"
        lemmas = {
            prefix + stem
            for word in candidates
            for stem, prefix, plural in LEMMAS[word]
            if plural == "p" and word == prefix + stem
        }
        return {(lemma, number) for lemma in lemmas}
    found = set()
    for word in candidates:
        for stem, prefix, number in LEMMAS[word]:
            is_joined = prefix and word.startswith(prefix) and word not in (stem,)
            if not prefix or is_joined or prefix in left:
                found.add((prefix + stem, number))
    with_prefix = {one for one in found if any(one[0] == p + s for w in candidates for s, p, _ in LEMMAS[w] if p)}
    return with_prefix or found


def clause(words, extra=()):
    """Check one clause; `extra` is the case that a relative pronoun takes, with its number."""
    if " ".join(words) in WEATHER:
        return
    phrases, left = _phrases(words)
    problems = []
    for lemma, number in _verb(left, words) or {("?", "s")}:
        if lemma == "?":
            raise Disagreement(f"no verb is known in: {' '.join(words)}")
        problem = _problem(lemma, number, phrases, extra)
        if not problem:
            return
        problems.append(problem)
    raise Disagreement(f"{problems[0]}: {' '.join(words)}")


def _problem(lemma, number, phrases, extra):
    bare = []
    for preposition, readings, begin, end in phrases:
        if preposition is None:
            bare.append((readings, begin, end))
            continue
        case = ALWAYS.get(preposition) or ("a" if lemma in WHERE_TO or (lemma, preposition) in WITH_ACCUSATIVE else "d")
        dative = case == "a" and (lemma, preposition) in WITH_ACCUSATIVE and any(c == "d" for _, c in readings)
        if case not in {c for _, c in readings} and not dative:
            return f"{preposition} wants another case after {lemma}"
    wanted = ["n" + number, *CASES_OF[lemma]]
    for case in extra:
        if case not in wanted:
            return f"{lemma} has no place for the relative pronoun"
        wanted.remove(case)
    ends = {end for *_, end in phrases}
    for choice in product((True, False), repeat=len(bare)):
        owned = [one for one, is_owner in zip(bare, choice, strict=True) if is_owner]
        if any(begin not in ends or "g" not in {c for _, c in readings} for readings, begin, _ in owned):
            continue
        if _fits([readings for (readings, *_), is_owner in zip(bare, choice, strict=True) if not is_owner], wanted):
            return None
    return f"{lemma} ({number}) does not get its cases {wanted}"


def _fits(readings, wanted):
    if len(readings) != len(wanted):
        return False
    if not readings:
        return True
    for place, want in enumerate(wanted):
        number = want[1:]
        is_one = any(c == want[0] and (not number or (k == "p") == (number == "p")) for k, c in readings[0])
        if is_one and _fits(readings[1:], wanted[:place] + wanted[place + 1 :]):
            return True
    return False


def check(sentence):
    """Raise Disagreement where article, adjective, noun, case or verb do not agree.

    >>> check("ein alter Mann hilft der jungen Frau")
    >>> check("ein alte Mann hilft der jungen Frau")  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    german.Disagreement: these do not agree: ein alte Mann
    """
    parts = [part.split() for part in sentence.split(" , ")]
    if len(parts) > 1 and (parts[0][0] in CONJUNCTIONS or parts[1][0] in CONJUNCTIONS):
        for part in parts:
            clause(part[1:] if part[0] in CONJUNCTIONS else part)
        return
    if len(parts) > 1:
        _relative(parts[0], parts[1])
    clause(parts[0] + (parts[2] if len(parts) > 2 else []))


def _relative(before, words):
    """A relative clause: its pronoun has the gender of the noun before it, and a case of its own."""
    noun = max(at for at, word in enumerate(before) if word in NOUNS)
    kinds = {kind for kind, case in NOUNS[before[noun]]}
    problems = []
    for case in "na":
        forms = {kind: DETERMINERS_OF_THE[kind, case] for kind in kinds}
        for kind, form in forms.items():
            if form != words[0]:
                continue
            try:
                return clause(words[1:], ["n" + ("p" if kind == "p" else "s")] if case == "n" else ["a"])
            except Disagreement as problem:
                problems.append(problem)
    raise problems[0] if problems else Disagreement(f"{words[0]} does not agree with {before[noun]}")
