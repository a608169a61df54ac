import builtins
import io
import sys

from course_lib.training.progress_bar import progress_bar


class Terminal(io.StringIO):
    def isatty(self):
        return True


def draw(monkeypatch, stdout, shown=True):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "113")
    monkeypatch.delitem(sys.modules, "ipykernel", raising=False)
    monkeypatch.setattr(sys, "stdout", stdout)
    with progress_bar("training", 13, shown) as show:
        for step in range(1, 14):
            show(step, f"loss {1 / step:.2f}")
    return stdout.getvalue()


def test_a_terminal_sees_the_steps_and_the_words(monkeypatch):
    drawn = draw(monkeypatch, Terminal())
    assert "training" in drawn
    assert "13/13" in drawn
    assert "loss 0.08" in drawn


def test_nothing_is_drawn_when_it_is_not_wanted(monkeypatch):
    assert draw(monkeypatch, Terminal(), shown=False) == ""


def test_nothing_is_drawn_into_a_file(monkeypatch):
    assert draw(monkeypatch, io.StringIO()) == ""


def test_without_rich_training_goes_on_in_silence(monkeypatch):
    real_import = builtins.__import__

    def no_rich(name, *args, **kwargs):
        if name.startswith("rich"):
            raise ImportError(name)
        return real_import(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", no_rich)
    assert draw(monkeypatch, Terminal()) == ""
