import importlib
import json

import pytest

import course_lib
from course_lib.notebook.progress import progress
from course_lib.notebook.scores import keep_score, read_scores, score_file

POINTS = {"softmax": 4, "attend": 8, "mask": 2.5}


@pytest.fixture(autouse=True)
def file(tmp_path, monkeypatch):
    path = tmp_path / "deeper" / "scores.json"
    monkeypatch.setenv("COURSE_PROGRESS", str(path))
    return path


def test_nothing_yet_says_where_to_begin():
    assert "Open notebooks/01_attention.ipynb" in str(progress())
    assert "01_attention" in progress()._repr_html_()


def test_a_stage_shows_exercises_points_and_what_is_open():
    keep_score("01_attention", "softmax", 4, POINTS)
    keep_score("01_attention", "attend", 5.5, POINTS)
    assert str(progress()).split() == (
        [
            "01_attention",
            "1",
            "of",
            "3",
            "exercises,",
            "9.5",
            "of",
            "14.5",
            "points;",
            "still",
            "open:",
            "attend,",
            "mask",
        ]
    )


def test_stages_come_in_their_order():
    keep_score("02_multi_head", "heads", 3, {"heads": 3})
    keep_score("01_attention", "softmax", 4, POINTS)
    assert [row.stage for row in progress()] == ["01_attention", "02_multi_head"]


def test_the_table_says_the_same_in_a_notebook():
    keep_score("01_attention", "softmax", 4, POINTS)
    table = progress()._repr_html_()
    for part in ("1 of 3", "4 of 14.5", "attend, mask"):
        assert part in table


def test_the_best_score_counts():
    keep_score("01_attention", "attend", 8, POINTS)
    keep_score("01_attention", "attend", 3, POINTS)
    assert read_scores()["01_attention"]["scores"] == {"attend": 8}


def test_names_from_the_file_are_not_markup():
    keep_score("<script>", "<b>", 1, {"<b>": 2})
    assert "<script>" not in progress()._repr_html_()
    assert "<b>" not in progress()._repr_html_()


@pytest.mark.parametrize(
    "content", ["", "not json", "[]", "null", '{"format": 99}', '{"format": 1, "stages": {"a": 3}}', "\0\xff"]
)
def test_a_damaged_file_is_no_reason_to_stop(file, content):
    file.parent.mkdir()
    file.write_text(content)
    assert read_scores() == {}
    assert keep_score("01_attention", "softmax", 4, POINTS)
    assert read_scores()["01_attention"]["scores"] == {"softmax": 4}


def test_nothing_but_the_file_is_left_behind(file):
    keep_score("01_attention", "softmax", 4, POINTS)
    assert [path.name for path in file.parent.iterdir()] == ["scores.json"]
    assert json.loads(file.read_text())["format"] == 1


def test_a_place_that_cannot_be_written_is_said_by_the_return_value(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("COURSE_PROGRESS", str(tmp_path / "file" / "scores.json"))
    assert keep_score("01_attention", "softmax", 4, POINTS) is False
    assert read_scores() == {}


def test_off_keeps_nothing(monkeypatch):
    monkeypatch.setenv("COURSE_PROGRESS", "off")
    assert keep_score("01_attention", "softmax", 4, POINTS) is False
    assert str(progress()).startswith("No exercise")


def test_by_default_the_file_lies_in_the_users_data_folder(monkeypatch, tmp_path):
    monkeypatch.delenv("COURSE_PROGRESS")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert score_file() == tmp_path / "data" / "attention-workshop" / "progress.json"


def test_the_public_name_can_be_called_before_and_after_the_training_loop_is_imported():
    keep_score("01_attention", "softmax", 4, POINTS)
    assert len(course_lib.progress()) == 1
    importlib.import_module("course_lib.training.loop")
    assert len(course_lib.progress()) == 1
