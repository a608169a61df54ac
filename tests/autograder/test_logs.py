"""A fault of ours keeps its traceback: in the course's log, once, and without what a submission holds."""

import logging

import pytest
from typer.testing import CliRunner

from autograder import logs
from autograder.cli import app


@pytest.fixture(autouse=True)
def clean():
    """The handlers of before."""
    before = list(logs.log.handlers)
    yield
    for handler in [handler for handler in logs.log.handlers if handler not in before]:
        logs.log.removeHandler(handler)
        handler.close()
    for handler in before:
        logs.log.addHandler(handler)


def broken(message="no such thing"):
    try:
        raise KeyError(message)
    except KeyError as error:
        return error


def test_a_fault_is_kept_with_its_traceback(tmp_path):
    path = logs.keep_log(tmp_path)
    logs.fault("ada is not graded in 01_attention", broken())
    text = path.read_text("utf-8")
    assert "ERROR ada is not graded in 01_attention" in text
    assert 'test_logs.py", line' in text
    assert text.endswith("KeyError: 'no such thing'\n")


def test_what_a_message_quotes_of_a_submission_is_left_out(tmp_path):
    path = logs.keep_log(tmp_path)
    logs.fault("ada was not graded", ValueError("not valid:\n  'source': 'my essay'\n" + "x" * 900))
    assert "my essay" not in path.read_text("utf-8")
    assert max(map(len, path.read_text("utf-8").splitlines())) < 300


def test_nothing_is_written_where_nothing_happened(tmp_path):
    path = logs.keep_log(tmp_path / "course")
    logs.log.info("graded ada")
    assert not path.exists()


def test_only_the_owner_reads_it(tmp_path):
    path = logs.keep_log(tmp_path)
    logs.fault("something", broken())
    assert path.stat().st_mode & 0o777 == 0o600


def test_the_last_of_several_is_shown(tmp_path):
    logs.keep_log(tmp_path)
    assert logs.last_fault(tmp_path) is None
    logs.fault("the first", broken())
    logs.fault("the second", broken())
    logs.log.warning("nothing bad")
    assert logs.last_fault(tmp_path).endswith("ERROR the second")


def test_a_long_log_gives_way_and_its_last_fault_is_still_found(tmp_path):
    (tmp_path / logs.NAME).write_text("2026-01-01 00:00:00,000 ERROR of long ago\n" + "x" * logs.MAX_BYTES)
    logs.keep_log(tmp_path)
    logs.log.warning("a new page")
    assert (tmp_path / logs.NAME).stat().st_size < 100
    assert logs.last_fault(tmp_path).endswith("of long ago")


def test_another_course_has_its_own(tmp_path):
    logs.keep_log(tmp_path / "one")
    logs.keep_log(tmp_path / "two")
    logs.fault("in the second", broken())
    assert not (tmp_path / "one").exists()


def test_a_disk_that_takes_no_log_stops_nobody(tmp_path, capsys):
    (tmp_path / "full").write_text("a file where the folder should be")
    logs.keep_log(tmp_path / "full")
    logs.fault("something", broken())
    assert capsys.readouterr() == ("", "")


def test_without_a_log_nothing_is_printed(capsys):
    logs.fault("something", broken())
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("words", [["--verbose", "doctor"], ["doctor", "--verbose"]])
def test_verbose_shows_it_wherever_it_stands(words, monkeypatch):
    monkeypatch.setattr("autograder.sandbox.doctor.describe", lambda: logs.fault("by design", broken()) or [])
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    assert "ERROR by design" in done.stderr


def test_an_error_that_becomes_a_sentence_is_logged_first(tmp_path, monkeypatch):
    def full():
        raise OSError(28, "No space left on device", "gradebook.db")

    monkeypatch.setattr("autograder.sandbox.doctor.describe", full)
    path = logs.keep_log(tmp_path)
    done = CliRunner().invoke(app, ["doctor"])
    assert done.exit_code == 1
    assert "gradebook.db: No space left on device" in done.stderr
    assert "in full" in path.read_text("utf-8")


def test_a_mistake_of_the_caller_is_no_fault(tmp_path):
    path = logs.keep_log(tmp_path)
    assert CliRunner().invoke(app, ["grade", "1", "--course", str(tmp_path)]).exit_code == 2
    assert CliRunner().invoke(app, ["doctor", "--nonsense"]).exit_code == 2
    assert "ERROR" not in (path.read_text("utf-8") if path.exists() else "")
    assert logging.getLogger("autograder") is logs.log
