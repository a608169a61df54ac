"""Guess, then look: a picture that waits until one has said what it will show."""

import html
import os
from collections.abc import Callable, Sequence

import ipywidgets
from IPython.display import display

from course_lib.notebook.needs_your import needs_your


class Guess:
    """A question with answers to choose from; what the decorated function shows comes after the choice.

    Args:
        question: what to say before looking.
        answers: to choose from; which one is right is for the picture to say.
        needs: the exercises that the picture calls.
        look: draws and shows it.

    Where a front end shows no controls, calling the function in a cell of its own looks. `COURSE_GUESS=off` looks at
    once (as when the pages are drawn for print); where nobody looks (`COURSE_PICTURES=off`, as in grading) the question
    is shown alone.
    """

    def __init__(self, question: str, answers: Sequence[str], needs: Sequence[str], look: Callable[[], None]):
        self.question, self.look, self.needs = question, look, needs
        self.choice = ipywidgets.RadioButtons(
            options=list(map(str, answers)), value=None, layout={"width": "max-content"}
        )
        self.button = ipywidgets.Button(description="Look", disabled=True, tooltip="Choose an answer first")
        self.seen = ipywidgets.Output()
        asked = ipywidgets.HTML(f"<b>Guess first.</b> {html.escape(question)}")
        self.box = ipywidgets.VBox([asked, self.choice, self.button, self.seen])
        self.choice.observe(self._chosen, names="value")
        self.button.on_click(self._clicked)

    def __call__(self) -> None:
        """Look, without a guess."""
        with needs_your(*self.needs):
            self.look()

    def __repr__(self) -> str:
        return f"Guess first. {self.question} ({'; '.join(self.choice.options)}) Then look: {self.look.__name__}()"

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict:
        words = {"text/plain": repr(self)}
        if os.environ.get("COURSE_PICTURES") == "off":
            return words
        said = (
            f"<p><b>Guess first.</b> {html.escape(self.question)} ({html.escape('; '.join(self.choice.options))})</p>"
            f"<p>Then run <code>{html.escape(self.look.__name__)}()</code> in a cell of its own.</p>"
        )
        return self.box._repr_mimebundle_() | {"text/html": said} | words

    def _chosen(self, change) -> None:
        self.button.disabled = self.choice.value is None

    def _clicked(self, button) -> None:
        self.button.disabled = self.choice.disabled = True
        self.button.description = "Looking …"
        with self.seen:
            try:
                self()
            finally:
                self.button.layout.display = "none"
                print(f"You guessed: {self.choice.value}")


def guess_first(question: str, answers: Sequence[str], needs: Sequence[str] = ()) -> Callable[[Callable], Guess]:
    """Decorate a function that shows a picture: the question is displayed, and the picture when one has answered.

    Args:
        question: what to say before looking.
        answers: to choose from.
        needs: the exercises that the picture calls; until they are written it says what it waits for.
    """

    def ask(look: Callable[[], None]) -> Guess:
        guess = Guess(question, answers, needs, look)
        if os.environ.get("COURSE_GUESS") == "off" and os.environ.get("COURSE_PICTURES") != "off":
            guess()
        else:
            display(guess)
        return guess

    return ask
