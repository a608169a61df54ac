"""A picture with controls where a front end shows them, and the same picture, still, where none does."""

import base64
import os
from collections.abc import Callable

import ipywidgets
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

from course_lib.pictures import image, png


class Explorer:
    """Controls above a picture that follows them.

    Args:
        draw: makes the figure; its arguments are the names of the controls.
        describe: says in words, from the same arguments, what the figure shows.
        controls: an ipywidgets control for each argument.

    Displayed, it offers the live widget and a still picture of the first setting at once; every front
    end takes the best that it can show.
    """

    def __init__(self, draw: Callable[..., Figure], describe: Callable[..., str], **controls: ipywidgets.Widget):
        self.draw, self.describe, self.controls = draw, describe, controls
        self.picture = ipywidgets.HTML()
        self.box = ipywidgets.VBox([*controls.values(), self.picture])
        for control in controls.values():
            control.observe(lambda change: self.refresh(), names="value")

    def values(self) -> dict:
        """The present setting of every control."""
        return {name: control.value for name, control in self.controls.items()}

    def refresh(self) -> None:
        """Draw the present setting."""
        figure = self.draw(**self.values())
        self.picture.value = image(figure, self.describe(**self.values()))
        plt.close(figure)

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict:
        words = self.describe(**self.values())
        if os.environ.get("COURSE_PICTURES") == "off":
            return {"text/plain": words}
        self.refresh()
        figure = self.draw(**self.values())
        still = base64.b64encode(png(figure)).decode()
        plt.close(figure)
        return self.box._repr_mimebundle_() | {"image/png": still, "text/plain": words}
