"""Comparing two records of the same case."""

import re

from autograder.catalogue.raised import raises_itself
from autograder.catalogue.results import close
from autograder.protocol.sentences import OTHER_NAMES

CLASS = re.compile(r"<class '(?:\w+\.)*(\w+)'>")  # a class is the same one wherever it is defined
OF_TRACING = ("TracerBoolConversionError", "TracerArrayConversionError")  # their messages name the argument besides
TRACED_SHAPE = re.compile(
    r"(?<=Shapes must be 1D sequences of concrete values)[\s\S]*"
)  # a trace of the student's lines
NAMES_OF_PARTS = re.compile(r"\w+\.")  # "self_attn." in "self_attn.qkv_proj.weight"


def error_type(record: dict) -> str | None:
    return record["error"]["type"] if "error" in record else None


def dtypes(record: dict) -> dict[str, str]:
    """The dtype of each output; nothing for an error."""
    return {name: str(array.dtype) for name, array in record.get("tensors", {}).items()}


def agree(actual: dict, other: dict, kinds: bool = False, tolerance: float | None = None) -> bool:
    """Two records say the same: the same error, or the same numbers (and booleans) under the same names.

    `tolerance`: that of a case in which numbers may be further off than elsewhere.
    """
    if "error" in actual or "error" in other:
        return error_type(actual) == error_type(other)
    mine, theirs = actual["tensors"], other["tensors"]
    return mine.keys() == theirs.keys() and all(
        close(mine[name], theirs[name], max(1e-4, tolerance or 0))
        and not (kinds and (mine[name].dtype == bool) != (theirs[name].dtype == bool))
        for name in theirs
    )


def differs(record: dict, expected: dict) -> bool:
    """It is not the answer, in what the answer consists of: some answers say less than a record does."""
    if "error" in record or "error" in expected:
        return not agree(record, expected)
    held = {name: record["tensors"][name] for name in expected["tensors"] if name in record["tensors"]}
    return not agree({"tensors": held}, expected, kinds=True)


def may_agree(actual: dict, other: dict, tolerance: float | None = None) -> bool:
    """They agree, or the other one ended in an error, so there is nothing to compare."""
    return "error" in other or agree(actual, other, tolerance=tolerance)


def says_the_same(actual: dict, other: dict, expected: dict) -> bool:
    """Two errors have the same message; if an error is expected, the words are the student's, or a tracer lacks the
    values that the code reads, the kind is enough.

    Two `ParameterMismatch`es are the same if the names end alike, whatever the parts are called, or if both are about
    other names only.
    """
    if "error" not in actual or "error" not in other or "error" in expected:
        return True
    mine, theirs = actual["error"], other["error"]
    if mine["type"] in OF_TRACING:
        return mine["type"] == theirs["type"]
    if mine["type"] == "ParameterMismatch":
        alike = NAMES_OF_PARTS.sub("", mine["message"]) == NAMES_OF_PARTS.sub("", theirs["message"])
        return alike or all(error["message"].startswith(OTHER_NAMES) for error in (mine, theirs))
    texts = [TRACED_SHAPE.sub("", CLASS.sub(r"\1", error["message"])) for error in (mine, theirs)]
    return texts[0] == texts[1] or raises_itself(mine.get("line", ""))
