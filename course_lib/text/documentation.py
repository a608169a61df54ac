"""A real text that comes with every Python: what `help()` says about the language."""

import re
from functools import cache


@cache
def documentation() -> tuple[tuple[str, ...], ...]:
    """The sentences of Python's own documentation, each as its words and punctuation marks.

    They differ a little from one version of Python to the next; in 3.11 they are 3,718, with 90,761 tokens.

    >>> "expression" in {token for sentence in documentation() for token in sentence}
    True
    """
    from pydoc_data.topics import topics  # half a megabyte

    paragraphs = (part for name in sorted(topics) for part in re.split(r"\n\s*\n", topics[name]))
    sentences = (one for paragraph in paragraphs for one in re.split(r"(?<=[.:?])\s+", paragraph))
    cut = (tuple(re.findall(r"\w+|[^\w\s]", sentence)) for sentence in sentences)
    return tuple(dict.fromkeys(tokens for tokens in cut if tokens))  # each once: topics repeat each other
