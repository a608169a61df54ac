import importlib

import pytest

import course_lib
from course_lib.notebook.my_transformer import load, number_of, use_mine
from course_lib.notebook.own_parts import is_part

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


@pytest.fixture
def jax_page():
    """The names of a page of the JAX track, and of the parts that are kept for both tracks."""
    library = pytest.importorskip("course_lib.jax")
    return {name: getattr(library, name) for name in ("EncoderBlock", "TransformerEncoder", "MultiheadAttention")}


def test_a_page_of_the_jax_track_takes_what_was_kept_for_jax(folder, jax_page, capsys):
    (folder / "jax").mkdir()
    (folder / "jax" / "model.py").write_text(section("EncoderBlock", BLOCK))
    (folder / "encoder.py").write_text(section("TransformerEncoder", ENCODER))
    given = jax_page["MultiheadAttention"]
    use_mine(page=jax_page)
    assert jax_page["EncoderBlock"]().forward() == "my block"
    assert jax_page["TransformerEncoder"].__module__ == "course_lib.jax.model"
    assert jax_page["MultiheadAttention"] is given
    said = capsys.readouterr().out
    assert said == (
        "Yours: EncoderBlock.\nThe course's code, where yours is not right or not written yet: TransformerEncoder.\n"
    )
    use_mine(False, page=jax_page)
    assert jax_page["EncoderBlock"].__module__ == "course_lib.jax.model"


def test_a_page_of_torch_leaves_what_was_kept_for_jax_alone(folder, page, capsys):
    pytest.importorskip("course_lib.jax")
    (folder / "jax").mkdir()
    (folder / "jax" / "attention.py").write_text(section("softmax", MINE))
    use_mine(page=page)
    assert page["softmax"] is course_lib.softmax
    assert "Yours" not in capsys.readouterr().out


def test_a_part_in_jax_that_was_changed_is_named_with_its_folder(folder, jax_page, capsys):
    (folder / "jax").mkdir()
    (folder / "jax" / "model.py").write_text(section("EncoderBlock", BLOCK).replace("my block", "changed"))
    use_mine(page=jax_page)
    assert "EncoderBlock in my_parts/jax/model.py was changed since it was right." in capsys.readouterr().out


def test_the_parts_of_a_library_are_what_its_stages_ask_for():
    pytest.importorskip("course_lib.jax")
    stages = pytest.importorskip("autograder.stages")
    for track in stages.TRACKS.values():
        asked = {name for stage in stages.STAGES if stage.track == track.name for name in stage.objects}
        library = importlib.import_module(track.library)
        parts = {name for name in library.__all__ if is_part(name, library)}
        assert asked - parts == set()
        assert parts - asked <= {"DecoderOnlyBlock", "MaskedLanguageModel"}  # given, and built of what was written


def test_what_cannot_be_loaded_says_why(attention):
    with pytest.raises(ImportError, match="expand_mask of attention is not used: it is not there"):
        load("attention", "expand_mask")
