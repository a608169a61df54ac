"""The list of messages is whole, and none of them reads as translated."""

from functools import cache

import pytest

from tests.messages import COMMANDS, docstrings, in_python, messages, pages, reads_as_prose
from tests.phrases import translated

listed = cache(messages)

ROOMS = {  # a part of a sentence of each room, in whatever form it is written
    "autograder/cli/": "Grade the submissions of a stage",  # the help of a command
    "autograder/course/": "is not empty",
    "autograder/directory/": "grace_days must be",
    "autograder/exports/": "column",
    "autograder/report/": "class",
    "autograder/repair/": "cell",
    "autograder/judging/": "answer",
    "autograder/grading/": "submission",
    "autograder/sandbox/": "memory",
    "autograder/practice/": "contract",
    "autograder/protocol/": "too large",
    "autograder/catalogue/": "Which weights",
    "autograder/practice/templates/": "criteria could be checked",
    "autograder/report/templates/": "students",
    "course_lib/": "must",
}


@pytest.mark.parametrize("room", ROOMS)
def test_the_list_has_sentences_of_every_room(room):
    assert any(message.path.startswith(room) and ROOMS[room] in message.text for message in listed())


def test_a_sentence_in_pieces_is_listed_whole():
    source = 'stop(\n    f"{path} has no "\n    "column of ids.")\n'
    assert [(message.line, message.text) for message in in_python(source)] == [(2, "{path} has no column of ids.")]


def test_docstrings_are_left_out_except_the_help_of_commands():
    source = 'def collect():\n    """Unpack what the students handed in."""\n'
    assert in_python(source, "autograder/grading/x.py") == []
    assert [message.text for message in in_python(source, COMMANDS + "x.py")] == ["Unpack what the students handed in."]


def test_code_is_no_message():
    assert not reads_as_prose("for token in tokens: yield token")
    assert not reads_as_prose("select name from students where id = 1")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("weights is float64 where float32 is due", "weights is float64, expected float32"),
        ("The token is due to be replaced.", None),
        ("Three things are otherwise.", "Three things differ."),
        ("Mend it.", "Fix it."),
        ("is no file: give the zip", "is not a file; pass the zip"),
    ],
)
def test_phrases_are_found_where_they_are(before, after):
    assert bool(translated(before)) == (after is not None)
    assert not translated(after or before)


@pytest.mark.parametrize(
    "part", ["autograder/", "course_lib/", "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/"]
)
def test_nothing_reads_as_translated(part):
    found = [message for message in [*listed(), *docstrings(), *pages()] if message.path.startswith(part)]
    assert found
    assert [(message.path, message.line, said) for message in found for said in translated(message.text)] == []
