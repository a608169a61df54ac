import json
import runpy
import sys
import types
from functools import partial

import pytest
import torch

import course_lib
from autograder import check
from autograder.catalogue import exercises_of, find
from autograder.judging import answer_key
from autograder.practice import check as checking


def scaled_dot_product(q, k, v, mask=None):
    softmax = sys.modules["__main__"].softmax  # the page's
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    weights = softmax(scores if mask is None else scores.masked_fill(mask == 0, -1e9))
    return weights @ v, weights


attention_of_the_page = scaled_dot_product


@pytest.fixture(autouse=True)
def kept(tmp_path, monkeypatch):
    """The scores of these tests go to a folder of their own."""
    monkeypatch.delenv("COURSE_PICTURES", raising=False)
    monkeypatch.setenv("COURSE_PROGRESS", str(tmp_path / "scores.json"))
    return tmp_path / "scores.json"


@pytest.fixture
def on_the_page(monkeypatch):
    """`on_the_page(name, object)` defines a name on the student's page."""
    return partial(monkeypatch.setitem, vars(sys.modules["__main__"]))


def wrong(name):
    """A known wrong `causal_mask`."""
    exercise = find("causal_mask")
    return next(mistake for mistake in exercise.mistakes if mistake.name == name).of(exercise.reference)


def said(capsys, *arguments):
    """What a call printed, and that it gave no points."""
    assert float(checking.check(*arguments)) == 0
    return capsys.readouterr().out.strip()


def test_a_right_answer_gets_all_points_and_prints_as_a_plain_number():
    score = check("causal_mask", course_lib.causal_mask)
    assert repr(score) == "2"
    assert score._repr_mimebundle_()["text/plain"] == "2"


@pytest.mark.parametrize("error", [GeneratorExit, type("Mine", (BaseException,), {})])
def test_an_answer_that_raises_no_exception_is_one_sentence(capsys, error):
    def causal_mask(size):
        raise error

    assert said(capsys, "causal_mask", causal_mask).startswith(f"Your causal_mask raised {error.__name__}")


def test_an_error_with_the_name_of_ours_is_the_students(capsys):
    def causal_mask(size):
        raise type("ParameterMismatch", (Exception,), {})("mine")

    assert "ParameterMismatch: mine" in said(capsys, "causal_mask", causal_mask)


def test_the_card_stands_beside_the_number():
    rich = check("causal_mask", course_lib.causal_mask)._repr_mimebundle_()["text/html"]
    assert "course-card right" in rich


def test_outside_a_notebook_the_card_is_text(capsys):
    check("causal_mask", wrong("diagonal one too high"))
    assert "diagonal one too high" in capsys.readouterr().out


def test_in_a_notebook_nothing_is_printed(capsys, monkeypatch):
    monkeypatch.setattr(checking, "shows_html", lambda: True)
    score = check("causal_mask", wrong("diagonal one too high"))
    assert capsys.readouterr().out == ""
    assert "Diagonal one too high" in score.rich


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "check takes the name of an exercise"),
        ((course_lib.softmax,), 'check("softmax", softmax)'),
        ((7, course_lib.softmax), "in quotation marks"),
        (("softmaks", course_lib.softmax), "Did you mean “softmax”?"),
        (("softmax", "softmax"), "a string (leave out the quotation marks)"),
        (("softmax", torch.zeros(3)), "you passed a Tensor"),
        (("softmax", torch.zeros(3)), 'Write check("softmax", softmax), '),
        (("softmax", torch.nn.Softmax), "you passed a class"),
        (("softmax", course_lib.causal_mask), "This is causal_mask, another exercise"),
        (("softmax",), "There is nothing named softmax here yet"),
    ],
)
def test_a_wrong_call_is_answered_with_one_sentence(capsys, arguments, words):
    sentence = said(capsys, *arguments)
    assert words in sentence
    assert "\n" not in sentence


@pytest.mark.parametrize(("thing", "words"), [(course_lib.LayerNorm(3), "an instance of"), (print, "a function")])
def test_an_exercise_that_is_a_class_asks_for_the_class(thing, words):
    exercise = types.SimpleNamespace(id="LayerNorm", name="LayerNorm", reference=course_lib.LayerNorm)
    assert words in checking.wrong_object(exercise, thing)


def test_a_function_of_the_name_of_a_class_may_build_one():
    Schedule = course_lib.CosineWarmupScheduler

    def CosineWarmupScheduler(optimizer, warmup, max_iters):
        return Schedule(optimizer, warmup, max_iters)

    assert check("CosineWarmupScheduler", CosineWarmupScheduler) == 4


def test_an_object_may_be_left_out_when_it_has_the_name(on_the_page):
    on_the_page("causal_mask", course_lib.causal_mask)
    assert check("causal_mask") == 2


@pytest.mark.parametrize("name", ["nowhere.safetensors", "damaged.safetensors"])
def test_missing_or_damaged_answers_are_one_sentence(capsys, monkeypatch, tmp_path, name):
    (tmp_path / "damaged.safetensors").write_bytes(b"\0" * 31)
    monkeypatch.setattr(answer_key, "public_file", lambda stage: tmp_path / name)
    assert "not installed: reinstall" in said(capsys, "softmax", course_lib.softmax)


def test_a_fault_of_the_check_itself_is_one_sentence(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(checking, "points_of", lambda *arguments: 1 / 0)
    sentence = said(capsys, "softmax", course_lib.softmax)
    assert "itself failed (ZeroDivisionError" in sentence
    assert "\n" not in sentence


def test_code_that_ends_the_program_does_not_end_the_check(capsys):
    def softmax(logits, dim=-1):
        sys.exit(3)

    assert "Let it return instead" in said(capsys, "softmax", softmax)


def test_a_student_can_stop_a_check():
    def softmax(logits, dim=-1):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check("softmax", softmax)


def test_checking_twice_says_the_same():
    assert check("causal_mask", wrong("inverted mask")) == check("causal_mask", wrong("inverted mask")) == 0


def test_the_pages_own_random_numbers_go_on():
    torch.manual_seed(11)
    without = torch.rand(3)
    torch.manual_seed(11)
    check("softmax", course_lib.softmax)
    assert torch.equal(torch.rand(3), without)


def test_what_a_student_called_the_sentence_is_not_markup():
    rich = checking.check("<script>alert(1)</script>").rich
    assert "<script" not in rich


def test_the_best_score_is_kept_with_what_the_stage_is_worth(kept):
    check("causal_mask", course_lib.causal_mask)
    check("causal_mask", wrong("diagonal one too high"))
    stage = json.loads(kept.read_text())["stages"]["01_attention"]
    assert stage["scores"] == {"causal_mask": 2}
    assert stage["points"] == {exercise.id: exercise.points for exercise in exercises_of("01_attention")}


def test_a_score_that_cannot_be_kept_does_not_stop_the_check(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("COURSE_PROGRESS", str(tmp_path / "file" / "scores.json"))
    assert check("causal_mask", course_lib.causal_mask) == 2


def test_where_submissions_are_graded_nothing_is_kept(kept, monkeypatch):
    monkeypatch.setenv("COURSE_PICTURES", "off")
    check("causal_mask", course_lib.causal_mask)
    assert not kept.exists()


def test_unwritten_code_is_not_an_error():
    def softmax(logits, dim=-1):
        raise NotImplementedError

    score = check("softmax", softmax)
    assert score.verdict.status == "not_attempted"
    assert "NotImplementedError" not in score.rich


def test_the_line_that_stopped_is_shown(tmp_path):
    cell = tmp_path / "cell.py"
    cell.write_text("def softmax(logits, dim=-1):\n    return logits @ logits[:2, :3]\n")
    names = runpy.run_path(str(cell))
    assert "<pre>return logits @ logits[:2, :3]</pre>" in check("softmax", names["softmax"]).rich


@pytest.mark.parametrize("exercise", exercises_of("01_attention"), ids=lambda exercise: exercise.id)
def test_a_mistake_is_named_on_its_card(exercise):
    first = exercise.mistakes[0].of(exercise.reference)
    known = answer_key.load(answer_key.public_file("01_attention"))[exercise.id]
    verdict = checking.verdict_on(find(exercise.id), first, known)
    assert verdict.known_mistake
    assert verdict.known_mistake[1:] in checking.html_card(verdict)


def test_an_answer_that_calls_a_wrong_one_is_judged_with_the_references_and_points_to_it(on_the_page):
    def softmax(logits, dim=-1):
        return logits.cos()

    on_the_page("softmax", softmax)
    check("softmax", softmax)
    verdict = check("scaled_dot_product", attention_of_the_page).verdict
    assert verdict.status == "right"
    assert verdict.message.startswith("Judged with the reference's softmax instead of yours, which is not right yet")
    assert sys.modules["__main__"].softmax is softmax
    check("softmax", course_lib.softmax)
    on_the_page("softmax", course_lib.softmax)
    assert check("scaled_dot_product", attention_of_the_page).verdict.message == ""
