"""Sets with an odd one, as pictures, with what the model thinks of each member."""

import ipywidgets
import torch
from matplotlib.figure import Figure

from course_lib.widgets.canvas import panels, words_on
from course_lib.widgets.evaluating import beside, evaluating
from course_lib.widgets.explorer import Explorer


def anomaly_gallery(model, sets: torch.Tensor, target: torch.Tensor, images: torch.Tensor | None = None) -> Explorer:
    """Leaf through the sets, all of them or the mistakes alone.

    Args:
        model: called as `model(sets, add_positional_encoding=False)`, gives logits [B, S, 1].
        sets: features [B, S, D]. target: int64 [B], the place of the odd one.
        images: [B, S, H, W] or [B, S, H, W, 3], from 0 to 1; None takes the features as square pictures.
    """
    with evaluating(model):
        chances = model(beside(model, sets), add_positional_encoding=False).squeeze(-1).softmax(-1).cpu()  # [B, S]
    images, target = _pictures(sets if images is None else images).cpu(), target.cpu()
    mistakes = (chances.argmax(-1) != target).nonzero().flatten().tolist()

    def chosen(place: int, mistakes_only: bool) -> int:
        return mistakes[place % len(mistakes)] if mistakes_only and mistakes else place

    def draw(place: int, mistakes_only: bool) -> Figure:
        which = chosen(place, mistakes_only)
        odd, guess, members = int(target[which]), int(chances[which].argmax()), chances.shape[1]
        figure, (axes,) = panels(7.0, height=1.6)
        for member, image in enumerate(images[which]):
            extent = (member - 0.45, member + 0.45, 0, 0.9)
            axes.imshow(image.tolist(), cmap="gray_r", vmin=0, vmax=1, extent=extent, interpolation="nearest")
            said = f"{chances[which, member]:.2f}" + "\nguess" * (member == guess) + "\nodd one" * (member == odd)
            axes.text(member, 0.95, said, ha="center", va="bottom", fontsize=8)
        axes.set(xlim=(-0.55, members - 0.45), ylim=(-0.05, 1.7), xticks=range(members), yticks=[])
        words_on(axes, f"set {which}: {'found' if odd == guess else 'missed'}", "place in the set", "probability")
        return figure

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
    """Features [B, S, D] as [B, S, √D, √D]; what has more axes already is left."""
    if images.dim() > 3:
        return images
    side = round(images.shape[-1] ** 0.5)
    if side * side != images.shape[-1]:
        raise ValueError(f"{images.shape[-1]} features are not a square picture: pass images=[B, S, H, W]")
    return images.unflatten(-1, (side, side))
