"""Build a mask from its parts, and see what attention does with it."""

from collections.abc import Callable

import ipywidgets
import torch

from course_lib.notebook.widgets.explorer import Explorer
from course_lib.notebook.widgets.plot import Panel, whole


def mask_builder(
    scaled_dot_product: Callable | None = None,
    causal_mask: Callable | None = None,
    padding_mask: Callable | None = None,
    size: int = 8,
) -> Explorer:
    """Causal or not, and how many tokens are real: the mask, and the attention under it.

    Args:
        scaled_dot_product, causal_mask, padding_mask: yours; what is left out comes from course_lib.
        size: tokens in the sequence, T.
    """
    import course_lib

    attend = scaled_dot_product or course_lib.scaled_dot_product
    causal_mask = causal_mask or course_lib.causal_mask
    padding_mask = padding_mask or course_lib.padding_mask
    generator = torch.Generator().manual_seed(0)
    q, k, v = torch.randn(3, size, 16, generator=generator)  # [T, 16] each

    def mask(causal: bool, real: int) -> torch.Tensor:
        visible = padding_mask(torch.tensor([real]), max_len=size)[0].expand(
            size, size
        )  # [T, T]: the same keys for all
        return visible & causal_mask(size) if causal else visible

    def attention(causal: bool, real: int) -> torch.Tensor:
        return attend(q, k, v, mask=mask(causal, real))[1].detach()  # [T, T]

    def draw(causal: bool, real: int) -> list[Panel]:
        square = whole(size), whole(size)[::-1]
        given = Panel("mask: 1 is visible, 0 is hidden", "key", "query", *square)
        taken = Panel("attention under this mask", "key", "query", *square)
        return [given.matrix(mask(causal, real).int().tolist()), taken.matrix(attention(causal, real).tolist())]

    def describe(causal: bool, real: int) -> str:
        visible, weights = mask(causal, real).bool(), attention(causal, real)
        return (
            f"Two maps of {size} queries by {size} keys: {'a causal' if causal else 'no causal'} mask and {real} real "
            f"tokens leave {int(visible.sum())} of {size * size} pairs visible; the hidden ones get together "
            f"{weights[~visible].sum():.2f} of the attention."
        )

    causal = ipywidgets.Checkbox(value=True, description="causal")
    real = ipywidgets.IntSlider(value=size - 2, min=1, max=size, description="real tokens")
    return Explorer(draw, describe, causal=causal, real=real)
