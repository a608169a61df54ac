"""A picture with controls if the front end shows them, else the same picture without."""

import html
import os
from collections.abc import Callable

import ipywidgets
from IPython.display import display

from course_lib.notebook.widgets.plot import Panel, picture


def live(widget: ipywidgets.Widget) -> dict[str, dict]:
    """The MIME bundle by which a front end shows a widget: the same for ipywidgets 7, which Colab has, and 8."""
    view = {"version_major": 2, "version_minor": 0, "model_id": widget.model_id}
    return {"application/vnd.jupyter.widget-view+json": view}


class Explorer:
    """Controls above a picture that follows them.

    Args:
        draw: makes the panels, side by side; its arguments are the names of the controls.
        describe: says in words, from the same arguments, what they show.
        controls: an ipywidgets control for each argument.

    Displayed, it offers both the live widget and a still picture of the current setting; every front end
    takes the best it can show. With `COURSE_PICTURES=off` only the words are shown. The
    words are computed at once, so code that isn't written yet says so where the widget is made.
    """

    def __init__(self, draw: Callable[..., list[Panel]], describe: Callable[..., str], **controls: ipywidgets.Widget):
        self.draw, self.describe, self.controls = draw, describe, controls
        self.words()
        self.picture = ipywidgets.HTML()
        self.box = ipywidgets.VBox([*controls.values(), self.picture])
        for control in controls.values():
            control.observe(lambda change: self.refresh(), names="value")

    def values(self) -> dict:
        """The present setting of every control."""
        return {name: control.value for name, control in self.controls.items()}

    def words(self) -> str:
        """What the picture shows at the present setting."""
        return self.describe(**self.values())

    def refresh(self) -> None:
        """Draw the present setting; if the student's code raises an error, say so instead of the picture."""
        try:
            self.picture.value = picture(self.draw(**self.values()), self.words())
        except Exception as error:  # a callback's traceback is shown nowhere
            said = html.escape(f"The code behind this picture stopped with {type(error).__name__}: {error}")
            self.picture.value = f"<p>{said}</p>"

    def show(self) -> None:
        """Display it from the middle of a cell."""
        display(self)

    def __repr__(self) -> str:
        return self.words()

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict:
        words = {"text/plain": self.words()}
        if os.environ.get("COURSE_PICTURES") == "off":
            return words
        self.refresh()
        return live(self.box) | {"text/html": self.picture.value} | words
