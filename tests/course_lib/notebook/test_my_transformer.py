import pytest

import course_lib
from course_lib.notebook.my_transformer import number_of, use_mine

MINE = "def softmax(logits, dim=-1):\n    return 'mine'"


@pytest.fixture
def attention(tmp_path, monkeypatch):
    """The file of a folder that holds a softmax."""
    monkeypatch.setenv("COURSE_MY_TRANSFORMER", str(tmp_path))
    monkeypatch.delenv("COURSE_PICTURES", raising=False)
    path = tmp_path / "attention.py"
    path.write_text(f"# %% softmax: right, {number_of(MINE)}\n{MINE}\n")
    return path


@pytest.fixture
def page():
    return {name: getattr(course_lib, name) for name in ("softmax", "causal_mask", "needs_your")}


def test_a_kept_part_takes_the_place_of_the_courses_own_and_one_line_says_so(attention, page, capsys):
    use_mine(page=page)
    assert page["softmax"](None) == "mine"
    assert page["causal_mask"] is course_lib.causal_mask
    assert capsys.readouterr().out == "Yours: softmax; The course's: causal_mask.\n"


def test_the_switch_goes_back(attention, page, capsys):
    use_mine(page=page)
    use_mine(False, page=page)
    assert page["softmax"] is course_lib.softmax
    assert capsys.readouterr().out.endswith("The course's: causal_mask, softmax.\n")


def test_what_the_page_defines_stays(attention):
    page = {"softmax": len}
    use_mine(page=page)
    assert page["softmax"] is len


def test_a_part_that_was_changed_is_not_used(attention, page, capsys):
    attention.write_text(attention.read_text().replace("'mine'", "'changed'"))
    use_mine(page=page)
    assert page["softmax"] is course_lib.softmax
    assert "softmax in my_transformer/attention.py was changed since it was right" in capsys.readouterr().out


@pytest.mark.parametrize("damage", ["import nowhere\n", "1 / 0\n", "raise SystemExit\n", "def x(:\n"])
def test_a_file_that_does_not_run_is_said_and_not_used(attention, page, capsys, damage):
    attention.write_text(damage + attention.read_text())
    use_mine(page=page)
    assert page["softmax"] is course_lib.softmax
    assert "my_transformer/attention.py does not run" in capsys.readouterr().out


@pytest.mark.parametrize("content", [b"\xff\xfe", b"", b"# %% softmax: right\n"])
def test_what_is_no_file_of_ours_is_passed_over(attention, page, content):
    attention.write_bytes(content)
    use_mine(page=page)
    assert page["softmax"] is course_lib.softmax


def test_where_submissions_are_graded_the_courses_own_stands(attention, page, monkeypatch, capsys):
    monkeypatch.setenv("COURSE_PICTURES", "off")
    use_mine(page=page)
    assert page["softmax"] is course_lib.softmax
    assert capsys.readouterr().out == ""
