"""What counts as an error of the page, and what JupyterLab does by itself."""

import pytest

from .conftest import is_of_lab_alone

LAB = "at Widget.detach (http://127.0.0.1:8888/static/lab/vendors-node_modules_lumino.js?v=1:20:7)"
WIDGETS = (
    "at HTMLView.update (http://127.0.0.1:8888/lab/extensions/@jupyter-widgets/jupyterlab-manager/static/1.js:3:9)"
)
PAGE = "at draw (http://127.0.0.1:8888/lab/tree/01_attention.ipynb:3:1)"
SOURCE = "at eval (webpack://ours/./draw.js:3:1)"


def test_an_error_within_the_bundle_is_of_lab_alone():
    assert is_of_lab_alone(f"NotFoundError: removeChild\n    {LAB}\n    at async Promise.all (index 0)\n    {LAB}")


@pytest.mark.parametrize(
    "stack", ["", "Error: no frames", *(f"Error: x\n  {LAB}\n  {it}" for it in (WIDGETS, PAGE, SOURCE))]
)
def test_any_other_error_counts(stack):
    assert not is_of_lab_alone(stack)
