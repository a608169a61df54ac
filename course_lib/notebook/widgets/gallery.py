"""Sets with an odd one, as pictures, with what the model thinks of each member."""

import ipywidgets
import torch

from course_lib.notebook.widgets.evaluating import beside, evaluating
from course_lib.notebook.widgets.explorer import Explorer
from course_lib.notebook.widgets.plot import Panel, whole


def anomaly_gallery(model, sets: torch.Tensor, target: torch.Tensor, images: torch.Tensor | None = None) -> Explorer:
    """Leaf through the sets: all of them, or only the mistakes.

    Args:
        model: called as `model(sets, add_positional_encoding=False)`, gives logits [B, S, 1].
        sets: features [B, S, D]. target: int64 [B], the place of the odd one.
        images: [B, S, H, W] or [B, S, H, W, 3], from 0 to 1; None takes the features as square pictures.
    """
    with evaluating(model):
        chances = model(beside(model, sets), add_positional_encoding=False).squeeze(-1).softmax(-1).cpu()  # [B, S]
    images, target = _pictures(sets if images is None else images), target.cpu()
    mistakes = (chances.argmax(-1) != target).nonzero().flatten().tolist()

    def chosen(place: int, mistakes_only: bool) -> int:
        return mistakes[place % len(mistakes)] if mistakes_only and mistakes else place

    def draw(place: int, mistakes_only: bool) -> list[Panel]:
        which = chosen(place, mistakes_only)
        odd, guess, members = int(target[which]), int(chances[which].argmax()), chances.shape[1]
        title = f"set {which}: {'found' if odd == guess else 'missed'}"
        size = {
            "width": 64 * members,
            "height": 112,
            "x_names": [str(member) for member in range(members)],
            "y_names": [],
        }
        panel = Panel(title, "place in the set", "", whole(members), **size)
        for member, image in enumerate(images[which]):
            panel.image(image.tolist(), (member - 0.44, 0.03, member + 0.44, 0.53))
            for line, words in enumerate(said(which, member)):
                panel.words(member, 0.58 + 0.14 * line, words)
        return [panel]

    def said(which: int, member: int) -> list[str]:
        """The probability of a member, and what it is."""
        is_guess, is_odd = member == chances[which].argmax(), member == target[which]
        return [f"{chances[which, member]:.2f}", *["guess"] * bool(is_guess), *["odd one"] * bool(is_odd)]

    def describe(place: int, mistakes_only: bool) -> str:
        which = chosen(place, mistakes_only)
        odd, guess = int(target[which]), int(chances[which].argmax())
        verdict = "the model finds it" if odd == guess else f"the model guesses place {guess}"
        return (
            f"Set {which} of {len(sets)} as a row of pictures. The odd one is at place {odd}; {verdict}, with "
            f"probability {chances[which, guess]:.2f}. In all, {len(mistakes)} of these sets are missed."
        )

    place = ipywidgets.IntSlider(min=0, max=len(sets) - 1, description="set")
    return Explorer(draw, describe, place=place, mistakes_only=ipywidgets.Checkbox(description="mistakes only"))


def _pictures(images: torch.Tensor) -> torch.Tensor:
    """Colours from 0 to 255 [B, S, H, W, 3]; greys are drawn as ink on paper, features [B, S, D] as squares."""
    if images.dim() == 3:
        side = round(images.shape[-1] ** 0.5)
        if side * side != images.shape[-1]:
            raise ValueError(f"{images.shape[-1]} features are not a square picture: pass images=[B, S, H, W]")
        images = images.unflatten(-1, (side, side))
    if images.dim() == 4:
        images = (1 - images)[..., None].expand(*images.shape, 3)
    return (images.clamp(0, 1) * 255).byte().cpu()
