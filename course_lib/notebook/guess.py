"""Guess, then look: a picture that waits until you have said what it will show."""

import html
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

import ipywidgets
from IPython.display import display

from course_lib.notebook.needs_your import needs_your
from course_lib.notebook.widgets.explorer import live


class Guess(ABC):
    """A question; `look` shows its picture after the guess.

    Args:
        question: what to say before looking.
        needs: the exercises that the picture calls.
        look: draws and shows it; a guess that belongs in the picture is its argument.
        arranged: the controls as they are shown.
        controls: what takes the guess.

    Where a front end shows no controls, calling the function in a cell of its own looks. `COURSE_GUESS=off` looks at
    once (as when the pages are drawn for print); where nobody looks (`COURSE_PICTURES=off`) the question
    is shown alone.
    """

    verb = "Guess"

    def __init__(self, question: str, needs: Sequence[str], look: Callable, arranged, *controls):
        self.question, self.needs, self.look, self.controls = question, needs, look, controls
        self.button = ipywidgets.Button(description="Look", disabled=True, tooltip=f"{self.verb} first")
        self.seen = ipywidgets.Output(layout={"min_height": "60vh"})  # what the page says next is out of sight
        asked = ipywidgets.HTML(f"<b>{self.verb} first.</b> {html.escape(question)}")
        self.box = ipywidgets.VBox([asked, arranged, self.button, self.seen])
        for control in controls:
            control.observe(self._changed, names="value")
        self.button.on_click(self._clicked)

    @abstractmethod
    def offered(self) -> str:
        """The possible guesses, in words."""

    @abstractmethod
    def call(self) -> str:
        """The line of code that shows the picture where there are no controls."""

    @abstractmethod
    def complete(self) -> bool:
        """Whether a guess has been made."""

    @abstractmethod
    def given(self) -> tuple:
        """The arguments that `look` gets from the guess."""

    @abstractmethod
    def said(self) -> str:
        """The guess in words."""

    def __call__(self, *guess) -> None:
        """Show the picture, even without a guess."""
        with needs_your(*self.needs):
            self.look(*guess)

    def __repr__(self) -> str:
        return f"{self.verb} first. {self.question} {self.offered()} Then look: {self.call()}"

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict:
        words = {"text/plain": repr(self)}
        if os.environ.get("COURSE_PICTURES") == "off":
            return words
        said = (
            f"<p><b>{self.verb} first.</b> {html.escape(f'{self.question} {self.offered()}')}</p>"
            f"<p>Then run <code>{html.escape(self.call())}</code> in a cell of its own.</p>"
        )
        return live(self.box) | {"text/html": said} | words

    def _changed(self, change) -> None:
        self.button.disabled = not self.complete()

    def _clicked(self, button) -> None:
        for control in (self.button, *self.controls):
            control.disabled = True
        self.button.description = "Looking …"
        with self.seen:
            try:
                self(*self.given())
            finally:
                self.button.layout.display, self.seen.layout.min_height = "none", None
                print(f"You guessed: {self.said()}")


class Choice(Guess):
    """One of several answers; the picture shows which one is right."""

    def __init__(self, question: str, answers: Sequence[str], needs: Sequence[str], look: Callable):
        self.choice = ipywidgets.RadioButtons(
            options=list(map(str, answers)), value=None, layout={"width": "max-content"}
        )
        super().__init__(question, needs, look, self.choice, self.choice)

    def offered(self) -> str:
        return f"({'; '.join(self.choice.options)})"

    def call(self) -> str:
        return f"{self.look.__name__}()"

    def complete(self) -> bool:
        return self.choice.value is not None

    def given(self) -> tuple:
        return ()

    def said(self) -> str:
        return self.choice.value


class Row(Guess):
    """A row of weights that sums to 1, drawn with a slider for each; the picture is given the row."""

    verb = "Draw"

    def __init__(self, question: str, names: Sequence[str], needs: Sequence[str], look: Callable):
        self.sliders = [
            ipywidgets.FloatSlider(max=1, step=0.05, description=name, orientation="vertical", layout={"width": "64px"})
            for name in names
        ]
        self.together = ipywidgets.Label()
        super().__init__(
            question, needs, look, ipywidgets.VBox([ipywidgets.HBox(self.sliders), self.together]), *self.sliders
        )
        self._changed(None)

    def offered(self) -> str:
        return f"(One weight for each of {', '.join(slider.description for slider in self.sliders)}; together 1.)"

    def call(self) -> str:
        return f"{self.look.__name__}([{', '.join(['…'] * len(self.sliders))}])"

    def complete(self) -> bool:
        return abs(sum(self.weights()) - 1) < 1e-3

    def weights(self) -> list[float]:
        return [slider.value for slider in self.sliders]

    def given(self) -> tuple:
        return (self.weights(),)

    def said(self) -> str:
        return ", ".join(f"{weight:.2f}" for weight in self.weights())

    def _changed(self, change) -> None:
        super()._changed(change)
        self.together.value = f"together {sum(self.weights()):.2f}" + ("" if self.complete() else "; it must be 1")


def guess_first(question: str, answers: Sequence[str], needs: Sequence[str] = ()) -> Callable[[Callable], Choice]:
    """Decorate a function that shows a picture: first the question is displayed, and after the answer the picture.

    Args:
        question: what to say before looking.
        answers: to choose from.
        needs: the exercises that the picture calls; until they are written it says what it waits for.
    """
    return lambda look: _ask(Choice(question, answers, needs, look))


def draw_first(question: str, names: Sequence[str], needs: Sequence[str] = ()) -> Callable[[Callable], Row]:
    """Decorate a function that shows a row of weights, next to the row that the reader drew, if any.

    Args:
        question: what to say before looking.
        names: of the weights.
        needs: the exercises that the picture calls; until they are written it says what it waits for.
    """
    return lambda look: _ask(Row(question, names, needs, look))


def _ask(guess: Guess) -> Guess:
    """Display the question, or the picture at once where nobody can answer."""
    if os.environ.get("COURSE_GUESS") == "off" and os.environ.get("COURSE_PICTURES") != "off":
        guess()
    else:
        display(guess)
    return guess
