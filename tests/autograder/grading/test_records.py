"""What is remembered between runs: by content, whole or not at all."""

import pytest

from autograder.grading.records import Records

RESULT = {"submission": {"score": 3.5}, "notebook": "{}"}


@pytest.fixture
def records(tmp_path):
    return Records(tmp_path, "01_attention", "context")


def test_a_result_is_found_by_what_was_graded(records):
    records.keep(records.key("a notebook"), RESULT)
    assert records.result(records.key("a notebook")) == RESULT
    assert records.result(records.key("another")) is None


def test_another_context_has_other_results(records, tmp_path):
    records.keep(records.key("a notebook"), RESULT)
    other = Records(tmp_path, "01_attention", "answers have changed")
    assert other.result(other.key("a notebook")) is None


def test_a_note_holds_for_the_very_file_alone(records):
    records.note_done("ada", b"file", {"score": 3})
    assert records.done("ada", b"file") == {"score": 3}
    assert records.done("ada", b"file ") is None
    assert records.done("bob", b"file") is None


def test_a_note_holds_under_the_circumstances_that_it_names(records):
    records.note_done("ada", b"file", {"score": 3}, "handed in on Monday")
    assert records.done("ada", b"file", "handed in on Monday") == {"score": 3}
    assert records.done("ada", b"file", "handed in on Tuesday") is None
    assert records.done("ada", b"file") == {"score": 3}


def test_what_is_forgotten_is_not_done(records):
    records.note_done("ada", b"file", {"score": 3})
    for _ in range(2):
        records.forget("ada")
        assert records.done("ada", b"file") is None


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[]", b'{"of": 3}'])
def test_a_damaged_note_or_result_counts_as_none(records, tmp_path, content):
    records.note_done("ada", b"file", {"score": 3})
    records.keep("abcdef", RESULT)
    for path in tmp_path.rglob("*.json"):
        path.write_bytes(content)
    assert records.done("ada", b"file") is None
    assert records.result("abcdef") is None


def test_an_unfinished_file_is_never_read(records, monkeypatch):
    records.keep("abcdef", RESULT)
    monkeypatch.setattr("pathlib.Path.replace", lambda *_: (_ for _ in ()).throw(OSError("power failure")))
    with pytest.raises(OSError, match="power failure"):
        records.keep("abcdef", RESULT | {"notebook": "half"})
    assert records.result("abcdef") == RESULT
