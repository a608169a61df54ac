"""A folder that is deeper than Python calls itself."""

import subprocess

import pytest


@pytest.fixture
def deep_below():
    """`deep_below(folder)` makes 1,100 folders in each other there; the whole folder is removed afterwards."""
    made = []

    def make(folder):
        made.append(folder)
        subprocess.run(["mkdir", "-p", folder / ("a/" * 1100)], check=True)

    yield make
    subprocess.run(["rm", "-rf", *made], check=True)  # pytest's own removal calls itself at each level
