"""What is below a folder is found, however deep that is, and without following a link."""

from autograder.below import files_below


def test_a_deep_folder_is_walked_to_its_end(tmp_path, deep_below):
    deep_below(tmp_path / "theirs")
    bottom = tmp_path / "theirs" / ("a/" * 1100)
    (bottom / "x").touch()
    assert list(files_below(tmp_path)) == [bottom / "x"]


def test_links_are_found_and_not_followed_and_folders_can_be_skipped(tmp_path):
    for name in ("kept", "skipped"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "x").touch()
    (tmp_path / "link").symlink_to(tmp_path / "kept")
    assert sorted(files_below(tmp_path, ("skipped",))) == [tmp_path / "kept" / "x", tmp_path / "link"]


def test_a_folder_that_is_not_there_has_nothing(tmp_path):
    assert not list(files_below(tmp_path / "none"))
