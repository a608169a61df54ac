"""A soft look-up among word vectors: which words a word finds."""

from collections.abc import Sequence

import ipywidgets
import torch

from course_lib.notebook.widgets.explorer import Explorer
from course_lib.notebook.widgets.plot import Panel, whole


def word_lookup(words: Sequence[str], vectors: torch.Tensor, word: str, temperature: float = 1.0) -> Explorer:
    """A control for the word that asks, one for the temperature, and one for whether it may find itself.

    Args:
        words: what the rows are called.
        vectors: [len(words), D].
        word: which of them asks at first.
        temperature: by which the products of the vectors are divided, at first.
    """
    words = list(words)

    def weights(word: str, temperature: float, itself: bool) -> list[float]:
        place = words.index(word)
        scores = vectors @ vectors[place] / temperature  # [len(words)]
        if not itself:
            scores[place] = -torch.inf
        return torch.softmax(scores, dim=0).tolist()

    def draw(word: str, temperature: float, itself: bool) -> list[Panel]:
        title = f"what “{word}” finds at temperature {temperature:.2g}"
        panel = Panel(title, "word", "weight", whole(len(words)), (0, 1.1), width=40 * len(words), x_names=words)
        return [panel.bars(weights(word, temperature, itself), chosen=words.index(word), labels=True)]

    def describe(word: str, temperature: float, itself: bool) -> str:
        found = sorted(zip(weights(word, temperature, itself), words, strict=True), reverse=True)[:3]
        named = ", ".join(f"{other} {weight:.2f}" for weight, other in found)
        return f"A bar chart of what {word} finds at temperature {temperature:.2g}; the largest weights: {named}."

    return Explorer(
        draw,
        describe,
        word=ipywidgets.SelectionSlider(options=words, value=word, description="word"),
        temperature=ipywidgets.FloatLogSlider(value=temperature, min=-1, max=2, step=0.05, description="temperature"),
        itself=ipywidgets.Checkbox(value=True, description="may find itself"),
    )
