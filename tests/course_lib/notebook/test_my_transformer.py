import pytest

import course_lib
from course_lib.notebook.my_transformer import load, number_of, use_mine

MINE = "def softmax(logits, dim=-1):\n    return 'mine'"
BLOCK = "class EncoderBlock:\n    def forward(self):\n        return 'my block'"
ENCODER = "class TransformerEncoder:\n    def forward(self):\n        return EncoderBlock().forward()"
PREDICTOR = "class TransformerPredictor:\n    def forward(self):\n        return TransformerEncoder().forward()"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    place = tmp_path / "my_parts"
    place.mkdir()
    monkeypatch.setenv("COURSE_MY_TRANSFORMER", str(place))
    monkeypatch.delenv("COURSE_PICTURES", raising=False)
    return place


@pytest.fixture
def attention(folder):
    """The file of a folder that holds a softmax."""
    path = folder / "attention.py"
    path.write_text(section("softmax", MINE))
    return path


@pytest.fixture
def page():
    return {name: getattr(course_lib, name) for name in ("softmax", "causal_mask", "needs_your")}


@pytest.fixture
def predicting(folder):
    """A page with a predictor, kept before its encoder, which it imports from the course."""
    (folder / "training.py").write_text(
        "from course_lib import TransformerEncoder\n\n\n" + section("TransformerPredictor", PREDICTOR)
    )
    return {"TransformerPredictor": course_lib.TransformerPredictor}


def section(name, source):
    return f"# %% {name}: right, {number_of(source)}\n{source}\n\n\n"


def test_a_kept_part_takes_the_place_of_the_courses_own_and_a_line_says_so(attention, page, capsys):
    use_mine(page=page)
    assert page["softmax"](None) == "mine"
    assert page["causal_mask"] is course_lib.causal_mask
    assert capsys.readouterr().out == (
        "Yours: softmax.\nThe course's code, where yours is not right or not written yet: causal_mask.\n"
    )


def test_the_switch_goes_back(attention, page, capsys):
    use_mine(page=page)
    use_mine(False, page=page)
    assert page["softmax"] is course_lib.softmax
    assert capsys.readouterr().out.endswith("causal_mask, softmax.\n")


def test_what_the_page_defines_stays(attention):
    page = {"softmax": len}
    use_mine(page=page)
    assert page["softmax"] is len


def test_a_part_that_was_changed_is_not_used_and_the_folder_is_named(attention, page, capsys):
    attention.write_text(attention.read_text().replace("'mine'", "'changed'"))
    use_mine(page=page)
    assert page["softmax"] is course_lib.softmax
    assert "softmax in my_parts/attention.py was changed since it was right. Run its check" in capsys.readouterr().out


@pytest.mark.parametrize("damage", ["import nowhere\n", "1 / 0\n", "raise SystemExit\n", "def x(:\n"])
def test_a_file_that_does_not_run_is_said_and_not_used(attention, page, capsys, damage):
    attention.write_text(damage + attention.read_text())
    use_mine(page=page)
    assert page["softmax"] is course_lib.softmax
    assert "softmax in my_parts/attention.py does not run (line 1, " in capsys.readouterr().out


@pytest.mark.parametrize("damage", ["1 / 0\n", "def x(:\n", "softmax()\n"])
def test_a_line_at_the_end_that_fails_is_named_and_what_is_above_it_is_used(attention, page, capsys, damage):
    attention.write_text(attention.read_text() + damage)
    use_mine(page=page)
    assert page["softmax"](None) == "mine"
    said = capsys.readouterr().out
    assert "my_parts/attention.py does not run (line 6, " in said
    assert "changed" not in said


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


def test_a_part_whose_part_below_was_broken_since_is_not_yours(folder, predicting, capsys):
    broken = section("EncoderBlock", BLOCK).replace("'my block'", "None")
    (folder / "encoder.py").write_text(broken + section("TransformerEncoder", ENCODER))
    use_mine(page=predicting)
    assert predicting["TransformerPredictor"] is course_lib.TransformerPredictor
    said = capsys.readouterr().out
    assert "Yours" not in said
    assert (
        "TransformerPredictor in my_parts/training.py calls TransformerEncoder, which calls EncoderBlock, "
        "which was changed since it was right." in said
    )


def test_a_part_kept_before_the_one_below_it_uses_it_all_the_same(folder, predicting, capsys):
    (folder / "encoder.py").write_text(section("TransformerEncoder", ENCODER) + section("EncoderBlock", BLOCK))
    use_mine(page=predicting)
    assert predicting["TransformerPredictor"]().forward() == "my block"
    assert capsys.readouterr().out == "Yours: TransformerPredictor.\n"


def test_a_part_that_calls_the_courses_is_shown_as_a_tree(folder, predicting, capsys):
    (folder / "encoder.py").write_text(section("TransformerEncoder", ENCODER))
    use_mine(page=predicting)
    assert capsys.readouterr().out.splitlines() == [
        "TransformerPredictor: yours",
        "    TransformerEncoder: yours",
        "        EncoderBlock: the course's",
    ]


def test_parts_that_call_each_other_do_not_go_round_for_ever(folder, page):
    one = "def softmax(x):\n    return causal_mask"
    other = "def causal_mask(x):\n    return softmax"
    (folder / "attention.py").write_text(section("softmax", one) + section("causal_mask", other))
    use_mine(page=page)
    assert page["softmax"].__module__ == "my_transformer.attention"


def test_what_cannot_be_loaded_says_why(attention):
    with pytest.raises(ImportError, match="expand_mask of attention is not used: it is not there"):
        load("attention", "expand_mask")
