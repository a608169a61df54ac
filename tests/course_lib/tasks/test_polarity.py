import os
import urllib.error
from pathlib import Path

import pytest

from course_lib.tasks import download
from course_lib.tasks.polarity import PolarityUnavailable, sentence_polarity

HERE = Path(os.environ.get("COURSE_DATA", "")) / "sentence_polarity" / "sentence_polarity.zip"
needs_the_data = pytest.mark.skipif(
    not os.environ.get("COURSE_DATA") or not HERE.exists(), reason="COURSE_DATA names no folder with sentence_polarity"
)


@needs_the_data
def test_the_snippets_are_all_there_each_in_one_part():
    parts = sentence_polarity(seed=3)
    assert [len(snippets) for snippets, _ in parts] == [8530, 1066, 1066]
    assert sum(int(labels.sum()) for _, labels in parts) == 5331
    assert all(len(snippets) == len(labels) for snippets, labels in parts)
    assert any("é" in word for snippets, _ in parts for words in snippets for word in words)  # latin-1, read as such


def test_without_data_and_network_one_sentence_says_what_there_is(tmp_path, monkeypatch):
    def offline(*arguments, **options):
        raise urllib.error.URLError("no network")

    monkeypatch.setattr(download.urllib.request, "urlopen", offline)
    with pytest.raises(PolarityUnavailable, match=r"could not be fetched .*no network.*review_language"):
        sentence_polarity(tmp_path)


def test_another_file_is_not_taken_for_it(tmp_path, monkeypatch):
    path = tmp_path / "sentence_polarity" / "sentence_polarity.zip"
    path.parent.mkdir()
    path.write_bytes(b"something else")

    def offline(*arguments, **options):
        raise urllib.error.URLError("no network")

    monkeypatch.setattr(download.urllib.request, "urlopen", offline)
    with pytest.raises(PolarityUnavailable):
        sentence_polarity(tmp_path)
