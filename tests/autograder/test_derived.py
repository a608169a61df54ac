"""What is derived from the sources is taken from disk until one of them changes."""

import pytest

from autograder import derived as module
from autograder.derived import derived, digest_of


@pytest.fixture
def sources(monkeypatch):
    """Let the sources be in this state."""

    def are(state):
        monkeypatch.setattr(module, "stamp", lambda: state)

    are("first")
    return are


def test_it_is_made_once_for_the_same_sources(tmp_path, sources):
    assert derived(tmp_path, "name", lambda: "made") == "made"
    assert derived(tmp_path, "name", lambda: "made again") == "made"
    assert derived(tmp_path, "another", lambda: "another") == "another"


def test_changed_sources_make_it_anew(tmp_path, sources):
    derived(tmp_path, "name", lambda: "made")
    sources("second")
    assert derived(tmp_path, "name", lambda: "made again") == "made again"


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"sources": "first"}', "\x00"])
def test_a_damaged_file_is_made_anew(tmp_path, sources, content):
    (tmp_path / "name.json").write_text(content)
    assert derived(tmp_path, "name", lambda: "made") == "made"
    assert derived(tmp_path, "name", lambda: "made again") == "made"


def test_without_a_place_it_is_made_each_time(sources):
    assert [derived(None, "name", lambda made=made: made) for made in ("one", "two")] == ["one", "two"]


def test_a_place_that_takes_nothing_is_no_failure(tmp_path, sources):
    (tmp_path / "file").touch()
    assert derived(tmp_path / "file", "name", lambda: "made") == "made"


def test_the_stamp_changes_with_a_file(tmp_path):
    (tmp_path / "module.py").write_text("1")
    before = digest_of([tmp_path])
    assert digest_of([tmp_path]) == before
    (tmp_path / "module.py").write_text("22")
    assert digest_of([tmp_path]) != before
