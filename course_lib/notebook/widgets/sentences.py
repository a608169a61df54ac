"""Type a sentence: what a classifier makes of it, and what a language model would put into its blank."""

import ipywidgets
import torch

from course_lib.notebook.widgets.evaluating import beside, evaluating
from course_lib.notebook.widgets.explorer import Explorer
from course_lib.notebook.widgets.plot import Panel, whole
from course_lib.text.blanks import read_blank, read_words
from course_lib.text.vocabulary import Vocabulary

LIKELIEST = 8  # words for a blank


def review_reader(model, vocabulary: Vocabulary, text: str, attention) -> Explorer:
    """A line to type a review into: the verdict, and how much attention each word gets.

    Args:
        model: called as `model(tokens)` with tokens [1, T], gives logits [1, 2]: blame, praise.
        text: the review to start with.
        attention: `attention(model, tokens)` gives [1, T], what each word gets.
    """

    def read(text: str) -> tuple[list[str], float, list[float]]:
        ids = read_words(text, vocabulary)
        with evaluating(model):
            tokens = beside(model, torch.tensor([ids]))  # [1, T]
            praise = model(tokens).softmax(dim=-1)[0, 1].item()
            return vocabulary.decode(ids), praise, attention(model, tokens)[0].tolist()

    def draw(review: str) -> list[Panel]:
        try:
            words, praise, weights = read(review)
        except ValueError as refused:
            return [Panel(str(refused), "nothing to show", "", (0, 1), width=480, height=20, x_names=[], y_names=[])]
        panel = Panel(
            f"praise: {praise:.0%}", "word", "attention", whole(len(words)), (0, 1.1 * max(weights)), 480, 150, words
        )
        return [panel.bars(weights, chosen=weights.index(max(weights)))]

    def describe(review: str) -> str:
        try:
            words, praise, weights = read(review)
        except ValueError as refused:
            return f"No verdict: {refused}."
        most, least = (words[weights.index(limit(weights))] for limit in (max, min))
        return (
            f"“{' '.join(words)}”: praise with probability {praise:.2f}. Of its words “{most}” has the most attention, "
            f"{max(weights):.2f}, and “{least}” the least, {min(weights):.2f}."
        )

    return Explorer(draw, describe, review=_line_for(text, "review"))


def blank_filler(model, vocabulary: Vocabulary, text: str, mask_id: int) -> Explorer:
    """A line to type a sentence with a blank into: the most likely words for it.

    Args:
        model: called as `model(tokens)` with tokens [1, T], gives logits [1, T, V].
        text: the sentence to start with; the blank is “_”.
        mask_id: the token that hides a word.
    """

    def fill(text: str) -> tuple[list[str], list[float]]:
        ids, place = read_blank(text, vocabulary, mask_id)
        with evaluating(model):
            chances, best = model(beside(model, torch.tensor([ids])))[0, place].softmax(dim=-1).topk(LIKELIEST)
        return vocabulary.decode(best.tolist()), chances.tolist()

    def draw(sentence: str) -> list[Panel]:
        try:
            words, chances = fill(sentence)
        except ValueError as refused:
            return [Panel(str(refused), "nothing to show", "", (0, 1), width=480, height=20, x_names=[], y_names=[])]
        panel = Panel(sentence, "word for the blank", "probability", whole(len(words)), (0, 1), 480, 150, words)
        return [panel.bars(chances, chosen=0, labels=True)]

    def describe(sentence: str) -> str:
        try:
            words, chances = fill(sentence)
        except ValueError as refused:
            return f"No guess: {refused}."
        return (
            f"“{sentence}”: {', '.join(f'{word} {chance:.2f}' for word, chance in zip(words, chances, strict=True))}."
        )

    return Explorer(draw, describe, sentence=_line_for(text, "sentence"))


def _line_for(text: str, name: str) -> ipywidgets.Text:
    """A line that counts as changed when Enter is pressed, or the line is left."""
    return ipywidgets.Text(value=text, description=name, continuous_update=False, layout={"width": "42em"})
