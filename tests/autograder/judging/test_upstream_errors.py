"""An answer that fails because of another one says which."""

import pytest

from autograder.judging.judge import Verdict
from autograder.judging.upstream_errors import with_upstream_errors

BLOCK = "class Block(Base):\n    def __init__(self):\n        self.norm = Norm(3)"
STUB = "class Block(Norm):\n    def __init__(self):\n        raise NotImplementedError"


def looked_at(source, norm, status="wrong", misconception=None):
    verdict = Verdict("Block", "A block", status, (), misconception=misconception, message="It differs.")
    return with_upstream_errors(
        verdict, ["class Norm: pass", source], {"Norm": norm, "Block": status, "Other": "wrong"}
    )


@pytest.mark.parametrize("norm", ["wrong", "partial", "error", "not_attempted"])
def test_an_answer_that_calls_a_wrong_one_points_to_it(norm):
    assert looked_at(BLOCK, norm).message == "It calls your Norm, which is not right yet: look there first. It differs."


def test_several_are_listed():
    verdict = Verdict("Block", "A block", "wrong", (), message="It differs.")
    calls = "class Block:\n    def __init__(self):\n        self.parts = A(), B(), C()"
    seen = with_upstream_errors(verdict, [calls], {"A": "wrong", "B": "error", "C": "not_attempted"})
    assert seen.message == "It calls your A, B and C, which are not right yet: look there first. It differs."


def test_it_is_found_behind_a_helper():
    source = "def make(): return Norm(3)\nclass Block:\n    def __init__(self):\n        self.norm = make()"
    assert "your Norm" in looked_at(source, "wrong").message


def test_a_written_answer_that_an_unwritten_one_ends_has_been_attempted():
    assert looked_at(BLOCK, "not_attempted", status="not_attempted").status == "error"


@pytest.mark.parametrize(
    ("source", "norm", "given"),
    [
        (BLOCK, "right", {}),
        (BLOCK, "wrong", {"status": "right"}),
        (BLOCK, "wrong", {"misconception": "no residual"}),
        (STUB, "wrong", {"status": "not_attempted"}),
        ("class Block: pass", "wrong", {}),
        ("def Block(:", "wrong", {}),
    ],
)
def test_nobody_else_is_blamed_without_cause(source, norm, given):
    seen = looked_at(source, norm, **given)
    assert (seen.message, seen.status) == ("It differs.", given.get("status", "wrong"))
