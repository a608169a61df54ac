"""The forms of English verbs that the caption language needs."""

import re
from functools import cache


@cache
def progressive(verb: str) -> tuple[str, ...]:
    """The form in -ing of a verb, and its particle.

    >>> [progressive(verb) for verb in ("sit down", "write", "lie", "open")]
    [('sitting', 'down'), ('writing',), ('lying',), ('opening',)]
    """
    first, *particle = verb.split()
    if first.endswith("ie"):
        first = first[:-2] + "y"
    elif first.endswith("e"):
        first = first[:-1]
    elif re.fullmatch("[^aeiou]+[aeiou][^aeiouwxy]", first):
        first += first[-1]
    return (first + "ing", *particle)


@cache
def present(verb: str, is_plural: bool) -> tuple[str, ...]:
    """The simple present of a verb in the third person, and its particle.

    >>> [present(verb, is_plural=False) for verb in ("sit down", "cry", "watch television", "play")]
    [('sits', 'down'), ('cries',), ('watches', 'television'), ('plays',)]
    >>> present("cry", is_plural=True)
    ('cry',)
    """
    first, *particle = verb.split()
    if not is_plural:
        first = re.sub("([^aeiou])ys$", r"\1ies", re.sub("(s|x|ch|sh)s$", r"\1es", first + "s"))
    return (first, *particle)


def with_modal(modal: str, verb: str, is_plural: bool, is_negated: bool) -> list[str]:
    """A modal verb and what it asks for; the negation stands where English puts it.

    >>> [" ".join(with_modal(modal, "sleep", False, True)) for modal in ("want to", "can", "must")]
    ['does not want to sleep', 'cannot sleep', 'must not sleep']
    >>> with_modal("want to", "sleep", is_plural=False, is_negated=False)
    ['wants', 'to', 'sleep']
    """
    words = verb.split()
    if modal == "want to":
        if is_negated:
            return ["do" if is_plural else "does", "not", "want", "to", *words]
        return ["want" if is_plural else "wants", "to", *words]
    if is_negated:
        return [*(["cannot"] if modal == "can" else [modal, "not"]), *words]
    return [modal, *words]
