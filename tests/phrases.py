"""Phrases that a native speaker would not write, and what to write instead: tests hold every message and page to it."""

import re

INSTEAD = {
    r"\b(?:is|are|was|were|be|what is|that is) due\b(?! (?:to|on|at|by)\b)|\bwhere \S+ is due\b": "expected",
    r"\basked for (?:is|are)\b|(?:is|are) asked for\b": "required; “return X”",
    r"\bslips?\b": "known mistake",
    r"\b(?:is|are|was|were|do|does|did|done|written|told|had|set|goes?|named) otherwise\b": "differently",
    r"\bbelongs? into\b": "belongs in",
    r"\b(?:mend|mends|mended|remedy|remedies)\b": "fix",
    r"\banew\b": "again; from scratch",
    r"\bonce more\b": "again",
    r"\bwhoever\b": "anyone who; “if you …”",
    r"\bnobody['’]s\b|\bnames nobody\b": "say what is missing",
    r"\blikeliest\b|\blikelier\b": "most likely; more likely",
    r"\bshared? out\b|\bshares out\b": "split, distribute",
    r"\bhand(?:s|ed)? (?:on|over)\b": "pass",
    r"\bof above\b|\bfrom above\b": "above",
    r"\bas it comes\b": "plain",
    r"\bhas no influence\b": "doesn't affect",
    r"\banother one after\b": "is changed by",
    r"\bas they are meant\b|\bas it is meant to\b": "correctly",
    r"\bborn\b": "initial",
    r"\bby heart\b": "memorised",
    r"\bin so many words\b": "literally",
    r"\b(?:hour|day|minute|second)s? and a half\b": "two and a half hours",
    r"\bis to be\b|\bare to be\b": "must be; the imperative",
    r"\balso (?:when|where|if|for)\b": "even if; too",
    r"\bof its own accord\b|\bof one['’]s own\b": "its own",
    r"\btakes? up where\b": "resumes",
    r"\bthe wrong way round\b|\bturned round\b": "inverted; reversed",
    r"\bit is the \w+ that\b": "an imperative",
    r"\bwhat came\b": "the input; what you got",
    r"\bgives? other numbers\b": "gives different numbers",
    r"\bstands? (?:there|in two|in the|at the|for whom|behind|before|after|above|below|here)\b": "is, appears",
    r"(?<!there )\bis no (?!longer|more|less|such|need|point|way|other|better|worse|lower|higher|larger)\w+": "isn't a",
}


def translated(text: str) -> list[str]:
    """The phrases of a text that should go, each with what to write instead.

    >>> translated("The mask belongs into the first layer.")
    ['“belongs into” → belongs in']
    """
    return [
        f"“{match[0]}” → {write}" for find, write in INSTEAD.items() for match in re.finditer(find, text, re.IGNORECASE)
    ]
